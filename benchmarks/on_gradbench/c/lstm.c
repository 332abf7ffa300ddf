/* A recurrent network with diagonal weights: its loss, and the gradient, for which every step is kept. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FORGET, INGATE, OUTGATE, CHANGE, HIDDEN, CELL, INPUT, SQUASHED, KEPT };

static double sigma(double v) { return 1.0 / (1.0 + exp(-v)); }

/* One layer; `kept` has what the way back needs, b numbers of each kind. */
static void layer(const double *w, const double *bias, double *h, double *g, double *a, int64_t b, double *kept) {
    for (int64_t e = 0; e < b; e++) {
        double f = sigma(a[e] * w[e] + bias[e]), i = sigma(h[e] * w[b + e] + bias[b + e]);
        double o = sigma(a[e] * w[2 * b + e] + bias[2 * b + e]), r = tanh(h[e] * w[3 * b + e] + bias[3 * b + e]);
        double cell = g[e] * f + i * r, squashed = tanh(cell);
        double all[KEPT] = {f, i, o, r, h[e], g[e], a[e], squashed};
        for (int64_t kind = 0; kind < KEPT; kind++)
            kept[kind * b + e] = all[kind];
        g[e] = cell;
        h[e] = a[e] = o * squashed;
    }
}

/* Returns the loss; with `main_bar` the gradient too. */
double lstm(const double *main, const double *extra, const double *state, const double *text, int64_t layers, int64_t b,
            int64_t c, double *main_bar, double *extra_bar) {
    int64_t per_step = layers * KEPT * b;
    double *kept = malloc((main_bar ? c : 1) * per_step * sizeof(double)), total = 0.0, factor = -1.0 / ((c - 1) * b);
    double *tops = malloc((c + 2 * layers + 1) * b * sizeof(double)), *now = tops + c * b, *a = now + 2 * layers * b;
    memcpy(now, state, 2 * layers * b * sizeof(double));
    for (int64_t t = 0; t < c - 1; t++) {
        double sum = 0.0;
        for (int64_t e = 0; e < b; e++)
            a[e] = text[t * b + e] * extra[e];
        for (int64_t j = 0; j < layers; j++)
            layer(main + 8 * j * b, main + (8 * j + 4) * b, now + 2 * j * b, now + (2 * j + 1) * b, a, b,
                  kept + (main_bar ? t : 0) * per_step + j * KEPT * b);
        for (int64_t e = 0; e < b; e++)
            sum += exp(a[e] * extra[b + e] + extra[2 * b + e]);
        for (int64_t e = 0; e < b; e++)
            total += text[(t + 1) * b + e] * (a[e] * extra[b + e] + extra[2 * b + e] - log(2.0 + sum));
        memcpy(tops + t * b, a, b * sizeof(double));
    }
    if (main_bar) {
        double *bars = calloc((2 * layers + 1) * b, sizeof(double)), *a_bar = bars + 2 * layers * b;
        memset(main_bar, 0, 8 * layers * b * sizeof(double));
        memset(extra_bar, 0, 3 * b * sizeof(double));
        for (int64_t t = c - 2; t >= 0; t--) {
            double sum = 2.0, ones = 0.0;
            const double *top = tops + t * b;
            for (int64_t e = 0; e < b; e++)
                sum += exp(top[e] * extra[b + e] + extra[2 * b + e]), ones += text[(t + 1) * b + e];
            for (int64_t e = 0; e < b; e++) {
                double y = top[e] * extra[b + e] + extra[2 * b + e];
                double y_bar = factor * (text[(t + 1) * b + e] - ones * exp(y) / sum);
                extra_bar[b + e] += y_bar * top[e];
                extra_bar[2 * b + e] += y_bar;
                a_bar[e] = y_bar * extra[b + e];
            }
            for (int64_t j = layers - 1; j >= 0; j--) {
                const double *k = kept + t * per_step + j * KEPT * b, *w = main + 8 * j * b;
                double *w_bar = main_bar + 8 * j * b, *bias_bar = w_bar + 4 * b;
                double *h_bar = bars + 2 * j * b, *g_bar = h_bar + b;
                for (int64_t e = 0; e < b; e++) {
                    double f = k[e], i = k[b + e], o = k[2 * b + e], r = k[3 * b + e], h = k[HIDDEN * b + e];
                    double g = k[CELL * b + e], in = k[INPUT * b + e], squashed = k[SQUASHED * b + e];
                    double new_bar = h_bar[e] + a_bar[e];
                    double cell_bar = g_bar[e] + new_bar * o * (1.0 - squashed * squashed);
                    double bf = cell_bar * g * f * (1.0 - f), bi = cell_bar * r * i * (1.0 - i);
                    double bo = new_bar * squashed * o * (1.0 - o), br = cell_bar * i * (1.0 - r * r);
                    w_bar[e] += bf * in, w_bar[b + e] += bi * h, w_bar[2 * b + e] += bo * in;
                    w_bar[3 * b + e] += br * h;
                    bias_bar[e] += bf, bias_bar[b + e] += bi, bias_bar[2 * b + e] += bo, bias_bar[3 * b + e] += br;
                    g_bar[e] = cell_bar * f;
                    h_bar[e] = bi * w[b + e] + br * w[3 * b + e];
                    a_bar[e] = bf * w[e] + bo * w[2 * b + e];
                }
            }
            for (int64_t e = 0; e < b; e++)
                extra_bar[e] += a_bar[e] * text[t * b + e];
        }
        free(bars);
    }
    free(kept);
    free(tops);
    return factor * total;
}
