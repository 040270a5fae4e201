/* SPDX-License-Identifier: MIT
 *
 * Words as they are seen: what a person reads in a text is what the file says. Signs
 * that nobody sees and letters that look like others of another script are errors.
 */
#ifndef FIG_BASE_SEEN_H
#define FIG_BASE_SEEN_H

#include "base/yaml.h"

/* Check a text that will be drawn: words with $…$ math and <expr> placeholders, or math
 * (a label).
 *
 *   - no sign is unseen, or turns those about it (U+200B, U+202E, U+00AD)
 *   - what Unicode calls the same is written the one way (NFC), and no mark strikes letters
 *   - no letter or digit is another form of an ASCII one (full width, U+1D436)
 *   - a word is of one script; a Greek letter beside Latin ones is none that looks like a
 *     Latin one (ΔW, not Αttention)
 *   - a letter that looks like a Latin one is none of a script that the text has no other
 *     letter of
 *   - in math, letters outside \mathrm{} are Latin or Greek
 *
 * errors   the first sign, at its place, named by `what` ("a label"); false
 */
bool fig_seen_check(const FigYaml *scalar, bool math, const char *what, FigDiag *diag);

#endif
