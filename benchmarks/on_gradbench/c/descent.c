/* Particle and saddle: descents with derivatives by hand. */
#include <math.h>

typedef void (*Function)(const double *x, const void *data, double *value, double *slope);

static double norm(const double *x, int n) {
    double square = 0.0;
    for (int j = 0; j < n; j++)
        square += x[j] * x[j];
    return sqrt(square);
}

/* Moves x, of at most two elements, to where a function is least. */
static void argmin(Function f, const void *data, int n, double *x) {
    double value, slope[2], eta = 1e-5, new[2], difference[2], new_value, new_slope[2];
    f(x, data, &value, slope);
    for (int successes = 0; norm(slope, n) > 1e-5;) {
        if (successes == 10) {
            eta *= 2.0, successes = 0;
            continue;
        }
        for (int j = 0; j < n; j++)
            new[j] = x[j] - eta * slope[j], difference[j] = x[j] - new[j];
        if (norm(difference, n) <= 1e-5)
            break;
        f(new, data, &new_value, new_slope);
        if (new_value < value) {
            for (int j = 0; j < n; j++)
                x[j] = new[j], slope[j] = new_slope[j];
            value = new_value, successes++;
        } else {
            eta *= 0.5, successes = 0;
        }
    }
}

/* The squared miss of the particle and its derivative by w, carried along: d* are derivatives. */
static void miss(const double *w, const void *data, double *value, double *slope) {
    double x[2] = {0.0, 8.0}, v[2] = {0.75, 0.0}, dx[2] = {0, 0}, dv[2] = {0, 0}, dt = 0.1;
    for (;;) {
        double a[2] = {0, 0}, da[2] = {0, 0};
        for (int charge = 0; charge < 2; charge++) {
            double u[2] = {x[0] - 10.0, x[1] - (charge ? 0.0 : 10.0 - *w)}, du[2] = {dx[0], dx[1] + (charge ? 0 : 1)};
            double square = u[0] * u[0] + u[1] * u[1], cube = 1.0 / (square * sqrt(square));
            double dcube = -3.0 * cube / square * (u[0] * du[0] + u[1] * du[1]);
            for (int j = 0; j < 2; j++)
                a[j] += u[j] * cube, da[j] += du[j] * cube + u[j] * dcube;
        }
        for (int j = 0; j < 2; j++)
            x[j] += dt * v[j], dx[j] += dt * dv[j];
        if (x[1] <= 0.0)
            break;
        for (int j = 0; j < 2; j++)
            v[j] += dt * a[j], dv[j] += dt * da[j];
    }
    double time = x[1] / v[1], dtime = (dx[1] - time * dv[1]) / v[1], place = x[0] - time * v[0];
    *value = place * place;
    *slope = 2.0 * place * (dx[0] - dtime * v[0] - time * dv[0]);
}

double particle(double w) {
    argmin(miss, 0, 1, &w);
    return w;
}

static void depth(const double *q, const void *p, double *value, double *slope) {
    const double *at = p;
    *value = q[0] * q[0] + q[1] * q[1] - (at[0] * at[0] + at[1] * at[1]);
    slope[0] = 2.0 * q[0], slope[1] = 2.0 * q[1];
}

/* The highest point over p; how it is reached does not depend on p. */
static void highest(const double *p, const void *start, double *value, double *slope) {
    double q[2] = {((const double *)start)[0], ((const double *)start)[1]};
    argmin(depth, p, 2, q);
    depth(q, p, value, slope);
    *value = -*value;
    slope[0] = 2.0 * p[0], slope[1] = 2.0 * p[1];
}

void saddle(const double *start, double *points) {
    points[0] = points[2] = start[0], points[1] = points[3] = start[1];
    argmin(highest, start, 2, points);
    argmin(depth, points, 2, points + 2);
}
