/* Fits a logistic regression by gradient descent; value and gradient come from a saved kernel, linked as an object. */
#include <stdio.h>
#include <stdlib.h>

#include "tapeless_value_and_grad_loss.h"

enum { ROWS = 200, COLUMNS = 3, STEPS = 300 };

/* Numbers between -1 and 1, the same on every machine. */
static double pseudo_random(void) {
    static uint64_t state = 1;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(state >> 11) / 4503599627370496.0 - 1.0;
}

static void stop(const tl_error *error) {
    const char *check = tapeless_value_and_grad_loss_check(error);
    fprintf(stderr, "the kernel failed (kind %d): %s\n", (int)error->kind, check ? check : "no check of it");
    exit(1);
}

int main(void) {
    const double truth[COLUMNS] = {2.0, -1.0, 0.5};
    double x[ROWS][COLUMNS], y[ROWS], w[COLUMNS] = {0}, gradient[COLUMNS], value = 0.0;
    tl_error error;
    for (int i = 0; i < ROWS; i++) {
        double product = 0.0;
        for (int j = 0; j < COLUMNS; j++) product += truth[j] * (x[i][j] = pseudo_random());
        y[i] = product > 0.0 ? 1.0 : -1.0;
    }
    for (int step = 0; step <= STEPS; step++) {
        if (tapeless_value_and_grad_loss(w, COLUMNS, &x[0][0], ROWS, COLUMNS, y, ROWS, &value, gradient, &error))
            stop(&error);
        if (step % 100 == 0) printf("step %3d  loss %.9f\n", step, value);
        for (int j = 0; j < COLUMNS; j++) w[j] -= gradient[j];
    }
    printf("weights %.6f %.6f %.6f\n", w[0], w[1], w[2]);
    return 0;
}
