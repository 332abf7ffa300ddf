/* The product of two square matrices, with the loop order that walks both along their rows. */
#include <stdint.h>
#include <string.h>

void matmul(const double *restrict a, const double *restrict b, double *restrict out, int64_t n) {
    memset(out, 0, n * n * sizeof(double));
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = 0; k < n; k++)
            for (int64_t j = 0; j < n; j++)
                out[i * n + j] += a[i * n + k] * b[k * n + j];
}
