/* Sums of the weights that share a key; keys outside are ignored. */
#include <stdint.h>
#include <string.h>

void histogram(const int64_t *restrict keys, const double *restrict weights, double *restrict out, int64_t n,
               int64_t bins) {
    memset(out, 0, bins * sizeof(double));
    for (int64_t i = 0; i < n; i++)
        if (keys[i] >= 0 && keys[i] < bins)
            out[keys[i]] += weights[i];
}
