/* SPDX-License-Identifier: MIT
 *
 * Formulas become runs and paths: The TeXbook's appendix G for text style, with the
 * constants of Latin Modern Math's MATH table in place of TeX's font parameters.
 *
 * Latin letters are set as ASCII in LM Roman 10 Italic, so that they copy and read as what
 * they are. That is a font for words: its letters hang over to the right. So each gets
 * the room (side bearings, italic correction) that Latin Modern Math gives to its own
 * mathematical italic of the same letter. Letters of one script (qkv, proj) stay a word.
 *
 * Digits, brackets and some signs are the same shapes in LM Roman 10 and come from there:
 * beside its italic a formula then changes style and not family, which a file says in
 * fewer bytes and a viewer without our fonts replaces by one serif instead of two.
 */
#include "text/math.h"

#include <hb-ot.h>
#include <math.h>
#include <string.h>

/* Nothing is printed smaller. */
static const double least_size = 6; /* points */

/* Space between the letters of a script word, which is small: of its size. */
static const double script_tracking = 0.025;

double
fig_math_size(const FigMath *math, FigMathStyle style)
{
    static const hb_ot_math_constant_t down[] = {
        0, HB_OT_MATH_CONSTANT_SCRIPT_PERCENT_SCALE_DOWN,
        HB_OT_MATH_CONSTANT_SCRIPT_SCRIPT_PERCENT_SCALE_DOWN};
    if (style.level == 0)
        return math->size;
    double scale = hb_ot_math_get_constant(math->font->hb, down[style.level]) / 100.0;
    return MAX(math->size * scale, MIN(least_size, math->size));
}

double
fig_math_constant(const FigMath *math, hb_ot_math_constant_t which, double size)
{
    return hb_ot_math_get_constant(math->font->hb, which) * size / math->font->upem;
}

FigMathStyle
fig_math_script(FigMathStyle style, bool cramped)
{
    return (FigMathStyle){MIN(style.level + 1, 2), style.cramped || cramped};
}

static FigMathExtent
extent_of(FigInkBox ink, double width)
{
    FigMathExtent extent = {.width = width};
    if (ink.right >= ink.left) {
        extent.height = MAX(0, -ink.top);
        extent.depth = MAX(0, ink.bottom);
    }
    return extent;
}

/* The room of a letter in the math font, in em: before and after its ink, and how far it
 * leans. */
typedef struct Room {
    double left, right, italic;
} Room;

static bool
room_of(const FigMath *math, char letter, Room *room)
{
    hb_codepoint_t glyph, character;
    if (letter == 'h')
        character = 0x210e; /* ℎ, whose place in the block of italics is empty */
    else if (g_ascii_islower(letter))
        character = 0x1d44e + (hb_codepoint_t)(letter - 'a');
    else
        character = 0x1d434 + (hb_codepoint_t)(letter - 'A');
    hb_glyph_extents_t extents;
    hb_font_t *hb = math->font->hb;
    if (!hb_font_get_nominal_glyph(hb, character, &glyph) ||
        !hb_font_get_glyph_extents(hb, glyph, &extents))
        return false;
    double upem = math->font->upem;
    room->left = extents.x_bearing / upem;
    room->right =
        (hb_font_get_glyph_h_advance(hb, glyph) - extents.x_bearing - extents.width) /
        upem;
    room->italic = hb_ot_math_get_glyph_italics_correction(hb, glyph) / upem;
    return true;
}

/* A word of Latin letters in italic, as ASCII. Pairs that could become one ligature in
 * a viewer (ff, fi, fl) are parted into runs of their own place. */
static FigMathExtent
set_letters(FigMath *math, const char *letters, double size, double x, FigInkBox *ink)
{
    size_t length = strlen(letters);
    FigBuildMark start = fig_build_mark(math->build);
    FigInkBox own = FIG_INK_BOX_EMPTY;
    double pen = 0;
    for (size_t from = 0; from < length;) {
        size_t to = from + 1;
        while (to < length && !(letters[to - 1] == 'f' && strchr("fil", letters[to])))
            to++;
        if (from > 0)
            pen += script_tracking * size;
        pen += fig_build_run(math->build, math->italic, size, letters + from, to - from,
                             true, x + pen, 0, &own);
        from = to;
    }
    FigMathExtent extent = extent_of(own, pen);
    extent.is_character = length == 1;
    Room first, last;
    if (own.right >= own.left && room_of(math, letters[0], &first) &&
        room_of(math, letters[length - 1], &last)) {
        double shift = x + first.left * size - own.left;
        fig_build_shift(math->build, start, shift, 0);
        own.left += shift;
        own.right += shift;
        extent.width = own.right - x + last.right * size;
        extent.italic = last.italic * size;
    }
    fig_ink_add(ink, own);
    return extent;
}

/* Do both fonts draw the character alike: in the same room, with edges nowhere farther
 * apart than an eightieth of an em, a tenth of a point in a label? */
static bool
draws_alike(const FigFont *a, const FigFont *b, gunichar character)
{
    hb_codepoint_t glyph[2];
    hb_glyph_extents_t extents[2];
    const FigFont *fonts[] = {a, b};
    double edge[2][5]; /* em */
    for (int i = 0; i < 2; i++) {
        if (!hb_font_get_nominal_glyph(fonts[i]->hb, character, &glyph[i]) ||
            !hb_font_get_glyph_extents(fonts[i]->hb, glyph[i], &extents[i]))
            return false;
        const hb_glyph_extents_t *e = &extents[i];
        double em = fonts[i]->upem;
        edge[i][0] = hb_font_get_glyph_h_advance(fonts[i]->hb, glyph[i]) / em;
        edge[i][1] = e->x_bearing / em;
        edge[i][2] = (e->x_bearing + e->width) / em;
        edge[i][3] = e->y_bearing / em;
        edge[i][4] = (e->y_bearing + e->height) / em;
    }
    for (int k = 0; k < 5; k++)
        if (fabs(edge[0][k] - edge[1][k]) > 0.012)
            return false;
    return true;
}

/* The font of a number or sign. */
static FigFont *
symbol_font(const FigMath *math, const char *text)
{
    FigFont *roman = fig_fonts_open(math->build->fonts, FIG_FACE_ROMAN);
    for (const char *c = text; *c; c = g_utf8_next_char(c))
        if (!draws_alike(math->font, roman, g_utf8_get_char(c)))
            return fig_fonts_for(math->build->fonts, FIG_FACE_MATH,
                                 g_utf8_get_char(text));
    return roman;
}

/* A number, sign or Greek letter. */
FigMathExtent
fig_math_symbol(FigMath *math, const char *text, double size, double x, FigInkBox *ink)
{
    FigInkBox own = FIG_INK_BOX_EMPTY;
    FigFont *font = symbol_font(math, text);
    double width =
        fig_build_run(math->build, font, size, text, strlen(text), true, x, 0, &own);
    FigMathExtent extent = extent_of(own, width);
    extent.is_character = true;
    const FigTextRun *run =
        &g_array_index(math->build->runs, FigTextRun, math->build->runs->len - 1);
    if (font == math->font && run->n_glyphs == 1)
        extent.italic =
            hb_ot_math_get_glyph_italics_correction(font->hb, run->glyphs[0].id) *
            size / font->upem;
    fig_ink_add(ink, own);
    return extent;
}

static FigMathExtent
set_roman(FigMath *math, const char *text, double size, double x, FigInkBox *ink)
{
    FigInkBox own = FIG_INK_BOX_EMPTY;
    double pen = 0;
    /* characters that LM Roman lacks come from another font, one by one */
    for (const char *from = text; *from;) {
        FigFont *font = NULL;
        const char *to = from;
        for (; *to; to = g_utf8_next_char(to)) {
            gunichar character = g_utf8_get_char(to);
            FigFont *here =
                fig_fonts_for(math->build->fonts, FIG_FACE_ROMAN, character);
            bool ligature = to > from && to[-1] == 'f' && strchr("fil", *to);
            if ((font && here != font) || ligature)
                break;
            font = here;
        }
        pen += fig_build_run(math->build, font, size, from, (size_t)(to - from), true,
                             x + pen, 0, &own);
        from = to;
    }
    fig_ink_add(ink, own);
    return extent_of(own, pen);
}

static FigMathExtent
set_nucleus(FigMath *math, const FigTex *item, FigMathStyle style, double x,
            FigInkBox *ink)
{
    double size = fig_math_size(math, style);
    switch (item->kind) {
    case FIG_TEX_LETTER:
        return set_letters(math, item->text, size, x, ink);
    case FIG_TEX_SYMBOL:
        return fig_math_symbol(math, item->text, size, x, ink);
    case FIG_TEX_ROMAN:
        return set_roman(math, item->text, size, x, ink);
    case FIG_TEX_LIST:
        return fig_math_list(math, item->inner, style, x, ink);
    case FIG_TEX_SQRT:
        return fig_math_sqrt(math, item, style, x, ink);
    case FIG_TEX_FRAC:
        return fig_math_frac(math, item, style, x, ink);
    case FIG_TEX_FENCE:
        return fig_math_fence(math, item, style, x, ink);
    case FIG_TEX_NOTHING:
    case FIG_TEX_SPACE:
        break;
    }
    return (FigMathExtent){.is_character = true};
}

/* Move what was set since, and its ink, and add that to the ink of all. */
void
fig_math_move(FigMath *math, FigBuildMark since, FigInkBox own, double dx, double dy,
              FigInkBox *ink)
{
    fig_build_shift(math->build, since, dx, dy);
    if (own.right < own.left)
        return;
    fig_ink_add(
        ink, (FigInkBox){own.left + dx, own.top + dy, own.right + dx, own.bottom + dy});
}

/* A script with the sign that a person would type for it. */
static FigMathExtent
set_script(FigMath *math, const FigTex *list, const char *sign, FigMathStyle style,
           double x, FigInkBox *ink)
{
    double size = fig_math_size(math, style);
    bool bare = fig_tex_is_word(list);
    g_autofree char *typed = g_strconcat(sign, bare ? "" : "(", NULL);
    if (*typed)
        fig_build_ghost(math->build, math->font, size, typed, x, 0);
    FigMathExtent extent = fig_math_list(math, list, style, x, ink);
    if (!bare)
        fig_build_ghost(math->build, math->font, size, ")", x + extent.width, 0);
    extent.width += extent.italic;
    return extent;
}

/* Superior figures have code points, so 10⁵ copies as 10⁵. Latin Modern has ¹²³ alone; for
 * the others stands the font of the words around, where it has them, in its light weight.
 * All hang as high as a superscript when as large as the base. With no such font they are a
 * script like any other, whose glyphs become outlines; the code points are typed without
 * ink. */
static bool
has_all(const FigFont *font, const char *characters)
{
    for (const char *c = characters; *c; c = g_utf8_next_char(c))
        if (!fig_font_has(font, g_utf8_get_char(c)))
            return false;
    return true;
}

/* A font that has superior figures, or NULL. */
static FigFont *
superior_font(FigBuild *build, const char *figures)
{
    FigFont *roman = fig_fonts_open(build->fonts, FIG_FACE_ROMAN);
    if (has_all(roman, figures))
        return roman;
    if (!has_all(fig_fonts_open(build->fonts, FIG_FACE_SANS), figures))
        return NULL;
    FigFont *light = fig_fonts_open(build->fonts, FIG_FACE_SANS_LIGHT);
    return has_all(light, figures) ? light : NULL;
}

static FigMathExtent
set_superior(FigMath *math, const FigTex *list, const char *figures, FigMathStyle style,
             double x, FigInkBox *ink)
{
    double size = fig_math_size(math, style);
    fig_build_ghost(math->build, math->font, size, figures, x, 0);
    FigBuildMark start = fig_build_mark(math->build);
    FigMathExtent extent = fig_math_list(math, list, style, x, ink);
    fig_build_outline(math->build, start);
    extent.width += extent.italic;
    return extent;
}

/* Appendix G, rule 18: how far scripts are from the baseline of their nucleus. */
static FigMathExtent
set_scripts(FigMath *math, const FigTex *item, FigMathStyle style, double x,
            FigMathExtent nucleus, FigInkBox *ink)
{
    FigBuild *build = math->build;
    double size = fig_math_size(math, style);
    FigMathExtent all = nucleus;
    double after = nucleus.width + nucleus.italic; /* of primes and superscripts */
    all.width = after;
    all.italic = 0;
    if (item->primes > 0) {
        static const char *const primes[] = {"", "′", "″", "‴"};
        double pen = after;
        for (int left = item->primes; left > 0; left -= 3) {
            /* the font's primes hang at the height of a superscript already */
            FigMathExtent prime =
                fig_math_symbol(math, primes[MIN(left, 3)], size, x + pen, ink);
            pen += prime.width;
            all.height = MAX(all.height, prime.height);
        }
        after = all.width = pen;
    }
    if (!item->sub && !item->sup)
        return all;
    double up = 0, down = 0;
    if (!nucleus.is_character) {
        up = nucleus.height -
             fig_math_constant(math, HB_OT_MATH_CONSTANT_SUPERSCRIPT_BASELINE_DROP_MAX,
                               size);
        down = nucleus.depth +
               fig_math_constant(math, HB_OT_MATH_CONSTANT_SUBSCRIPT_BASELINE_DROP_MIN,
                                 size);
    }
    FigInkBox sub_ink = FIG_INK_BOX_EMPTY, sup_ink = FIG_INK_BOX_EMPTY;
    FigMathExtent sub = {0}, sup = {0};
    FigBuildMark sub_mark = fig_build_mark(build);
    if (item->sub) {
        sub = set_script(math, item->sub, "_", fig_math_script(style, true),
                         x + nucleus.width, &sub_ink);
        down = MAX(down, fig_math_constant(
                             math, HB_OT_MATH_CONSTANT_SUBSCRIPT_SHIFT_DOWN, size));
        down = MAX(down,
                   sub.height - fig_math_constant(
                                    math, HB_OT_MATH_CONSTANT_SUBSCRIPT_TOP_MAX, size));
    }
    FigBuildMark sup_mark = fig_build_mark(build);
    if (item->sup) {
        double standard = fig_math_constant(
            math,
            style.cramped ? HB_OT_MATH_CONSTANT_SUPERSCRIPT_SHIFT_UP_CRAMPED
                          : HB_OT_MATH_CONSTANT_SUPERSCRIPT_SHIFT_UP,
            size);
        up = MAX(up, standard);
        const char *small = fig_tex_superscript(build->arena, item->sup);
        FigFont *font = small ? superior_font(build, small) : NULL;
        if (font) {
            double width = fig_build_run(build, font, size, small, strlen(small), true,
                                         x + after, 0, &sup_ink);
            sup = extent_of(sup_ink, width);
            up -=
                fig_math_constant(math, HB_OT_MATH_CONSTANT_SUPERSCRIPT_SHIFT_UP, size);
            up = MAX(up, 0);
        } else {
            const char *sign = fig_tex_is_transpose(item->sup) ? "" : "^";
            FigMathStyle script = fig_math_script(style, false);
            sup =
                small
                    ? set_superior(math, item->sup, small, script, x + after, &sup_ink)
                    : set_script(math, item->sup, sign, script, x + after, &sup_ink);
            up = MAX(up,
                     sup.depth +
                         fig_math_constant(
                             math, HB_OT_MATH_CONSTANT_SUPERSCRIPT_BOTTOM_MIN, size));
            if (item->sub) {
                double gap = (up - sup.depth) - (sub.height - down);
                double least = fig_math_constant(
                    math, HB_OT_MATH_CONSTANT_SUB_SUPERSCRIPT_GAP_MIN, size);
                if (gap < least)
                    down += least - gap;
            }
        }
    }
    if (item->sup)
        fig_math_move(math, sup_mark, sup_ink, 0, -up, ink);
    if (item->sub) {
        /* the mark of the subscript lies before that of the superscript */
        fig_math_move(math, sub_mark, sub_ink, 0, down, ink);
        if (item->sup)
            fig_build_shift(build, sup_mark, 0, -down);
    }
    double space =
        fig_math_constant(math, HB_OT_MATH_CONSTANT_SPACE_AFTER_SCRIPT, size);
    all.width = MAX(item->sup ? after + sup.width : after,
                    item->sub ? nucleus.width + sub.width : 0);
    if (!item->sup && !item->primes)
        all.width = nucleus.width + sub.width;
    all.width += space;
    all.height = MAX(all.height, item->sup ? up + sup.height : 0);
    all.depth = MAX(all.depth, item->sub ? down + sub.depth : 0);
    return all;
}

FigMathExtent
fig_math_list(FigMath *math, const FigTex *list, FigMathStyle style, double x,
              FigInkBox *ink)
{
    double size = fig_math_size(math, style);
    g_autoptr(GString) word = g_string_new(NULL);
    FigMathExtent all = {0};
    double pen = 0, lean = 0;
    const FigTex *before = NULL;
    for (const FigTex *item = list; item; item = item->next) {
        pen += lean;
        lean = 0;
        if (item->kind == FIG_TEX_SPACE) {
            if (item->mu > 0)
                fig_build_space(math->build, math->font, size, x + pen, 0);
            pen += item->mu / 18 * size;
            before = item;
            continue;
        }
        if (fig_tex_typed_space(before, item, style.level > 0))
            fig_build_space(math->build, math->font, size, x + pen, 0);
        pen += fig_tex_space(before, item, style.level > 0) / 18 * size;
        FigMathExtent nucleus;
        if (item->kind == FIG_TEX_LETTER) {
            /* in a script letters that follow each other are a word */
            g_string_truncate(word, 0);
            if (style.level > 0)
                item = fig_tex_word(item, word);
            else
                g_string_append(word, item->text);
            nucleus = set_letters(math, word->str, size, x + pen, ink);
        } else {
            nucleus = set_nucleus(math, item, style, x + pen, ink);
        }
        bool scripted = item->sub || item->sup || item->primes;
        FigMathExtent extent =
            scripted ? set_scripts(math, item, style, x + pen, nucleus, ink) : nucleus;
        pen += extent.width;
        lean = extent.italic;
        all.height = MAX(all.height, extent.height);
        all.depth = MAX(all.depth, extent.depth);
        all.is_character = extent.is_character && item == list && !item->next;
        before = item;
    }
    all.width = pen;
    all.italic = lean;
    return all;
}

double
fig_build_math(FigBuild *build, const FigTex *list, double size, double x,
               FigInkBox *ink)
{
    FigMath math = {
        .build = build,
        .font = fig_fonts_open(build->fonts, FIG_FACE_MATH),
        .italic = fig_fonts_open(build->fonts, FIG_FACE_MATH_ITALIC),
        .size = size,
    };
    /* Labels stand in boxes of one line: the lower superscripts of cramped style. */
    FigMathExtent extent =
        fig_math_list(&math, list, (FigMathStyle){.cramped = true}, x, ink);
    return extent.width + extent.italic;
}
