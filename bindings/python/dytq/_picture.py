# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The picture of a table that dytq_table draws: SVG with integer coordinates in tenths of a pixel, the same on every machine."""
from __future__ import annotations

from typing import Optional, Sequence

COLUMNS = 256
"""Columns of the lower panel, each with the largest error of its codes."""

_STYLE = """<style>
text{font-family:system-ui,-apple-system,"Segoe UI","DejaVu Sans",Roboto,sans-serif;font-size:11px;fill:#57606a}
.title{font-size:15px;font-weight:600;fill:#1f2328}
.end{text-anchor:end}
.middle{text-anchor:middle}
.name{fill:#1f2328;font-weight:600}
.page{fill:#ffffff;stroke:#d0d7de}
.panel{fill:#f6f8fa}
.full{fill:#d4a72c;fill-opacity:.18}
.half{stroke:#8c959f;stroke-width:1;stroke-dasharray:2 3;fill:none}
.inset{fill:#ffffff;stroke:#d0d7de}
.dots{stroke:#0969da;stroke-width:5;stroke-linecap:round;fill:none}
.frame{fill:none;stroke:#57606a}
.axis{stroke:#afb8c1;stroke-width:1;fill:none}
.exact{stroke:#8c959f;stroke-width:1;stroke-dasharray:3 2;fill:none}
.curve{stroke:#1f2328;stroke-width:1;fill:none;stroke-opacity:.8}
.codes{stroke:#0969da;stroke-width:1.6;fill:none;stroke-linejoin:round}
.rest{stroke:#0969da;stroke-width:1.6;fill:none}
.off{stroke:#cf222e;stroke-width:1;fill:none}
.key-full{fill:#d4a72c;fill-opacity:.45}
@media (prefers-color-scheme:dark){
text{fill:#9198a1}
.title,.name{fill:#f0f6fc}
.page{fill:#0d1117;stroke:#3d444d}
.panel{fill:#151b23}
.full{fill:#d29922;fill-opacity:.22}
.half{stroke:#656c76}
.inset{fill:#0d1117;stroke:#3d444d}
.dots{stroke:#4493f8}
.frame{stroke:#9198a1}
.axis{stroke:#3d444d}
.exact{stroke:#656c76}
.curve{stroke:#f0f6fc}
.codes,.rest{stroke:#4493f8}
.off{stroke:#f85149}
.key-full{fill:#d29922;fill-opacity:.45}
}
</style>
"""


def _number(v: int) -> str:
    return str(v // 10) if v % 10 == 0 else f"{v // 10}.{v % 10}"


def _axis(v: int, span: int, lo: int, hi: int) -> int:
    """v of [0, span] at its place in [lo, hi], to the nearest tenth."""
    return lo + (2 * v * (hi - lo) + span) // (2 * span)


def _text(style: str, x: int, y: int, words: str) -> str:
    return f"<text{f' class={chr(34)}{style}{chr(34)}' if style else ''} x=\"{_number(x)}\" y=\"{_number(y)}\">{words}</text>\n"


def _rectangle(style: str, x: int, y: int, width: int, height: int, radius: str = "") -> str:
    return f'<rect class="{style}" x="{_number(x)}" y="{_number(y)}" width="{_number(width)}" height="{_number(height)}"{radius}/>\n'


def _path(style: str, steps: str) -> str:
    return f'<path class="{style}" d="{steps}"/>\n'


def _point(x: int, y: int) -> str:
    return f"{_number(x)} {_number(y)}"


def picture(function: str, kind: str, scales: str, entries: Sequence[int], error: int, error_text: str, by_column: Sequence[Optional[int]]) -> str:
    """The entries, and below them the largest error in each column."""
    width, height = 6400, 4000
    left, right, top, middle, lower, bottom = 700, 6100, 700, 2700, 3000, 3600
    last = len(entries) - 1
    margin = (max(entries) - min(entries)) // 12 + 1
    lowest, highest = min(entries) - margin, max(entries) + margin

    def at(i: int) -> str:
        return _point(_axis(i, last, left, right), level(entries[i]))

    def level(v: int) -> int:
        return _axis(v - lowest, highest - lowest, middle, top)

    made = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_number(width)} {_number(height)}" role="img" '
            f'aria-label="{function} as a table, and its largest error">\n', _STYLE, _rectangle("page", 5, 5, width - 10, height - 10, ' rx="8"'),
            _text("title", 300, 340, f"{function}, {kind}"), _text("end", right, 340, scales),
            _rectangle("panel", left, top, right - left, middle - top), _rectangle("panel", left, lower, right - left, bottom - lower)]
    for v in (min(entries), max(entries)):
        made += [_path("axis", f"M{_point(left, level(v))}L{_point(right, level(v))}"), _text("end", left - 60, level(v) + 40, str(v))]
    # Only where the line turns: points between two on a level say nothing.
    turns = [i for i in range(1, last + 1) if i == last or not entries[i - 1] == entries[i] == entries[i + 1]]
    made.append(_path("codes", f"M{at(0)}" + "".join(f"L{at(i)}" for i in turns)))
    bars = ""
    for i, of_column in enumerate(by_column):
        if of_column is not None:
            x = (_axis(i, COLUMNS, left, right) + _axis(i + 1, COLUMNS, left, right)) // 2
            bars += f"M{_point(x, bottom)}V{_number(_axis(of_column, max(error, 1), bottom, lower))}"
    ends = {"uint8": ("0", "255"), "int8": ("-128", "127"), "int16": ("-32768", "32767")}[kind]
    made += [_path("off", bars), _text("name", left, top - 60, "entries"), _text("name", left, lower - 60, "largest error, in output codes"),
             _text("end", right, lower - 60, f"at most {error_text}"), _text("", left, bottom + 180, ends[0]), _text("end", right, bottom + 180, ends[1])]
    return "".join(made) + "</svg>\n"
