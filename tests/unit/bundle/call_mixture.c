/* Calls the kernel of test_c.py and prints what it gives; C and C++ alike. */
#include <inttypes.h>
#include <stdio.h>

#include "kernel.h"

static void print(const double *values, int64_t count) {
    for (int64_t k = 0; k < count; k++) printf("%s%g", k ? " " : "", values[k]);
    printf("\n");
}

static void print_single(const float *values, int64_t count) {
    for (int64_t k = 0; k < count; k++) printf("%s%g", k ? " " : "", (double)values[k]);
    printf("\n");
}

int main(void) {
    double x[15], scaled[15], half[16];
    float y[4] = {0, 1, 2, 3}, chosen[4], twice, picked;
    double *kept = NULL;
    int64_t kept_sizes[1], total;
    int32_t m;
    bool is_large;
    tl_error error;
    for (int k = 0; k < 15; k++) x[k] = k;
    if (mixture_of_all(x, 5, y, 4, 2, -7, true, 0.5, 1.5f, scaled, chosen, &kept, kept_sizes, half, &total, &is_large,
                       &twice, &m, &picked, &error))
        return 1;
    print(scaled, 15);
    print_single(chosen, 4);
    print(kept, kept_sizes[0]);
    print(half, 8);
    printf("%" PRId64 "\n%" PRId64 " %d %g %d %g\n", kept_sizes[0], total, is_large, (double)twice, (int)m,
           (double)picked);
    tl_free(kept);
    /* An index out of range, with the text of the check. */
    int32_t kind = mixture_of_all(x, 5, y, 4, 5, -7, true, 0.5, 1.5f, scaled, chosen, &kept, kept_sizes, half, &total,
                                  &is_large, &twice, &m, &picked, &error);
    const char *text = mixture_of_all_check(&error);
    printf("%d %s\n", (int)kind, text ? text : "none");
    /* A negative size, a negative size of a result, and one that overflows; without an error to fill as well. */
    for (int k = 0; k < 3; k++) {
        const int64_t n = k == 0 ? 2 : k == 1 ? -9 : INT64_MAX;
        kind = mixture_of_all(x, k == 0 ? -1 : 5, y, 4, n, -7, true, 0.5, 1.5f, scaled, chosen, &kept, kept_sizes, half,
                              &total, &is_large, &twice, &m, &picked, k ? NULL : &error);
        printf("%s%d", k ? " " : "", (int)kind);
    }
    printf("\n");
    return error.kind != TL_BAD_SIZE || mixture_of_all_check(&error) != NULL;
}
