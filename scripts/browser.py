"""A headless Chromium, driven through its debugging pipe. Needs only Python's standard library."""

import base64
import json
import os
import subprocess
import time


class Browser:
    """A headless browser with one page. Messages are JSON, ended by a zero byte, on file descriptors 3 and 4."""

    def __init__(self, program, folder):
        to_browser, self.write_end = os.pipe()
        self.read_end, from_browser = os.pipe()
        # Duplicates with numbers other than 3 and 4, so that the copies below do not overwrite each other.
        source, sink = os.dup(to_browser), os.dup(from_browser)
        flags = ["--headless=new", "--no-sandbox", "--remote-debugging-pipe", "--use-angle=swiftshader",
                 "--enable-unsafe-swiftshader", "--no-first-run", "--disable-extensions", "--hide-scrollbars",
                 "--disable-background-networking", "--disable-component-update", "--accept-lang=en", f"--user-data-dir={folder}",
                 "--window-size=1440,860", "--force-device-scale-factor=1", "about:blank"]
        script = f"exec 3<&{source} 4>&{sink} \"$@\""
        self.process = subprocess.Popen(["bash", "-c", script, "browser", program, *flags], pass_fds=(source, sink),
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for end in (to_browser, from_browser, source, sink):
            os.close(end)
        self.buffer, self.last, self.complaints, self.requests, self.session = b"", 0, [], [], None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")
        self.downloads = folder / "downloads"
        self.downloads.mkdir(parents=True)
        self.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(self.downloads))
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])

    def call(self, method, **parameters):
        self.last += 1
        message = {"id": self.last, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.write_end, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.last:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def receive(self):
        while b"\0" not in self.buffer:
            part = os.read(self.read_end, 1 << 20)
            if not part:
                raise RuntimeError("the browser has ended")
            self.buffer += part
        text, self.buffer = self.buffer.split(b"\0", 1)
        message = json.loads(text)
        method, what = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.complaints.append(what["exceptionDetails"].get("exception", {}).get("description", str(what)))
        elif method == "Network.requestWillBeSent":
            self.requests.append(what["request"]["url"])
        elif method == "Runtime.consoleAPICalled" and what["type"] in ("error", "warning"):
            self.complaints.append(str(what["args"]))
        elif method == "Log.entryAdded" and what["entry"]["level"] == "error":
            self.complaints.append(what["entry"]["text"])
        return message

    def run(self, script):
        answer = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{script}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def until(self, script, seconds=20):
        end = time.monotonic() + seconds
        while not (value := self.run(script)):
            if time.monotonic() > end:
                raise AssertionError(f"not within {seconds} s: {script}; complaints of the page: {self.complaints[-5:]}")
            time.sleep(0.05)
        return value

    def click(self, x, y):
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def press(self, selector):
        self.run(f"document.querySelector({json.dumps(selector)}).click()")

    def resize(self, width, height, mobile=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=mobile)
        self.call("Emulation.setTouchEmulationEnabled", enabled=mobile)

    def drag(self, start, end):
        self.call("Input.dispatchMouseEvent", type="mousePressed", x=start[0], y=start[1], button="left", clickCount=1)
        for step in (0.3, 0.7, 1.0):
            x, y = (a + (b - a) * step for a, b in zip(start, end))
            self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y, button="left", buttons=1)
        self.call("Input.dispatchMouseEvent", type="mouseReleased", x=end[0], y=end[1], button="left", clickCount=1)

    def key(self, key, **more):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, **({"text": key} if len(key) == 1 and not more else {}), **more)

    def screenshot(self, path):
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot")["data"]))

    def close(self):
        try:
            self.session = None
            self.call("Browser.close")
        except (RuntimeError, OSError):
            pass
        self.process.wait(20)
