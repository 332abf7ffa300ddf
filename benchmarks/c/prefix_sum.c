/* All prefix sums of a vector. */
#include <stdint.h>

void prefix_sum(const double *restrict x, double *restrict out, int64_t n) {
    double total = 0.0;
    for (int64_t i = 0; i < n; i++) {
        total += x[i];
        out[i] = total;
    }
}
