/* The inner product of two vectors. */
#include <stdint.h>

double dot(const double *restrict x, const double *restrict y, int64_t n) {
    double total = 0.0;
    for (int64_t i = 0; i < n; i++)
        total += x[i] * y[i];
    return total;
}
