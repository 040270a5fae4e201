/* SPDX-License-Identifier: MIT
 *
 * Float and double kernels from one source. An op file says
 *
 *     #ifdef REAL
 *     static void FN(eval)(const FigCall *call) { const REAL *x = call->in[0].data; … }
 *     #else
 *     #define SELF "ops/rmsnorm.c"
 *     #include "ops/both.h"
 *     const FigOp fig_op_rmsnorm = { …, .eval = BOTH(eval) };
 *     #endif
 *
 * and is read three times: for REAL float, for REAL double, and for its row.
 */
#define FN_PASTE_(name, type) name##_##type
#define FN_PASTE(name, type) FN_PASTE_(name, type)
#define FN(name) FN_PASTE(name, REAL)
#define BOTH(name)                                                                     \
    {                                                                                  \
        name##_float, name##_double                                                    \
    }

#include "ops/kernel.h"

#include <math.h>

#define REAL float
#define REAL_(function) function##f
#include SELF
#undef REAL
#undef REAL_
#define REAL double
#define REAL_(function) function
#include SELF
#undef REAL
#undef REAL_
