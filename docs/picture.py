#!/usr/bin/env python3
"""Draw a real run of the command as an SVG: docs/picture.py BINARY > docs/audit.svg (`make picture`).

Understands what the command prints: lines, and the colours bold, dim, red, yellow, green and blue.
"""
import os, re, subprocess, sys
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COMMAND = ["audit", "examples/stuck-search.json"]
COLUMNS, CELL, LINE, SIZE, MARGIN = 96, 8.43, 20, 14, 20
INK, DIM, PAPER = "#d6deeb", "#7f8ea3", "#0f1722"
COLOURS = {"31": "#ff7b72", "32": "#7ee787", "33": "#e3b341", "34": "#79c0ff"}


def main(binary):
    environment = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "CLICOLOR")}
    run = subprocess.run([binary, *COMMAND, "--color", "always"], cwd=ROOT, capture_output=True, text=True,
                         env=environment | {"COLUMNS": str(COLUMNS)})
    lines = [f"\x1b[2m$\x1b[0m wheelspin {' '.join(COMMAND)}", *run.stdout.splitlines()]
    width, height = MARGIN * 2 + COLUMNS * CELL, MARGIN * 2 + len(lines) * LINE
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" width="{width:.0f}" height="{height}" '
          f'font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="{SIZE}" fill="{INK}" role="img">')
    print(f"<title>{escape(' '.join(['wheelspin', *COMMAND]))}</title>")
    print(f'<rect width="100%" height="100%" rx="8" fill="{PAPER}"/>')
    for row, line in enumerate(lines):
        print(text(line, MARGIN + row * LINE + SIZE))
    print("</svg>")


def text(line, baseline):
    """One line; each stretch of one style stands at its own column, so that fonts may differ a little."""
    spans, column, style = [], 0, ""
    for part in re.split(r"(\x1b\[[\d;]*m)", line):
        if part.startswith("\x1b"):
            codes = part[2:-1].split(";")
            style = "" if codes in (["0"], [""]) else style + "".join(map(declaration, codes))
        elif part.strip():
            indent = len(part) - len(part.lstrip())
            x, length = MARGIN + (column + indent) * CELL, len(part.strip()) * CELL
            spans.append(f'<tspan x="{x:.1f}" textLength="{length:.1f}"{style}>{escape(part.strip())}</tspan>')
        column += 0 if part.startswith("\x1b") else len(part)
    return f'<text y="{baseline}" xml:space="preserve">{"".join(spans)}</text>'


def declaration(code):
    if code in COLOURS:
        return f' fill="{COLOURS[code]}"'
    return {"1": ' font-weight="bold"', "2": f' fill="{DIM}"'}.get(code, "")


if __name__ == "__main__":
    main(str(Path(sys.argv[1]).resolve()))
