"""A headless Firefox, driven by its protocol Marionette. Needs only Python's standard library."""

import base64
import json
import socket
import subprocess
import time

PORT = 2828


class Firefox:
    """A headless browser with one page. A message is the length of its JSON, a colon, and the JSON."""

    def __init__(self, program, folder):
        folder.mkdir(parents=True)
        command = [program, "--headless", "--marionette", "--no-remote", "--profile", folder]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.socket = self.connect()
        self.socket.settimeout(120)
        self.stream, self.last = self.socket.makefile("rb"), 0
        self.receive()
        self.call("NewSession", capabilities={})

    @staticmethod
    def connect():
        for _ in range(240):
            try:
                return socket.create_connection(("127.0.0.1", PORT))
            except OSError:
                time.sleep(0.5)
        raise AssertionError("Firefox does not start")

    def receive(self):
        length = b""
        while (letter := self.stream.read(1)) != b":":
            length += letter
        return json.loads(self.stream.read(int(length)))

    def call(self, name, **arguments):
        self.last += 1
        message = json.dumps([0, self.last, f"WebDriver:{name}", arguments])
        self.socket.sendall(f"{len(message)}:{message}".encode())
        _, _, error, result = self.receive()
        if error:
            raise RuntimeError(f"{name}: {error['message']}")
        return result

    def open(self, url):
        self.call("Navigate", url="about:blank")
        self.call("Navigate", url=url)

    def run(self, script):
        return self.call("ExecuteScript", script=f"const page = window.wrappedJSObject; return {script}", args=[], sandbox="default")["value"]

    def until(self, script, seconds=60):
        end = time.monotonic() + seconds
        while not (value := self.run(script)):
            assert time.monotonic() < end, f"not within {seconds} s: {script}"
            time.sleep(0.1)
        return value

    def screenshot(self, path):
        path.write_bytes(base64.b64decode(self.call("TakeScreenshot", full=False)["value"]))

    def close(self):
        self.process.terminate()
        self.process.wait(20)
