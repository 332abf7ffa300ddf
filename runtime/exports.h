/* Kernels that other programs call by their digest. */
#ifndef TAPELESS_EXPORTS_H
#define TAPELESS_EXPORTS_H

#include "tapeless_runtime.h"

enum { DIGEST_LENGTH = 64 };

/* The kernel of a digest, which need not end with a zero; NULL if none was added. */
const tl_export *find_export(const char *digest, size_t length);

#endif
