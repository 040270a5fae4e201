# SPDX-License-Identifier: MIT
"""The promises of a figure by name: what is said when one holds, and the function that yields
the places where it is broken. None of them looks at how the figure came about."""
import lines
import marks
import owners

RULES = {
    "the marks and edges of the record, one each": marks.is_complete,
    "marks lie apart": marks.marks_apart,
    "texts lie apart": marks.texts_apart,
    "texts are clear of borders, signs and dots": marks.texts_clear,
    "texts are clear of inner frames": marks.texts_in_frames,
    "what stands in a mark is its own": marks.texts_of_marks,
    "panels hold their marks and nest": marks.panels_hold,
    "edges are unbroken level and upright lines with heads": lines.edges_are_lines,
    "heads sit on straight ends": lines.heads_sit,
    "edges start on the writer and end on the reader": lines.edges_end,
    "edges run through no mark and no text": lines.edges_clear,
    "leaders are thin, keep clear and pass edges squarely": lines.leaders,
    "edges of different values share nothing": lines.edges_share_nothing,
    "edges cross at right angles, away from bends": lines.edges_cross_cleanly,
    "operands end 8 pt apart and in order": lines.operands,
    "dots stand where one value forks, and only there": lines.dots,
    "lines of one value run as one": lines.trunks,
    "lines cross no line of their value and follow no border": lines.crossings,
    "the residual stream is straight": lines.rail,
    "bold is the residual stream alone": lines.bold,
    "all lies on the page": marks.on_page,
    "no type is under 6 pt": marks.type_size,
    "each text has one owner, the one that the file says": owners.owners,
}
