/* SPDX-License-Identifier: MIT
 *
 * A specimen of labels to look at: `specimen FILE.png|FILE.pdf|FILE.svg [DPI]` writes each
 * label three times the size it has in figures, one below the other.
 */
#include "base/num.h"
#include "render/output.h"

#include <stdio.h>

static const char *const labels[] = {
    "matmul $W_{qkv} : C \\to 3C$",
    "matmul $S = q\\,k^\\top/\\sqrt{h_d}$",
    "matmul $y = A\\,v$",
    "matmul $W_{proj} : C \\to C$   matmul $W_1 : C \\to h_{ff}$",
    "$z$ $z'$ $z''$ $z'''$ $z'_l$ $z_l$ $f_l$ $h'$ $f'$ $T'$",
    "$\\theta = 5 \\cdot 10^5$   θ = 5·10⁵   $10^{-6}$ $x_i^2$ $2^{10}$",
    "$(B, T, C)$ $(B, H, T, h_d)$ $(B, T, 3C)$ $(B, T, h_{ff})$",
    "RMSNorm$_q$ RMSNorm$_{attn}$ RMSNorm$_{ff}$ $g_{attn}$ $g_{ff}$",
    "$h_{ff} = 1408$ is $8C/3$ rounded up to a multiple of 64.",
    "The scale $1/\\sqrt{h_d}$ is folded into $S$. Every row of $A$ sums to 1.",
    "QK-norm acts on the full width of $q$ and $k$, before the head split.",
    "$W_q W_k W_v W_o A_h V_h T_k P_i Y_j f_i g_j C_d$",
    "$W^q A^\\top V^2 f^2 C^n T^k h_d^2 x_{i+1}^{n-1}$",
    "$\\sqrt{2}$ $\\sqrt{x}$ $\\sqrt{h_d}$ $\\sqrt{\\frac{1}{n}\\sum_i x_i^2 + "
    "\\varepsilon}$",
    "$\\frac{x}{\\sqrt{\\mathrm{mean}(x^2) + \\varepsilon}} \\cdot g$   "
    "$\\left(\\frac{a}{b}\\right)^2$",
    "$a \\odot b + c \\times d \\le e \\approx f \\ge \\infty$ $\\lceil 8C/3 \\rceil$ "
    "$\\sum_{i=1}^n x_i$",
    "$\\log x + \\exp(-x) \\to \\max_i a_i$ $\\ldots$ "
    "$\\alpha\\beta\\gamma\\delta\\varepsilon\\lambda\\mu\\sigma\\Sigma$",
    "$B_{\\mathrm{kv}}$ $d_{\\mathrm{model}}$ $ab$ $Av$ $qk$ $ff$ $fi$ $HTC$ "
    "$abcdefghijklmnopqrstuvwxyz$",
    "$ABCDEFGHIJKLMNOPQRSTUVWXYZ$ 漢 ☃",
};

static FigScene *
specimen(FigFonts *fonts, FigDiag *diag)
{
    FigScene *scene = fig_scene_new();
    FigTextStyle style = {.face = FIG_FACE_SANS, .size = 8};
    double y = 20;
    scene->width = 396;
    scene->id = "specimen";
    scene->title = "Specimen";
    scene->palette[FIG_INK_PAPER] = (FigColour){255, 255, 255};
    scene->palette[FIG_INK_TEXT] = (FigColour){32, 37, 44};
    scene->palette[FIG_INK_RULE] = (FigColour){220, 60, 60};
    for (size_t i = 0; i < G_N_ELEMENTS(labels); i++) {
        const FigTextBox *box =
            fig_text_set(fonts, scene->arena, labels[i], &style, (FigSpan){0}, diag);
        if (!box)
            continue;
        y += box->ascent;
        fig_scene_text(scene, NULL, "label", box, 12, y, FIG_INK_TEXT);
        if (g_getenv("SPECIMEN_BOXES")) {
            FigItem *ink = fig_scene_rect(
                scene, NULL, "ink", 12 + box->ink_left, y + box->ink_top,
                box->ink_right - box->ink_left, box->ink_bottom - box->ink_top, 0);
            ink->stroke = FIG_INK_RULE;
            ink->stroke_width = 0.15;
        }
        y += box->descent + 4;
    }
    scene->height = y + 10;
    return scene;
}

int
main(int argc, char **argv)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(FigFonts) fonts = fig_fonts_new(&error);
    g_autoptr(FigDiag) diag = fig_diag_new();
    const FigOutput *output = argc > 1 ? fig_output_lookup(argv[1]) : NULL;
    if (!fonts || !output) {
        fprintf(stderr, "%s\n",
                fonts ? "specimen FILE.{png,pdf,svg} [DPI]" : error->message);
        return 2;
    }
    g_autoptr(FigScene) scene = specimen(fonts, diag);
    g_autoptr(GString) bytes = g_string_new(NULL), messages = g_string_new(NULL);
    FigWriteOptions options = {0};
    if (argc > 2)
        fig_num_read_real(argv[2], &options.dpi);
    fig_fonts_report(fonts, diag);
    fig_diag_print(diag, messages, false);
    fputs(messages->str, stderr);
    if (!output->write(scene, &options, bytes, &error) ||
        !g_file_set_contents(argv[1], bytes->str, (gssize)bytes->len, &error)) {
        fprintf(stderr, "%s\n", error->message);
        return 2;
    }
    return 0;
}
