# SPDX-License-Identifier: MIT
"""PDFs as opfig writes them, taken apart and packed anew."""
import re
import zlib


def repacked(pdf, edit=lambda page: page, others=lambda stream: stream):
    """A PDF with other bytes in its streams, and with the numbers that follow from that; the first of them is the
    page."""
    pieces = re.split(rb"(?<=\nstream\n)(.*?)(?=\nendstream)", pdf, flags=re.DOTALL)
    for i in range(1, len(pieces), 2):
        text = zlib.decompress(pieces[i])
        new = zlib.compress(edit(text) if i == 1 else others(text), 1)
        old, size = b"%d\n" % len(pieces[i]), b"%d\n" % len(new)
        pieces[i - 1] = re.sub(rb"/Length " + old + rb"(?=>>\nstream\n$)", b"/Length " + size, pieces[i - 1])
        pieces[i + 1] = re.sub(rb"(?<=obj\n   )" + old, size, pieces[i + 1], count=1)
        pieces[i] = new
    out = b"".join(pieces)

    def heads(data):
        return [(one[0], one.start()) for one in re.finditer(rb"^(\d+ 0 obj|xref)$", data, re.MULTILINE)]
    moved = {old: new for (_, old), (_, new) in zip(heads(pdf), heads(out))}
    return re.sub(rb"\d{10}(?= 00000 n)|(?<=/Prev )\d+(?=\n)|(?<=startxref\n)\d+",
                  lambda one: b"%0*d" % (len(one[0]) if len(one[0]) == 10 else 0, moved[int(one[0])]), out)
