/* SPDX-License-Identifier: MIT
 *
 * Text inside XML: what people see, and what a file carries and must read back exactly.
 */
#ifndef FIG_BASE_XML_H
#define FIG_BASE_XML_H

#include <glib.h>
#include <stdbool.h>

/* Does this character turn the direction of what follows, or separate like nothing seen? */
bool fig_xml_deceives(gunichar c);

/* Append text for people: `& < > "` escaped; characters that XML forbids, bytes that are
 * not UTF-8 and characters that turn the direction of writing become U+FFFD. */
void fig_escape_text(GString *out, const char *text);

/* Append text that fig_carried_decode gives back byte for byte, in an element or (with
 * attribute) in an attribute between double quotes. What XML would change or a reader
 * could be deceived by stands as \u{HEX}, a byte that is not UTF-8 as \x{HEX}, a
 * backslash as \\; `& < >`, and in an attribute `"`, are escaped as XML wants. */
void fig_escape_carried(GString *out, const char *text, bool attribute);

/* Undo fig_escape_carried, after XML's own escapes have been read.
 *
 * owns     the caller
 * errors   not so written: NULL
 */
char *fig_carried_decode(const char *text);

#endif
