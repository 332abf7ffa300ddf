/* The logarithm of a sum of exponentials, and its gradient. */
#include <math.h>
#include <stdint.h>

static double largest(const double *x, int64_t n) {
    double found = x[0];
    for (int64_t i = 1; i < n; i++)
        found = x[i] > found ? x[i] : found;
    return found;
}

double lse_primal(const double *restrict x, int64_t n) {
    double shift = largest(x, n), total = 0.0;
    for (int64_t i = 0; i < n; i++)
        total += exp(x[i] - shift);
    return shift + log(total);
}

void lse_gradient(const double *restrict x, int64_t n, double *restrict gradient) {
    double shift = largest(x, n), total = 0.0;
    for (int64_t i = 0; i < n; i++)
        total += gradient[i] = exp(x[i] - shift);
    for (int64_t i = 0; i < n; i++)
        gradient[i] /= total;
}
