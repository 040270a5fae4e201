# SPDX-License-Identifier: MIT
"""One scene, one picture: the SVG through librsvg and the PDF through poppler look like
the PNG, everywhere. A mark moved by 2 points is seen."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

from tap import done, ok, opfig

SPEC = "olmo2-block"
SAME_PICTURE = os.path.abspath(sys.argv[2])
work = tempfile.TemporaryDirectory()
top = pathlib.Path(work.name)


def ppm(data):
    """An image as gray, [height, width] of 0 (ink) … 255."""
    found = re.match(rb"P6\s+(\d+)\s+(\d+)\s+255\s", data)
    width, height = int(found.group(1)), int(found.group(2))
    pixels = np.frombuffer(data, np.uint8, height * width * 3, found.end())
    return pixels.reshape(height, width, 3).mean(2)


def png(path):
    return ppm(subprocess.run([SAME_PICTURE, path], check=True, capture_output=True).stdout)


def from_svg(path, width):
    subprocess.run(["rsvg-convert", "-w", str(width), "-b", "white", "-o", top / "rsvg.png", path],
                   check=True)
    return png(top / "rsvg.png")


def from_pdf(path, width):
    return ppm(subprocess.run(["pdftoppm", "-scale-to-x", str(width), "-scale-to-y", "-1", path],
                              check=True, capture_output=True).stdout)


def blocks(image, size):
    """Means over squares: what is left when edges of strokes are a little elsewhere."""
    height, width = (n // size * size for n in image.shape)
    return image[:height, :width].reshape(height // size, size, width // size, size).mean((1, 3))


def difference(a, b):
    """The largest difference of gray between two renderings, over squares of 1.3 points
    (6 px), each against the nearest of its neighbours shifted by up to a pixel."""
    height, width = (min(n, m) for n, m in zip(a.shape, b.shape))
    a, b = a[:height, :width], b[:height, :width]
    best = np.full_like(blocks(a, 6), np.inf)
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            shifted = np.roll(b, (dy, dx), (0, 1))
            best = np.minimum(best, np.abs(blocks(a, 6) - blocks(shifted, 6)))
    return best.max()


LIMIT = 55  # of 255; the text of other rasterisers differs by up to 40, a moved mark by 70

run = opfig("draw", SPEC, "-o", "a.svg", "-o", "a.pdf", "-o", "a.png", folder=top)
ok(run.returncode == 0, "draws", run.stderr.decode())
ours = png(top / "a.png")
width = ours.shape[1]
ok(width == 1850, "the PNG is 1850 px wide", width)
ink = (ours < 128).mean()
ok(0.005 < ink < 0.5, "there is ink on it", ink)
for name, theirs in (("SVG in librsvg", from_svg(top / "a.svg", width)),
                     ("PDF in poppler", from_pdf(top / "a.pdf", width))):
    ok(abs(theirs.shape[0] - ours.shape[0]) <= 1, f"{name}: the page has the same shape",
       (theirs.shape, ours.shape))
    worst = difference(ours, theirs)
    ok(worst < LIMIT, f"{name}: the same picture", f"differs by {worst:.0f}")

# The comparison itself: one mark 2 points to the right must not pass.
svg = (top / "a.svg").read_text()
mark = re.search(r'data-op="probs".*?<rect[^>]* x="([0-9.]+)"', svg, re.S)
moved = svg[:mark.start(1)] + str(float(mark.group(1)) + 2) + svg[mark.end(1):]
(top / "moved.svg").write_text(moved)
worst = difference(ours, from_svg(top / "moved.svg", width))
ok(worst >= LIMIT, "a mark moved by 2 points is another picture", f"differs by {worst:.0f}")
done()
