/* Points on the skin of a hand: residuals, and their derivatives by places in triangles and by the pose, by hand. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BONES = 22, FINGERS = 5, SLOPES = 23 }; /* by the global rotation, then by the 20 angles of fingers */

static void times(const double *a, const double *b, double *out) {
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            double total = 0.0;
            for (int k = 0; k < 4; k++)
                total += a[4 * i + k] * b[4 * k + j];
            out[4 * i + j] = total;
        }
}

/* The turn of a bone, or its derivative by one angle: 0 for the turn, 1 by x, 2 by z. */
static void joint_turn(double x, double z, int which, double *out) {
    double cx = which == 1 ? -sin(x) : cos(x), sx = which == 1 ? cos(x) : sin(x);
    double cz = which == 2 ? -sin(z) : cos(z), sz = which == 2 ? cos(z) : sin(z);
    double one_z = which != 1, one_x = which != 2, one = which == 0;
    double turn[16] = {cz * one_z, -sz * cx, sz * sx, 0, sz * one_z, cz * cx, -cz * sx, 0, 0, sx * one_x, cx * one_x, 0,
                       0,          0,        0,       one};
    memcpy(out, turn, sizeof(turn));
}

/* What moves each bone, and its derivatives by the four angles of its finger. */
static void moves(const double *theta, const int64_t *parents, const double *relatives, const double *inverses,
                  double move[BONES][16], double by[BONES][4][16]) {
    double placed[BONES][16], dplaced[BONES][4][16];
    memset(dplaced, 0, sizeof(dplaced));
    for (int b = 0; b < BONES; b++) {
        int finger = (b - 1) / 4, joint = b == 0 || b == 21 ? 0 : (b - 1) % 4, parent = parents[b];
        const double *t = theta + 6 + 4 * finger;
        double x = joint == 0 ? 0.0 : joint == 1 ? t[0] : t[joint], z = joint == 1 ? t[1] : 0.0, turn[16], local[16];
        joint_turn(x, z, 0, turn);
        times(relatives + 16 * b, turn, local);
        if (parent < 0)
            memcpy(placed[b], local, sizeof(local));
        else
            times(placed[parent], local, placed[b]);
        times(placed[b], inverses + 16 * b, move[b]);
        for (int k = 0; k < 4 && joint > 0; k++) {
            int is_own = joint == 1 ? k < 2 : k == joint;
            if (is_own) {
                double dlocal[16];
                joint_turn(x, z, joint == 1 && k == 1 ? 2 : 1, turn);
                times(relatives + 16 * b, turn, dlocal);
                times(placed[parent], dlocal, dplaced[b][k]);
            } else {
                times(dplaced[parent][k], local, dplaced[b][k]);
            }
            times(dplaced[b][k], inverses + 16 * b, by[b][k]);
        }
    }
}

/* The global rotation and its derivatives. */
static void rotation(const double *r, double out[3][3], double by[3][3][3]) {
    double square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2], angle = sqrt(square), c = cos(angle), s = sin(angle);
    memset(by, 0, 27 * sizeof(double));
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out[i][j] = i == j;
    if (square < 1e-8)
        return;
    double a[3] = {r[0] / angle, r[1] / angle, r[2] / angle};
    for (int which = -1; which < 3; which++)
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                int third = 3 - i - j;
                double sign = i == j ? 0.0 : (j - i + 3) % 3 == 1 ? -1.0 : 1.0;
                double turned = i == j ? 0.0 : sign * a[third];
                if (which < 0) {
                    out[i][j] = c * (i == j) + s * turned + (1 - c) * a[i] * a[j];
                    continue;
                }
                double unit = a[which], da[3];
                for (int k = 0; k < 3; k++)
                    da[k] = ((k == which) - a[k] * unit) / angle;
                by[which][i][j] = unit * (-s * (i == j) + c * turned + s * a[i] * a[j])
                                  + s * (i == j ? 0.0 : sign * da[third]) + (1 - c) * (da[i] * a[j] + a[i] * da[j]);
            }
}

static void apply(const double *move, double weight, const double *position, double *out) {
    for (int i = 0; i < 3; i++)
        out[i] += weight * (move[4 * i] * position[0] + move[4 * i + 1] * position[1] + move[4 * i + 2] * position[2]
                            + move[4 * i + 3] * position[3]);
}

static void turned_by(double r[3][3], const double *v, double *out) {
    for (int i = 0; i < 3; i++)
        out[i] = r[i][0] * v[0] + r[i][1] * v[1] + r[i][2] * v[2];
}

/* Residuals; or with `jacobian`, rows of 28 derivatives. */
static void ht(const double *theta, const double *us, const int64_t *parents, const double *relatives, const double *inverses,
        const double *positions, const double *weights, int64_t is_mirrored, const int64_t *triangles,
        const int64_t *correspondences, const double *points, int64_t vertices, int64_t n, double *residuals,
        double *jacobian) {
    double move[BONES][16], by[BONES][4][16], turn[3][3], by_turn[3][3][3];
    double *places = malloc(vertices * 3 * sizeof(double));
    double *slopes = jacobian ? malloc(vertices * SLOPES * 3 * sizeof(double)) : NULL;
    moves(theta, parents, relatives, inverses, move, by);
    rotation(theta, turn, by_turn);
    for (int64_t v = 0; v < vertices; v++) {
        const double *weight = weights + BONES * v, *position = positions + 4 * v;
        double here[3] = {0, 0, 0};
        for (int b = 0; b < BONES; b++)
            apply(move[b], weight[b], position, here);
        if (is_mirrored)
            here[0] = -here[0];
        turned_by(turn, here, places + 3 * v);
        for (int i = 0; i < 3; i++)
            places[3 * v + i] += theta[3 + i];
        if (!jacobian)
            continue;
        double *slope = slopes + SLOPES * 3 * v;
        for (int k = 0; k < 3; k++)
            turned_by(by_turn[k], here, slope + 3 * k);
        for (int angle = 0; angle < 4 * FINGERS; angle++) {
            int finger = angle / 4, k = angle % 4, first = k < 2 ? 1 : k;
            double moved[3] = {0, 0, 0};
            for (int joint = first; joint < 4; joint++)
                apply(by[1 + 4 * finger + joint][k], weight[1 + 4 * finger + joint], position, moved);
            if (is_mirrored)
                moved[0] = -moved[0];
            turned_by(turn, moved, slope + 3 * (3 + angle));
        }
    }
    for (int64_t p = 0; p < n; p++) {
        const int64_t *corner = triangles + 3 * correspondences[p];
        double share[3] = {us[2 * p], us[2 * p + 1], 1.0 - us[2 * p] - us[2 * p + 1]};
        for (int i = 0; i < 3; i++) {
            double at[3];
            for (int k = 0; k < 3; k++)
                at[k] = places[3 * corner[k] + i];
            if (!jacobian) {
                residuals[3 * p + i] = points[3 * p + i] - (share[0] * at[0] + share[1] * at[1] + share[2] * at[2]);
                continue;
            }
            double *row = jacobian + 28 * (3 * p + i);
            row[0] = at[2] - at[0], row[1] = at[2] - at[1];
            row[5] = -(i == 0), row[6] = -(i == 1), row[7] = -(i == 2);
            for (int k = 0; k < SLOPES; k++) {
                double total = 0.0;
                for (int c = 0; c < 3; c++)
                    total -= share[c] * slopes[(SLOPES * corner[c] + k) * 3 + i];
                row[k < 3 ? 2 + k : 5 + k] = total;
            }
        }
    }
    free(places);
    free(slopes);
}

void ht_objective(const double *theta, const double *us, const int64_t *parents, const double *relatives,
                  const double *inverses, const double *positions, const double *weights, int64_t is_mirrored,
                  const int64_t *triangles, const int64_t *correspondences, const double *points, int64_t vertices,
                  int64_t n, double *residuals) {
    ht(theta, us, parents, relatives, inverses, positions, weights, is_mirrored, triangles, correspondences, points,
       vertices, n, residuals, NULL);
}

void ht_jacobian(const double *theta, const double *us, const int64_t *parents, const double *relatives,
                 const double *inverses, const double *positions, const double *weights, int64_t is_mirrored,
                 const int64_t *triangles, const int64_t *correspondences, const double *points, int64_t vertices,
                 int64_t n, double *jacobian) {
    ht(theta, us, parents, relatives, inverses, positions, weights, is_mirrored, triangles, correspondences, points,
       vertices, n, NULL, jacobian);
}
