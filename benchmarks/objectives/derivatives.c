/* Derivatives of the four objectives by hand: what a gradient costs when somebody takes the time to write it.

   Mixture: blocks of points, points as vector dimension, rows and points in registers, the triangle kept, the linear
   map by the factor hoisted out of the sum over points. Bundle adjustment: what depends on a camera alone is computed
   once per camera. Network: what cost an exponential is stored. Hand: only vertices that are asked for, only bones they
   follow, and of those only the directions of their own finger. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define RESTRICT restrict
#define BLOCK 64
#define TILE 16
#define BITS 14

/* exp without branches: rounding by a large constant, whose low bits are the exponent. */
static inline double fast_exp(double x) {
    const double magic = 6755399441055744.0;
    x = x < -708.0 ? -708.0 : x;
    x = x > 709.0 ? 709.0 : x;
    double shifted = fma(x, 1.4426950408889634, magic);
    int64_t bits;
    memcpy(&bits, &shifted, 8);
    double whole = shifted - magic;
    double r = fma(whole, -6.93147180369123816490e-01, x);
    r = fma(whole, -1.90821492927058770002e-10, r);
    double p = 2.08767569878681e-09;
    p = fma(p, r, 2.50521083854417e-08);
    p = fma(p, r, 2.75573192239859e-07);
    p = fma(p, r, 2.75573192239859e-06);
    p = fma(p, r, 2.48015873015873e-05);
    p = fma(p, r, 1.98412698412698e-04);
    p = fma(p, r, 1.38888888888889e-03);
    p = fma(p, r, 8.33333333333333e-03);
    p = fma(p, r, 4.16666666666667e-02);
    p = fma(p, r, 1.66666666666667e-01);
    p = fma(p, r, 0.5);
    p = fma(p, r, 1.0);
    p = fma(p, r, 1.0);
    int64_t result;
    memcpy(&result, &p, 8);
    result += bits << 52;
    memcpy(&p, &result, 8);
    return p;
}

static inline double fast_sigmoid(double x) { return 1.0 / (1.0 + fast_exp(-x)); }
static inline double fast_tanh(double x) { return 2.0 / (1.0 + fast_exp(-2.0 * x)) - 1.0; }

/* y = q x - q mean for a block, two rows and TILE points at a time; rows of q are padded by zeros to an even number. */
static void rows_of_block(const double *RESTRICT q, const double *RESTRICT q_mean, const double *RESTRICT x,
                          double *RESTRICT y, int64_t rows) {
    for (int64_t i = 0; i < rows; i += 2)
        for (int64_t p = 0; p < BLOCK; p += TILE) {
            double first[TILE], second[TILE];
            for (int t = 0; t < TILE; t++) {
                first[t] = -q_mean[i];
                second[t] = -q_mean[i + 1];
            }
            for (int64_t j = 0; j < i + 2; j++) {
                double a = q[i * rows + j], b = q[(i + 1) * rows + j];
                for (int t = 0; t < TILE; t++) {
                    first[t] += a * x[j * BLOCK + p + t];
                    second[t] += b * x[j * BLOCK + p + t];
                }
            }
            for (int t = 0; t < TILE; t++) {
                y[i * BLOCK + p + t] = first[t];
                y[(i + 1) * BLOCK + p + t] = second[t];
            }
        }
}

/* g += wy x^T in the lower triangle, two rows and two columns at a time. */
static void add_products(const double *RESTRICT wy, const double *RESTRICT x, double *RESTRICT g, int64_t rows) {
    for (int64_t i = 0; i < rows; i += 2)
        for (int64_t j = 0; j < i + 2; j += 2) {
            const double *RESTRICT a = wy + i * BLOCK, *RESTRICT b = a + BLOCK;
            const double *RESTRICT c = x + j * BLOCK, *RESTRICT d = c + BLOCK;
            double ac = 0.0, ad = 0.0, bc = 0.0, bd = 0.0;
#pragma omp simd reduction(+ : ac, ad, bc, bd)
            for (int p = 0; p < BLOCK; p++) {
                ac += a[p] * c[p];
                ad += a[p] * d[p];
                bc += b[p] * c[p];
                bd += b[p] * d[p];
            }
            g[i * rows + j] += ac;
            g[i * rows + j + 1] += ad;
            g[(i + 1) * rows + j] += bc;
            g[(i + 1) * rows + j + 1] += bd;
        }
}

double gmm_gradient(const double *RESTRICT alphas, const double *RESTRICT means, const double *RESTRICT icf,
                    const double *RESTRICT points, double gamma, int64_t m, double *RESTRICT d_alphas,
                    double *RESTRICT d_means, double *RESTRICT d_icf, int64_t n, int64_t d, int64_t k) {
    int64_t rows = d + d % 2, packed = d * (d + 1) / 2;
    double *q = calloc(k * rows * rows, 8), *q_mean = calloc(k * rows, 8), *offsets = calloc(k, 8);
    double *g = calloc(k * rows * rows, 8), *sums = calloc(k * rows, 8);
    double *x = calloc(rows * BLOCK, 8), *y = calloc(k * rows * BLOCK, 8), *terms = calloc(k * BLOCK, 8);
    memset(d_alphas, 0, k * 8);
    for (int64_t c = 0; c < k; c++) {
        double *factor = q + c * rows * rows;
        const double *packed_factor = icf + c * packed;
        int64_t next = d;
        offsets[c] = alphas[c];
        for (int64_t j = 0; j < d; j++) {
            factor[j * rows + j] = exp(packed_factor[j]);
            offsets[c] += packed_factor[j];
            for (int64_t i = j + 1; i < d; i++)
                factor[i * rows + j] = packed_factor[next++];
        }
        for (int64_t i = 0; i < d; i++)
            for (int64_t j = 0; j <= i; j++)
                q_mean[c * rows + i] += factor[i * rows + j] * means[c * d + j];
    }
    double value = 0.0;
    for (int64_t first = 0; first < n; first += BLOCK) {
        int64_t count = n - first < BLOCK ? n - first : BLOCK;
        double largest[BLOCK], total[BLOCK], counted[BLOCK];
        for (int64_t p = 0; p < BLOCK; p++) {
            counted[p] = p < count ? 1.0 : 0.0;
            for (int64_t j = 0; j < d; j++)
                x[j * BLOCK + p] = p < count ? points[(first + p) * d + j] : 0.0;
            largest[p] = -INFINITY;
            total[p] = 0.0;
        }
        for (int64_t c = 0; c < k; c++) {
            double *own = y + c * rows * BLOCK, *term = terms + c * BLOCK;
            rows_of_block(q + c * rows * rows, q_mean + c * rows, x, own, rows);
            double square[BLOCK] = {0};
            for (int64_t i = 0; i < d; i++)
                for (int p = 0; p < BLOCK; p++)
                    square[p] += own[i * BLOCK + p] * own[i * BLOCK + p];
            for (int p = 0; p < BLOCK; p++) {
                term[p] = offsets[c] - 0.5 * square[p];
                largest[p] = fmax(largest[p], term[p]);
            }
        }
        for (int64_t c = 0; c < k; c++)
            for (int p = 0; p < BLOCK; p++) {
                terms[c * BLOCK + p] = fast_exp(terms[c * BLOCK + p] - largest[p]);
                total[p] += terms[c * BLOCK + p];
            }
        for (int64_t p = 0; p < count; p++)
            value += largest[p] + log(total[p]);
        for (int p = 0; p < BLOCK; p++)
            total[p] = counted[p] / total[p];
        for (int64_t c = 0; c < k; c++) {
            double *own = y + c * rows * BLOCK, *weight = terms + c * BLOCK, whole = 0.0;
#pragma omp simd reduction(+ : whole)
            for (int p = 0; p < BLOCK; p++) {
                weight[p] *= total[p];
                whole += weight[p];
            }
            d_alphas[c] += whole;
            for (int64_t i = 0; i < d; i++) {
                double row = 0.0;
#pragma omp simd reduction(+ : row)
                for (int p = 0; p < BLOCK; p++) {
                    own[i * BLOCK + p] *= weight[p];
                    row += own[i * BLOCK + p];
                }
                sums[c * rows + i] += row;
            }
            add_products(own, x, g + c * rows * rows, rows);
        }
    }
    double top = -INFINITY, below = 0.0;
    for (int64_t c = 0; c < k; c++)
        top = fmax(top, alphas[c]);
    for (int64_t c = 0; c < k; c++)
        below += exp(alphas[c] - top);
    value -= n * (top + log(below)) + 0.5 * n * d * log(2.0 * M_PI);
    int64_t freedom = d + m + 1;
    double constant = freedom * d * (log(gamma) - 0.5 * log(2.0)) - 0.25 * d * (d - 1) * log(M_PI);
    for (int64_t j = 0; j < d; j++)
        constant -= lgamma(0.5 * (freedom - j));
    value -= k * constant;
    for (int64_t c = 0; c < k; c++) {
        const double *factor = q + c * rows * rows, *products = g + c * rows * rows, *sum = sums + c * rows;
        double *out = d_icf + c * packed;
        int64_t next = d;
        for (int64_t j = 0; j < d; j++) {
            double along = 0.0, diagonal = factor[j * rows + j];
            for (int64_t i = j; i < d; i++)
                along += factor[i * rows + j] * sum[i];
            d_means[c * d + j] = along;
            double by_factor = sum[j] * means[c * d + j] - products[j * rows + j];
            value += 0.5 * gamma * gamma * diagonal * diagonal - m * icf[c * packed + j];
            out[j] = by_factor * diagonal + d_alphas[c] + gamma * gamma * diagonal * diagonal - m;
            for (int64_t i = j + 1; i < d; i++) {
                double entry = factor[i * rows + j];
                value += 0.5 * gamma * gamma * entry * entry;
                out[next++] = sum[i] * means[c * d + j] - products[i * rows + j] + gamma * gamma * entry;
            }
        }
        d_alphas[c] -= n * exp(alphas[c] - top) / below;
    }
    free(q), free(q_mean), free(offsets), free(g), free(sums), free(x), free(y), free(terms);
    return value;
}

/* The matrix of a rotation about r by its length, and its derivatives by r. */
static void rotation(const double *r, double smallest, double matrix[9], double by[3][9]) {
    double square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
    const double skew[9] = {0, -r[2], r[1], r[2], 0, -r[0], -r[1], r[0], 0};
    if (square <= smallest) {
        for (int e = 0; e < 9; e++)
            matrix[e] = (e % 4 == 0) + (smallest == 0.0 ? skew[e] : 0.0);
        const double units[3][9] = {
            {0, 0, 0, 0, 0, -1, 0, 1, 0}, {0, 0, 1, 0, 0, 0, -1, 0, 0}, {0, -1, 0, 1, 0, 0, 0, 0, 0}};
        for (int k = 0; k < 3; k++)
            for (int e = 0; e < 9; e++)
                by[k][e] = smallest == 0.0 ? units[k][e] : 0.0;
        return;
    }
    double angle = sqrt(square), c = cos(angle), s = sin(angle) / angle, v = (1.0 - c) / square;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            matrix[3 * i + j] = (i == j) * c + s * skew[3 * i + j] + v * r[i] * r[j];
    for (int k = 0; k < 3; k++) {
        double column[3], w[3];
        for (int i = 0; i < 3; i++)
            column[i] = (i == k) - matrix[3 * i + k];
        w[0] = r[k] * r[0] + r[1] * column[2] - r[2] * column[1];
        w[1] = r[k] * r[1] + r[2] * column[0] - r[0] * column[2];
        w[2] = r[k] * r[2] + r[0] * column[1] - r[1] * column[0];
        const double turn[9] = {0, -w[2], w[1], w[2], 0, -w[0], -w[1], w[0], 0};
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                by[k][3 * i + j] = (turn[3 * i] * matrix[j] + turn[3 * i + 1] * matrix[3 + j] +
                                    turn[3 * i + 2] * matrix[6 + j]) / square;
    }
}

typedef struct {
    double turn[9], by[3][9];
} Turn;

void ba_blocks(const double *cameras, const double *points, const double *weights, const double *features,
               const int64_t *camera_of, const int64_t *point_of, double *blocks, double *by_weight, int64_t count,
               int64_t camera_count) {
    Turn *turns = malloc(camera_count * sizeof(Turn));
    for (int64_t c = 0; c < camera_count; c++)
        rotation(cameras + 11 * c, 0.0, turns[c].turn, turns[c].by);
    for (int64_t o = 0; o < count; o++) {
        const double *camera = cameras + 11 * camera_of[o], *point = points + 3 * point_of[o];
        const Turn *t = turns + camera_of[o];
        double y[3], z[3], weight = weights[o], row[30];
        for (int i = 0; i < 3; i++)
            y[i] = point[i] - camera[3 + i];
        for (int i = 0; i < 3; i++)
            z[i] = t->turn[3 * i] * y[0] + t->turn[3 * i + 1] * y[1] + t->turn[3 * i + 2] * y[2];
        double inverse = 1.0 / z[2], flat[2] = {z[0] * inverse, z[1] * inverse};
        double square = flat[0] * flat[0] + flat[1] * flat[1], f = camera[6];
        double slope = camera[9] + 2.0 * camera[10] * square;
        double distortion = 1.0 + (camera[9] + camera[10] * square) * square;
        double moved[3][3];
        for (int k = 0; k < 3; k++)
            for (int i = 0; i < 3; i++)
                moved[k][i] = t->by[k][3 * i] * y[0] + t->by[k][3 * i + 1] * y[1] + t->by[k][3 * i + 2] * y[2];
        for (int e = 0; e < 2; e++) {
            double *out = row + 15 * e, scale = weight * f, by_flat[2], by_z[3];
            by_flat[0] = scale * (2.0 * slope * flat[0] * flat[e] + (e == 0) * distortion);
            by_flat[1] = scale * (2.0 * slope * flat[1] * flat[e] + (e == 1) * distortion);
            by_z[0] = by_flat[0] * inverse;
            by_z[1] = by_flat[1] * inverse;
            by_z[2] = -(by_flat[0] * flat[0] + by_flat[1] * flat[1]) * inverse;
            for (int k = 0; k < 3; k++) {
                out[k] = by_z[0] * moved[k][0] + by_z[1] * moved[k][1] + by_z[2] * moved[k][2];
                out[11 + k] = by_z[0] * t->turn[k] + by_z[1] * t->turn[3 + k] + by_z[2] * t->turn[6 + k];
                out[3 + k] = -out[11 + k];
            }
            out[6] = weight * distortion * flat[e];
            out[7] = e == 0 ? weight : 0.0;
            out[8] = e == 1 ? weight : 0.0;
            out[9] = scale * square * flat[e];
            out[10] = scale * square * square * flat[e];
            out[14] = f * distortion * flat[e] + camera[7 + e] - features[2 * o + e];
        }
        memcpy(blocks + 30 * o, row, sizeof row);
        by_weight[o] = -2.0 * weight;
    }
    free(turns);
}

enum { FORGET, INGATE, OUTGATE, CHANGE, TANH, CELL, HIDDEN, STORED };

double lstm_gradient(const double *RESTRICT main_, const double *RESTRICT extra, const double *RESTRICT state,
                     const double *RESTRICT text, double *RESTRICT d_main, double *RESTRICT d_extra, int64_t layers,
                     int64_t characters) {
    int64_t steps = characters - 1;
    double *RESTRICT kept = malloc(steps * layers * STORED * BITS * 8), *RESTRICT shares = malloc(steps * BITS * 8);
    double *RESTRICT hidden = malloc(layers * BITS * 8), *RESTRICT cell = malloc(layers * BITS * 8), loss = 0.0;
    for (int64_t j = 0; j < layers; j++) {
        memcpy(hidden + j * BITS, state + 2 * j * BITS, BITS * 8);
        memcpy(cell + j * BITS, state + (2 * j + 1) * BITS, BITS * 8);
    }
    for (int64_t t = 0; t < steps; t++) {
        double v[BITS], y[BITS], total = 0.0;
        for (int b = 0; b < BITS; b++)
            v[b] = text[t * BITS + b] * extra[b];
        for (int64_t j = 0; j < layers; j++) {
            const double *RESTRICT w = main_ + 8 * j * BITS, *RESTRICT s = w + 4 * BITS;
            double *RESTRICT own = kept + (t * layers + j) * STORED * BITS, *RESTRICT h = hidden + j * BITS;
            double *RESTRICT c = cell + j * BITS;
            for (int b = 0; b < BITS; b++)
                own[FORGET * BITS + b] = fast_sigmoid(v[b] * w[b] + s[b]);
            for (int b = 0; b < BITS; b++)
                own[INGATE * BITS + b] = fast_sigmoid(h[b] * w[BITS + b] + s[BITS + b]);
            for (int b = 0; b < BITS; b++)
                own[OUTGATE * BITS + b] = fast_sigmoid(v[b] * w[2 * BITS + b] + s[2 * BITS + b]);
            for (int b = 0; b < BITS; b++)
                own[CHANGE * BITS + b] = fast_tanh(h[b] * w[3 * BITS + b] + s[3 * BITS + b]);
            for (int b = 0; b < BITS; b++) {
                own[CELL * BITS + b] = c[b];
                own[HIDDEN * BITS + b] = h[b];
                c[b] = c[b] * own[FORGET * BITS + b] + own[INGATE * BITS + b] * own[CHANGE * BITS + b];
            }
            for (int b = 0; b < BITS; b++) {
                own[TANH * BITS + b] = fast_tanh(c[b]);
                v[b] = h[b] = own[OUTGATE * BITS + b] * own[TANH * BITS + b];
            }
        }
        for (int b = 0; b < BITS; b++) {
            y[b] = v[b] * extra[BITS + b] + extra[2 * BITS + b];
            shares[t * BITS + b] = fast_exp(y[b]);
        }
        for (int b = 0; b < BITS; b++)
            total += shares[t * BITS + b];
        double logarithm = log(2.0 + total);
        for (int b = 0; b < BITS; b++) {
            loss += text[(t + 1) * BITS + b] * (y[b] - logarithm);
            shares[t * BITS + b] /= 2.0 + total;
        }
    }
    double scale = -1.0 / (steps * BITS);
    double *RESTRICT d_hidden = calloc(layers * BITS, 8), *RESTRICT d_cell = calloc(layers * BITS, 8);
    memset(d_main, 0, 8 * layers * BITS * 8);
    memset(d_extra, 0, 3 * BITS * 8);
    for (int64_t t = steps - 1; t >= 0; t--) {
        double dv[BITS], whole = 0.0;
        const double *RESTRICT last = kept + (t * layers + layers - 1) * STORED * BITS;
        for (int b = 0; b < BITS; b++)
            whole += text[(t + 1) * BITS + b];
        for (int b = 0; b < BITS; b++) {
            double dy = scale * (text[(t + 1) * BITS + b] - whole * shares[t * BITS + b]);
            d_extra[BITS + b] += dy * last[OUTGATE * BITS + b] * last[TANH * BITS + b];
            d_extra[2 * BITS + b] += dy;
            dv[b] = dy * extra[BITS + b];
        }
        for (int64_t j = layers - 1; j >= 0; j--) {
            const double *RESTRICT w = main_ + 8 * j * BITS, *RESTRICT own = kept + (t * layers + j) * STORED * BITS;
            const double *RESTRICT before = own - STORED * BITS;
            double *RESTRICT dw = d_main + 8 * j * BITS, *RESTRICT ds = dw + 4 * BITS;
            double *RESTRICT dh = d_hidden + j * BITS, *RESTRICT dc = d_cell + j * BITS, input[BITS];
            if (j)
                for (int b = 0; b < BITS; b++)
                    input[b] = before[OUTGATE * BITS + b] * before[TANH * BITS + b];
            else
                for (int b = 0; b < BITS; b++)
                    input[b] = text[t * BITS + b] * extra[b];
            for (int b = 0; b < BITS; b++) {
                double f = own[FORGET * BITS + b], i = own[INGATE * BITS + b], o = own[OUTGATE * BITS + b];
                double g = own[CHANGE * BITS + b], tanh_ = own[TANH * BITS + b], old = own[HIDDEN * BITS + b];
                double by_hidden = dv[b] + dh[b];
                double by_cell = by_hidden * o * (1.0 - tanh_ * tanh_) + dc[b];
                double by_f = by_cell * own[CELL * BITS + b] * f * (1.0 - f), by_i = by_cell * g * i * (1.0 - i);
                double by_o = by_hidden * tanh_ * o * (1.0 - o), by_g = by_cell * i * (1.0 - g * g);
                dw[b] += by_f * input[b];
                dw[BITS + b] += by_i * old;
                dw[2 * BITS + b] += by_o * input[b];
                dw[3 * BITS + b] += by_g * old;
                ds[b] += by_f;
                ds[BITS + b] += by_i;
                ds[2 * BITS + b] += by_o;
                ds[3 * BITS + b] += by_g;
                dc[b] = by_cell * f;
                dh[b] = by_i * w[BITS + b] + by_g * w[3 * BITS + b];
                dv[b] = by_f * w[b] + by_o * w[2 * BITS + b];
            }
        }
        for (int b = 0; b < BITS; b++)
            d_extra[b] += dv[b] * text[t * BITS + b];
    }
    free(kept), free(shares), free(hidden), free(cell), free(d_hidden), free(d_cell);
    return scale * loss;
}

#define BONES 22
#define FINGERS 5
#define ANGLES 26

/* c = a b for the first three rows of matrices of homogeneous coordinates; b has all four rows. */
static void product(const double *RESTRICT a, const double *RESTRICT b, double *RESTRICT c) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            c[4 * i + j] =
                a[4 * i] * b[j] + a[4 * i + 1] * b[4 + j] + a[4 * i + 2] * b[8 + j] + a[4 * i + 3] * b[12 + j];
}

typedef struct {
    double place[3], by_finger[FINGERS][4][3];
    int fingers, is_known;
} Vertex;

typedef struct {
    double transform[BONES][12], by[BONES][4][12], by_turn[3][9];
} Pose;

static void posed(const double *theta, const int64_t *parents, const double *relatives, const double *inverses,
                  Pose *pose) {
    double turn[9], by[3][9], absolute[BONES][16], moved[BONES][4][16], full[16] = {0};
    rotation(theta, 1e-8, turn, by);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                pose->by_turn[k][3 * i + j] =
                    by[k][3 * i] * turn[3 * j] + by[k][3 * i + 1] * turn[3 * j + 1] + by[k][3 * i + 2] * turn[3 * j + 2];
    for (int i = 0; i < 3; i++)
        memcpy(full + 4 * i, turn + 3 * i, 24);
    full[15] = 1.0;
    memset(absolute, 0, sizeof absolute);
    memset(moved, 0, sizeof moved);
    for (int b = 0; b < BONES; b++) {
        int finger = b >= 2 && b < 21 && (b - 1) % 4 ? (b - 2) / 4 : -1, joint = (b - 2) % 4;
        const double *angles = theta + 6 + 4 * finger;
        double x = finger < 0 ? 0.0 : joint == 0 ? angles[0] : angles[1 + joint], z = finger >= 0 && !joint ? angles[1] : 0.0;
        double cx = cos(x), sx = sin(x), cz = cos(z), sz = sin(z);
        const double own[16] = {cz, -sz * cx, sz * sx, 0, sz, cz * cx, -cz * sx, 0, 0, sx, cx, 0, 0, 0, 0, 1};
        const double by_x[16] = {0, sz * sx, sz * cx, 0, 0, -cz * sx, -cz * cx, 0, 0, cx, -sx, 0, 0, 0, 0, 0};
        const double by_z[16] = {-sz, -cz * cx, cz * sx, 0, cz, -sz * cx, sz * sx, 0, 0, 0, 0, 0, 0, 0, 0, 0};
        double hung[16] = {0}, relative[16];
        const double *from = parents[b] < 0 ? full : absolute[parents[b]];
        product(from, relatives + 16 * b, hung);
        product(hung, own, absolute[b]);
        absolute[b][15] = 1.0;
        product(absolute[b], inverses + 16 * b, pose->transform[b]);
        if (finger < 0)
            continue;
        if (joint) {
            product(relatives + 16 * b, own, relative);
            memcpy(relative + 12, relatives + 16 * b + 12, 32);
            for (int a = 0; a < joint + 1; a++)
                product(moved[parents[b]][a], relative, moved[b][a]);
            product(hung, by_x, moved[b][joint + 1]);
        } else {
            product(hung, by_x, moved[b][0]);
            product(hung, by_z, moved[b][1]);
        }
        for (int a = 0; a < joint + 2; a++)
            product(moved[b][a], inverses + 16 * b, pose->by[b][a]);
    }
}

static const Vertex *placed(const Pose *pose, const double *vertices, const int64_t *starts, const int64_t *bones,
                            const double *shares, Vertex *known, int64_t which) {
    Vertex *v = known + which;
    if (v->is_known)
        return v;
    const double *from = vertices + 4 * which;
    memset(v, 0, sizeof *v);
    v->is_known = 1;
    for (int64_t e = starts[which]; e < starts[which + 1]; e++) {
        int64_t b = bones[e];
        int finger = b >= 2 && b < 21 && (b - 1) % 4 ? (b - 2) / 4 : -1, joint = (b - 2) % 4;
        for (int i = 0; i < 3; i++) {
            const double *row = pose->transform[b] + 4 * i;
            v->place[i] += shares[e] * (row[0] * from[0] + row[1] * from[1] + row[2] * from[2] + row[3] * from[3]);
        }
        if (finger < 0)
            continue;
        v->fingers |= 1 << finger;
        for (int a = 0; a < joint + 2; a++)
            for (int i = 0; i < 3; i++) {
                const double *row = pose->by[b][a] + 4 * i;
                v->by_finger[finger][a][i] +=
                    shares[e] * (row[0] * from[0] + row[1] * from[1] + row[2] * from[2] + row[3] * from[3]);
            }
    }
    return v;
}

/* Adds a share of a vertex to the derivatives of one error by the angles; `width` numbers lie between its rows. */
static void add_vertex(const Pose *pose, const Vertex *v, double share, double *out, int64_t width) {
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            const double *row = pose->by_turn[k] + 3 * i;
            out[i * width + k] -= share * (row[0] * v->place[0] + row[1] * v->place[1] + row[2] * v->place[2]);
        }
        for (int finger = 0; finger < FINGERS; finger++)
            if (v->fingers >> finger & 1)
                for (int a = 0; a < 4; a++)
                    out[i * width + 6 + 4 * finger + a] -= share * v->by_finger[finger][a][i];
    }
}

void hand_jacobian(const double *theta, const int64_t *parents, const double *relatives, const double *inverses,
                   const double *vertices, const int64_t *starts, const int64_t *bones, const double *shares,
                   const int64_t *vertex_of, double *out, int64_t count, int64_t vertex_count) {
    Pose pose;
    Vertex *known = calloc(vertex_count, sizeof(Vertex));
    posed(theta, parents, relatives, inverses, &pose);
    memset(out, 0, count * 3 * ANGLES * 8);
    for (int64_t n = 0; n < count; n++) {
        double *own = out + 3 * ANGLES * n;
        const Vertex *v = placed(&pose, vertices, starts, bones, shares, known, vertex_of[n]);
        for (int i = 0; i < 3; i++)
            own[i * ANGLES + 3 + i] = -1.0;
        add_vertex(&pose, v, 1.0, own, ANGLES);
    }
    free(known);
}

void hand_in_triangles_jacobian(const double *theta, const double *places, const int64_t *parents,
                                const double *relatives, const double *inverses, const double *vertices,
                                const int64_t *starts, const int64_t *bones, const double *shares,
                                const int64_t *triangles, const int64_t *triangle_of, double *out, int64_t count,
                                int64_t vertex_count) {
    Pose pose;
    Vertex *known = calloc(vertex_count, sizeof(Vertex));
    posed(theta, parents, relatives, inverses, &pose);
    const int64_t width = ANGLES + 2;
    memset(out, 0, count * 3 * width * 8);
    for (int64_t n = 0; n < count; n++) {
        double *own = out + 3 * width * n;
        const double part[3] = {places[2 * n], places[2 * n + 1], 1.0 - places[2 * n] - places[2 * n + 1]};
        const Vertex *corner[3];
        for (int c = 0; c < 3; c++) {
            corner[c] = placed(&pose, vertices, starts, bones, shares, known, triangles[3 * triangle_of[n] + c]);
            add_vertex(&pose, corner[c], part[c], own + 2, width);
        }
        for (int i = 0; i < 3; i++) {
            own[i * width + 5 + i] = -1.0;
            own[i * width] = corner[2]->place[i] - corner[0]->place[i];
            own[i * width + 1] = corner[2]->place[i] - corner[1]->place[i];
        }
    }
    free(known);
}
