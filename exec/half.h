/* SPDX-License-Identifier: MIT
 *
 * Numbers of 16 bits as floats, by their bits; every one is exact.
 */
#ifndef FIG_EXEC_HALF_H
#define FIG_EXEC_HALF_H

#include <stdint.h>
#include <string.h>

/* bfloat16: the upper half of a float. */
static inline float
fig_bfloat_float(uint16_t bits)
{
    uint32_t wide = (uint32_t)bits << 16;
    float x;
    memcpy(&x, &wide, sizeof x);
    return x;
}

/* IEEE 754 binary16: a sign, 5 bits of exponent, 10 of fraction. */
static inline float
fig_half_float(uint16_t bits)
{
    uint32_t sign = (uint32_t)(bits & 0x8000) << 16, exponent = (bits >> 10) & 31,
             fraction = bits & 0x3ff, wide;
    float x;
    if (exponent == 31) { /* infinite, or no number */
        wide = sign | 0x7f800000 | fraction << 13;
    } else if (exponent) {
        wide = sign | (exponent + 112) << 23 | fraction << 13;
    } else { /* subnormal: fraction · 2⁻²⁴ */
        x = (float)fraction * 0x1p-24f;
        return sign ? -x : x;
    }
    memcpy(&x, &wide, sizeof x);
    return x;
}

#endif
