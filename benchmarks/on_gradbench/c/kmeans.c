/* Distances of points to the nearest centroid: their sum, and the gradient over the diagonal of the Hessian. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

static int64_t nearest(const double *p, const double *centroids, int64_t k, int64_t d, double *distance) {
    int64_t found = 0;
    *distance = INFINITY;
    for (int64_t c = 0; c < k; c++) {
        double total = 0.0;
        for (int64_t j = 0; j < d; j++) {
            double difference = p[j] - centroids[c * d + j];
            total += difference * difference;
        }
        if (total < *distance)
            *distance = total, found = c;
    }
    return found;
}

double kmeans_cost(const double *points, const double *centroids, int64_t n, int64_t k, int64_t d) {
    double total = 0.0, distance;
    for (int64_t i = 0; i < n; i++) {
        nearest(points + i * d, centroids, k, d, &distance);
        total += distance;
    }
    return total;
}

void kmeans_dir(const double *points, const double *centroids, int64_t n, int64_t k, int64_t d, double *direction) {
    double *diagonal = calloc(k * d, sizeof(double)), distance;
    for (int64_t e = 0; e < k * d; e++)
        direction[e] = 0.0;
    for (int64_t i = 0; i < n; i++) {
        int64_t c = nearest(points + i * d, centroids, k, d, &distance);
        for (int64_t j = 0; j < d; j++) {
            direction[c * d + j] += 2.0 * (centroids[c * d + j] - points[i * d + j]);
            diagonal[c * d + j] += 2.0;
        }
    }
    for (int64_t e = 0; e < k * d; e++)
        direction[e] /= diagonal[e];
    free(diagonal);
}
