/* A determinant by expansion along rows; the remaining columns are a linked list. */
#include <stdint.h>

static double minor_of(const double *a, int64_t ell, int64_t row, int64_t *next) {
    double total = 0.0, sign = 1.0;
    if (row == ell)
        return 1.0;
    for (int64_t before = ell, j = next[ell]; j < ell; before = j, j = next[j], sign = -sign) {
        next[before] = next[j];
        total += sign * a[row * ell + j] * minor_of(a, ell, row + 1, next);
        next[before] = j;
    }
    return total;
}

/* The same with the adjoint of the minor: its entries get theirs on the way. */
static double swept(const double *a, int64_t ell, int64_t row, int64_t *next, double bar, double *a_bar) {
    double total = 0.0, sign = 1.0;
    if (row == ell)
        return 1.0;
    for (int64_t before = ell, j = next[ell]; j < ell; before = j, j = next[j], sign = -sign) {
        double entry = sign * a[row * ell + j];
        next[before] = next[j];
        double smaller = swept(a, ell, row + 1, next, bar * entry, a_bar);
        next[before] = j;
        a_bar[row * ell + j] += sign * bar * smaller;
        total += entry * smaller;
    }
    return total;
}

static void link(int64_t ell, int64_t *next) {
    for (int64_t j = 0; j < ell; j++)
        next[j] = j + 1;
    next[ell] = 0;
}

double det_primal(const double *a, int64_t ell) {
    int64_t next[ell + 1];
    link(ell, next);
    return minor_of(a, ell, 0, next);
}

void det_gradient(const double *a, int64_t ell, double *gradient) {
    int64_t next[ell + 1];
    link(ell, next);
    for (int64_t k = 0; k < ell * ell; k++)
        gradient[k] = 0.0;
    swept(a, ell, 0, next, 1.0, gradient);
}
