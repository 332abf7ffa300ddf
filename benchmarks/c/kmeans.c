/* The sum over points of the squared distance to the nearest centre. */
#include <math.h>
#include <stdint.h>

double kmeans(const double *restrict points, const double *restrict centres, int64_t n, int64_t k, int64_t d) {
    double cost = 0.0;
    for (int64_t i = 0; i < n; i++) {
        double nearest = INFINITY;
        for (int64_t c = 0; c < k; c++) {
            double distance = 0.0;
            for (int64_t j = 0; j < d; j++) {
                double difference = points[i * d + j] - centres[c * d + j];
                distance += difference * difference;
            }
            nearest = distance < nearest ? distance : nearest;
        }
        cost += nearest;
    }
    return cost;
}
