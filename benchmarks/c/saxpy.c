/* out = a x + y */
#include <stdint.h>

void saxpy(double a, const double *restrict x, const double *restrict y, double *restrict out, int64_t n) {
    for (int64_t i = 0; i < n; i++)
        out[i] = a * x[i] + y[i];
}
