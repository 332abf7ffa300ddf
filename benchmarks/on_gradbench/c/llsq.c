/* A polynomial fitted to the sign function: the value and the gradient by its coefficients. */
#include <stdint.h>

static double residual(const double *x, int64_t m, double t) {
    double value = 0.0, power = 1.0;
    for (int64_t j = 0; j < m; j++, power *= t)
        value += x[j] * power;
    return (t > 0) - (t < 0) - value;
}

double llsq_primal(const double *restrict x, int64_t m, int64_t n) {
    double total = 0.0;
    for (int64_t i = 0; i < n; i++) {
        double r = residual(x, m, -1.0 + 2.0 * i / (n - 1));
        total += r * r;
    }
    return 0.5 * total;
}

void llsq_gradient(const double *restrict x, int64_t m, int64_t n, double *restrict gradient) {
    for (int64_t j = 0; j < m; j++)
        gradient[j] = 0.0;
    for (int64_t i = 0; i < n; i++) {
        double t = -1.0 + 2.0 * i / (n - 1), along = -residual(x, m, t);
        for (int64_t j = 0; j < m; j++, along *= t)
            gradient[j] += along;
    }
}
