/* SPDX-License-Identifier: MIT
 *
 * Every limit of the program, with the abuse it stops. A limit is far above what an
 * honest file needs; reaching one is an error with a message that names it.
 */
#ifndef FIG_BASE_LIMIT_H
#define FIG_BASE_LIMIT_H

enum {
    FIG_LIMIT_ERRORS = 20,       /* messages printed in one run */
    FIG_LIMIT_FILE = 8 << 20,    /* bytes of a text file: a device, an endless pipe */
    FIG_LIMIT_FIGURE = 64 << 20, /* bytes of a figure read back */
    FIG_LIMIT_DEPTH = 64,        /* nesting of YAML, groups, expressions: 200 KB of [ */
    FIG_LIMIT_NODES = 1 << 20,   /* YAML nodes counted at each visit: alias bombs */
    FIG_LIMIT_SCALAR = 1 << 16,  /* bytes of one YAML scalar */
    FIG_LIMIT_OPS = 100000,      /* ops of a spec after repeats */
    FIG_LIMIT_PORTS = 64,        /* operands of one op, names of one split */
    FIG_LIMIT_RANK = 8,          /* axes of a tensor */
    FIG_LIMIT_DIMS = 256,        /* dims of a spec */
    FIG_LIMIT_TERMS = 4096,      /* terms of a polynomial: (a+b+c+…)^n */
    FIG_LIMIT_EXPRESSION = 4096, /* bytes of an expression */
    FIG_LIMIT_CHAIN = 256,       /* operators on each other: 1+1+1+… eats the stack */
    FIG_LIMIT_LABEL = 4096,      /* bytes of a label */
    FIG_LIMIT_JSON_DEPTH = 64,   /* nesting of JSON */
    FIG_LIMIT_INDEX = 64 << 20,  /* bytes of the index of a checkpoint */
    FIG_LIMIT_SHARDS = 1000,     /* files of a checkpoint, which are open at once */
    FIG_LIMIT_NPY = 1 << 30,     /* bytes of an array that is read whole */
    /* bytes: takes ten times that to be read */
    FIG_LIMIT_SAFETENSORS_HEADER = 16 << 20,
};

#endif
