/* SPDX-License-Identifier: MIT
 *
 * A spec that extends another: extend.c finds the base and lays the variant's sections
 * over it, edit.c changes its elements one by one. Both work on YAML nodes before anything
 * of them means anything, so that a variant is checked like a spec written whole, and
 * each node keeps the place where it was written.
 */
#ifndef FIG_SPEC_EXTEND_H
#define FIG_SPEC_EXTEND_H

#include "spec/loader.h"

/* Read one of loader->documents, or take it from options->parsed.
 *
 * owns     arena
 * errors   NULL, reported
 */
FigYaml *fig_spec_read(FigLoader *loader, int index);

/* Follow `extends:` from the first of loader->documents, which grows by what is read.
 *
 * owns     arena; root itself where it extends nothing
 * errors   NULL, reported
 */
const FigYaml *fig_spec_extend(FigLoader *loader, FigYaml *root);

/* Part the text of a chain ("… --- # extended: NAME …") into loader->documents. */
void fig_spec_part(FigLoader *loader, const char *name, const char *path,
                   const char *text, size_t length);

/* The chain as one text, which fig_spec_part parts again. owns: arena */
const char *fig_spec_join(FigLoader *loader, size_t *length);

/* Apply the list of `edit:` to a spec's root, in its order.
 *
 * errors   reported; false
 */
bool fig_spec_edit(FigLoader *loader, FigYaml *root, const FigYaml *edits);

/* Read the spec that word names, with what it extends. purpose: "extend".
 *
 * owns     arena
 * errors   NULL, reported
 */
FigYaml *fig_spec_other(FigLoader *loader, const FigYaml *word, const char *purpose);

/* Write out each `block:` among the ops of a spec: the ops of another spec as a repeat,
 * with its dims, constants, weights and import behind those of this one.
 *
 * errors   reported; false
 */
bool fig_spec_blocks(FigLoader *loader, FigYaml *root);

/* Hand the names of `aka:` at the top of a spec (library: {id: name}, or a file of them)
 * to the elements that they name, before blocks are written out. path: of the spec, or
 * NULL.
 *
 * errors   no such file, an id that is nowhere, names that stand twice; false
 */
bool fig_spec_names(FigLoader *loader, FigYaml *root, const char *path);

/* Nodes that change. */

/* Keys of over go before those of under; maps in maps the same way. */
void fig_yaml_lay_over(FigArena *arena, FigYaml *under, const FigYaml *over);
void fig_yaml_set(FigArena *arena, FigYaml *map, FigYaml *key, FigYaml *item);
void fig_yaml_remove(FigYaml *node, int index);
void fig_yaml_insert(FigArena *arena, FigYaml *node, int index, FigYaml *key,
                     FigYaml *item);
int fig_yaml_index(const FigYaml *map, const char *key); /* -1: none */

#endif
