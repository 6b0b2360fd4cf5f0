"""A board's shapes as an array of pixels."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from plyground.core.view import PALETTES, Shape, View


def rasterize(view: View, cell: int = 48, theme: str = "light") -> npt.NDArray[np.uint8]:
    """Pixels (height, width, 3) of a view, `cell` pixels a cell."""
    palette = PALETTES[theme]
    size = (max(1, round(view.width * cell)), max(1, round(view.height * cell)))
    image = Image.new("RGB", size, palette["background"])
    pencil = ImageDraw.Draw(image)
    for shape in view.shapes:
        _draw(pencil, shape, cell, palette.get(shape.style, palette["text"]))
    return np.asarray(image, dtype=np.uint8).copy()


def _draw(pencil: ImageDraw.ImageDraw, shape: Shape, cell: int, colour: str) -> None:
    x, y, width, height = (value * cell for value in (shape.x, shape.y, shape.width, shape.height))
    outline = max(1, round(shape.stroke * cell))
    if shape.kind == "text":
        font = ImageFont.load_default(size=max(6, (shape.height or 0.5) * cell))
        pencil.text((x, y), shape.text, fill=colour, font=font, anchor="mm")
        return
    if shape.kind == "line":
        pencil.line((x, y, x + width, y + height), fill=colour, width=outline)
        return
    if shape.kind == "circle":
        box = (x - width / 2, y - width / 2, x + width / 2, y + width / 2)
        paint = pencil.ellipse
    else:
        box = (x, y, x + width, y + height)
        paint = pencil.rectangle
    if shape.stroke:
        paint(box, outline=colour, width=outline)
    else:
        paint(box, fill=colour)
