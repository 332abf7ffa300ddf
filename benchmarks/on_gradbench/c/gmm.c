/* A mixture of Gaussians without the constants of its prior, which Python adds: value and gradient. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static double log_sum_exp(const double *x, int64_t n) {
    double shift = x[0], total = 0.0;
    for (int64_t i = 1; i < n; i++)
        shift = x[i] > shift ? x[i] : shift;
    for (int64_t i = 0; i < n; i++)
        total += exp(x[i] - shift);
    return shift + log(total);
}

/* The triangle, its diagonal as exponentials, times the vector; columns lie one behind the other. */
static double product(const double *diagonal, const double *l, const double *v, int64_t d, double *out) {
    double square = 0.0;
    for (int64_t i = 0; i < d; i++)
        out[i] = diagonal[i] * v[i];
    for (int64_t j = 0; j < d; j++) {
        for (int64_t i = j + 1; i < d; i++)
            out[i] += l[i - j - 1] * v[j];
        l += d - j - 1;
    }
    for (int64_t i = 0; i < d; i++)
        square += out[i] * out[i];
    return square;
}

/* The value; gradients only where they are wanted. */
double gmm(const double *alpha, const double *mu, const double *q, const double *l, const double *x, int64_t m,
           double gamma, int64_t k, int64_t d, int64_t n, double *alpha_bar, double *mu_bar, double *q_bar,
           double *l_bar) {
    int64_t below = d * (d - 1) / 2;
    double *diagonal = malloc((3 * k * d + 2 * k) * sizeof(double)), *v = diagonal + k * d, *u = v + k * d;
    double *sums = u + k * d, *beta = sums + k, value = 0.0;
    for (int64_t c = 0; c < k; c++) {
        sums[c] = 0.0;
        for (int64_t j = 0; j < d; j++) {
            double e = diagonal[c * d + j] = exp(q[c * d + j]);
            sums[c] += q[c * d + j];
            value -= 0.5 * gamma * gamma * e * e;
            if (q_bar)
                q_bar[c * d + j] = m - gamma * gamma * e * e, mu_bar[c * d + j] = 0.0;
        }
        value += m * sums[c];
        for (int64_t j = 0; j < below; j++) {
            double e = l[c * below + j];
            value -= 0.5 * gamma * gamma * e * e;
            if (l_bar)
                l_bar[c * below + j] = -gamma * gamma * e;
        }
    }
    double normal = log_sum_exp(alpha, k);
    value -= n * normal;
    if (alpha_bar)
        for (int64_t c = 0; c < k; c++)
            alpha_bar[c] = -n * exp(alpha[c] - normal);
    for (int64_t i = 0; i < n; i++) {
        for (int64_t c = 0; c < k; c++) {
            for (int64_t j = 0; j < d; j++)
                v[c * d + j] = x[i * d + j] - mu[c * d + j];
            double square = product(diagonal + c * d, l + c * below, v + c * d, d, u + c * d);
            beta[c] = alpha[c] + sums[c] - 0.5 * square;
        }
        double density = log_sum_exp(beta, k);
        value += density;
        if (!alpha_bar)
            continue;
        for (int64_t c = 0; c < k; c++) {
            double share = exp(beta[c] - density);
            const double *vc = v + c * d, *uc = u + c * d, *lc = l + c * below;
            double *l_row = l_bar + c * below;
            alpha_bar[c] += share;
            for (int64_t j = 0; j < d; j++) {
                double e = diagonal[c * d + j], back = e * uc[j], along = share * vc[j];
                q_bar[c * d + j] += share - along * e * uc[j];
                for (int64_t r = j + 1; r < d; r++) {
                    back += lc[r - j - 1] * uc[r];
                    l_row[r - j - 1] -= along * uc[r];
                }
                lc += d - j - 1, l_row += d - j - 1;
                mu_bar[c * d + j] += share * back;
            }
        }
    }
    free(diagonal);
    return value;
}
