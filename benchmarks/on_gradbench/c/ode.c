/* A chain of equations by the method of Runge and Kutta; the gradient of the last element keeps y at each step. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The slope at y + h k. */
static void slope(const double *restrict x, const double *restrict y, const double *restrict k, double h, int64_t n,
                  double *restrict out) {
    out[0] = x[0];
    for (int64_t i = 1; i < n; i++)
        out[i] = x[i] * (y[i - 1] + h * k[i - 1]);
}

static void step(const double *restrict x, const double *restrict y, double h, int64_t n, double *restrict k,
                 double *restrict next) {
    double *k1 = k, *k2 = k + n, *k3 = k + 2 * n, *k4 = k + 3 * n;
    slope(x, y, y, 0.0, n, k1);
    slope(x, y, k1, 0.5 * h, n, k2);
    slope(x, y, k2, 0.5 * h, n, k3);
    slope(x, y, k3, h, n, k4);
    if (next)
        for (int64_t i = 0; i < n; i++)
            next[i] = y[i] + h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
}

void ode_primal(const double *restrict x, int64_t n, int64_t s, double *restrict y) {
    double *memory = malloc(5 * n * sizeof(double)), *now = memory + 4 * n;
    memset(y, 0, n * sizeof(double));
    for (int64_t t = 0; t < s; t++) {
        memcpy(now, y, n * sizeof(double));
        step(x, now, 2.0 / s, n, memory, y);
    }
    free(memory);
}

/* The adjoint of `slope`: that of k comes out, those of x and y are added to. */
static void slope_back(const double *restrict x, const double *restrict y, const double *restrict k, double h,
                       const double *restrict out_bar, int64_t n, double *restrict x_bar, double *restrict y_bar,
                       double *restrict k_bar) {
    x_bar[0] += out_bar[0];
    for (int64_t i = 1; i < n; i++) {
        double bar = x[i] * out_bar[i];
        x_bar[i] += out_bar[i] * (y[i - 1] + h * k[i - 1]);
        y_bar[i - 1] += bar;
        k_bar[i - 1] += h * bar;
    }
}

void ode_gradient(const double *restrict x, int64_t n, int64_t s, double *restrict x_bar) {
    double *states = malloc((s + 1) * n * sizeof(double)), *k = malloc(10 * n * sizeof(double)), h = 2.0 / s;
    double *bars = k + 4 * n, *y_bar = k + 8 * n, *old = k + 9 * n;
    memset(states, 0, n * sizeof(double));
    for (int64_t t = 0; t < s; t++)
        step(x, states + t * n, h, n, k, states + (t + 1) * n);
    memset(x_bar, 0, n * sizeof(double));
    memset(y_bar, 0, n * sizeof(double));
    y_bar[n - 1] = 1.0;
    for (int64_t t = s - 1; t >= 0; t--) {
        const double *y = states + t * n;
        step(x, y, h, n, k, NULL);
        for (int64_t i = 0; i < n; i++) {
            bars[i] = bars[3 * n + i] = h / 6 * y_bar[i];
            bars[n + i] = bars[2 * n + i] = h / 3 * y_bar[i];
        }
        slope_back(x, y, k + 2 * n, h, bars + 3 * n, n, x_bar, y_bar, bars + 2 * n);
        slope_back(x, y, k + n, 0.5 * h, bars + 2 * n, n, x_bar, y_bar, bars + n);
        slope_back(x, y, k, 0.5 * h, bars + n, n, x_bar, y_bar, bars);
        slope_back(x, y, y, 0.0, bars, n, x_bar, y_bar, old);
    }
    free(states);
    free(k);
}
