"""Prints a Markdown file with absolute links, for registries that know no repository: registry-readme.py FILE VERSION

Relative links lead to the tag of the version at the address in Cargo.toml, pictures to their raw files.
"""

import re
import sys
import tomllib
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parent.parent
PICTURES = {".gif", ".png", ".svg"}


def absolute(link: str, folder: PurePosixPath, address: str, version: str) -> str:
    """The link from anywhere, if it is relative to a file in the folder."""
    if re.match(r"[a-z]+:|#", link):
        return link
    path, _, anchor = link.partition("#")
    parts: list[str] = []
    for part in (folder / path).parts:
        if part == "..":
            parts.pop()
        else:
            parts.append(part)
    kind = "raw" if PurePosixPath(path).suffix in PICTURES else "blob"
    return f"{address}/{kind}/v{version}/{'/'.join(parts)}" + (f"#{anchor}" if anchor else "")


def rewrite(text: str, folder: PurePosixPath, address: str, version: str) -> str:
    """The text with absolute links and pictures. Code blocks stay as they are."""
    parts = re.split(r"(^```.*?^```)", text, flags=re.MULTILINE | re.DOTALL)
    for number in range(0, len(parts), 2):
        parts[number] = re.sub(
            r"(\]\(|src=\"|srcset=\")([^)\"\s]+)",
            lambda found: found[1] + absolute(found[2], folder, address, version),
            parts[number],
        )
    return "".join(parts)


def main() -> None:
    file, version = Path(sys.argv[1]).resolve(), sys.argv[2]
    address = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["repository"]
    folder = PurePosixPath(file.parent.relative_to(ROOT).as_posix())
    sys.stdout.write(rewrite(file.read_text(), folder, address, version))


main()
