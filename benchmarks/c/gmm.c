/* The log-likelihood of points under a mixture of Gaussians with diagonal precision `scales`^2. */
#include <math.h>
#include <stdint.h>

double gmm(const double *restrict points, const double *restrict weights, const double *restrict means,
           const double *restrict scales, double *restrict terms, int64_t n, int64_t k, int64_t d) {
    double likelihood = 0.0;
    for (int64_t i = 0; i < n; i++) {
        double largest = -INFINITY;
        for (int64_t c = 0; c < k; c++) {
            double distance = 0.0;
            for (int64_t j = 0; j < d; j++) {
                double scaled = (points[i * d + j] - means[c * d + j]) * scales[c * d + j];
                distance += scaled * scaled;
            }
            terms[c] = weights[c] - 0.5 * distance;
            largest = terms[c] > largest ? terms[c] : largest;
        }
        double total = 0.0;
        for (int64_t c = 0; c < k; c++)
            total += exp(terms[c] - largest);
        likelihood += largest + log(total);
    }
    return likelihood;
}
