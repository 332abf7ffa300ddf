/* Points seen by cameras: errors, and the sparse Jacobian in compressed rows, with derivatives by hand. */
#include <math.h>
#include <stdint.h>
#include <string.h>

static void cross(const double *a, const double *b, double *out) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* y = v turned by r; by_r[k] and by_v[k] are its derivatives, where they are wanted. */
static void rotate(const double *r, const double *v, double *y, double by_r[3][3], double by_v[3][3]) {
    double square = dot(r, r);
    if (square == 0.0) {
        cross(r, v, y);
        for (int j = 0; j < 3; j++)
            y[j] += v[j];
        for (int k = 0; by_r && k < 3; k++) {
            double unit[3] = {k == 0, k == 1, k == 2};
            cross(unit, v, by_r[k]);
            cross(r, unit, by_v[k]);
            by_v[k][k] += 1.0;
        }
        return;
    }
    double angle = sqrt(square), c = cos(angle), s = sin(angle), a[3], turned[3];
    for (int j = 0; j < 3; j++)
        a[j] = r[j] / angle;
    double along = dot(a, v);
    cross(a, v, turned);
    for (int j = 0; j < 3; j++)
        y[j] = v[j] * c + turned[j] * s + a[j] * along * (1.0 - c);
    for (int k = 0; by_r && k < 3; k++) {
        double unit[3] = {k == 0, k == 1, k == 2}, da[3], moved[3], turned_unit[3];
        for (int j = 0; j < 3; j++)
            da[j] = (unit[j] - a[j] * a[k]) / angle;
        cross(da, v, moved);
        cross(a, unit, turned_unit);
        double dalong = dot(da, v);
        for (int j = 0; j < 3; j++) {
            by_r[k][j] = -v[j] * s * a[k] + moved[j] * s + turned[j] * c * a[k]
                         + (da[j] * along + a[j] * dalong) * (1.0 - c) + a[j] * along * s * a[k];
            by_v[k][j] = unit[j] * c + turned_unit[j] * s + a[j] * a[k] * (1.0 - c);
        }
    }
}

void ba_objective(const double *cameras, const double *points, const double *weights, const double *features, int64_t n,
                  int64_t m, int64_t p, double *errors, double *weight_errors) {
    for (int64_t i = 0; i < p; i++) {
        const double *camera = cameras + 11 * (i % n), *point = points + 3 * (i % m);
        double v[3] = {point[0] - camera[3], point[1] - camera[4], point[2] - camera[5]}, y[3];
        rotate(camera, v, y, 0, 0);
        double z0 = y[0] / y[2], z1 = y[1] / y[2], s = z0 * z0 + z1 * z1;
        double l = camera[6] * (1.0 + camera[9] * s + camera[10] * s * s);
        errors[2 * i] = weights[i] * (l * z0 + camera[7] - features[2 * i]);
        errors[2 * i + 1] = weights[i] * (l * z1 + camera[8] - features[2 * i + 1]);
        weight_errors[i] = 1.0 - weights[i] * weights[i];
    }
}

void ba_jacobian(const double *cameras, const double *points, const double *weights, const double *features, int64_t n,
                 int64_t m, int64_t p, int64_t *rows, int64_t *columns, double *values) {
    for (int64_t i = 0; i < p; i++) {
        const double *camera = cameras + 11 * (i % n), *point = points + 3 * (i % m);
        double v[3] = {point[0] - camera[3], point[1] - camera[4], point[2] - camera[5]}, y[3], by_r[3][3], by_v[3][3];
        rotate(camera, v, y, by_r, by_v);
        double z[2] = {y[0] / y[2], y[1] / y[2]}, s = z[0] * z[0] + z[1] * z[1], f = camera[6], w = weights[i];
        double l = 1.0 + camera[9] * s + camera[10] * s * s, dl = camera[9] + 2.0 * camera[10] * s;
        for (int e = 0; e < 2; e++) {
            double *row = values + 30 * i + 15 * e;
            int64_t *column = columns + 30 * i + 15 * e;
            /* The derivative of the distorted coordinate by y. */
            double by_z[2] = {2.0 * dl * z[0] * z[e], 2.0 * dl * z[1] * z[e]}, by_y[3];
            by_z[e] += l;
            by_y[0] = by_z[0] / y[2], by_y[1] = by_z[1] / y[2];
            by_y[2] = -(by_z[0] * z[0] + by_z[1] * z[1]) / y[2];
            for (int k = 0; k < 3; k++) {
                row[k] = w * f * dot(by_y, by_r[k]);
                row[11 + k] = w * f * dot(by_y, by_v[k]);
                row[3 + k] = -row[11 + k];
            }
            row[6] = w * l * z[e];
            row[7] = row[8] = 0.0;
            row[7 + e] = w;
            row[9] = w * f * s * z[e];
            row[10] = w * f * s * s * z[e];
            row[14] = f * l * z[e] + camera[7 + e] - features[2 * i + e];
            for (int k = 0; k < 11; k++)
                column[k] = 11 * (i % n) + k;
            for (int k = 0; k < 3; k++)
                column[11 + k] = 11 * n + 3 * (i % m) + k;
            column[14] = 11 * n + 3 * m + i;
            rows[2 * i + e] = 15 * (2 * i + e);
        }
        values[30 * p + i] = -2.0 * w;
        columns[30 * p + i] = 11 * n + 3 * m + i;
        rows[2 * p + i] = 30 * p + i;
    }
    rows[3 * p] = 31 * p;
}
