/* log(sum(exp(row))) of every row of a matrix, shifted by the row's maximum. */
#include <math.h>
#include <stdint.h>

void logsumexp(const double *restrict x, double *restrict out, int64_t rows, int64_t columns) {
    for (int64_t i = 0; i < rows; i++) {
        const double *row = x + i * columns;
        double largest = row[0];
        for (int64_t j = 1; j < columns; j++)
            largest = row[j] > largest ? row[j] : largest;
        double total = 0.0;
        for (int64_t j = 0; j < columns; j++)
            total += exp(row[j] - largest);
        out[i] = largest + log(total);
    }
}
