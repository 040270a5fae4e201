# SPDX-License-Identifier: MIT
"""SVG files of ours without what is no drawing."""
import re


def bare(text):
    """Without hints, ids and metadata."""
    text = re.sub(r"<metadata.*?</metadata>\n", "", text, flags=re.S)
    return re.sub(r' (data-[a-z]+|id|class|aria-labelledby)="[^"]*"', "", text)
