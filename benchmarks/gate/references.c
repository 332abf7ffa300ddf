/* Fixed work that the times of the gate are told in: each is bound by another part of a processor. */
#include <stdint.h>

/* Arithmetic on many numbers at once. */
double polynomials(const double *x, int64_t n) {
  double sum = 0.0;
  for (int64_t i = 0; i < n; i++) {
    double value = 1.0;
    for (int k = 0; k < 12; k++)
      value = value * x[i] + 0.5;
    sum += value;
  }
  return sum;
}

/* Loads and stores of neighbours. */
double stream(const double *x, double *y, int64_t n) {
  for (int64_t i = 0; i < n; i++)
    y[i] = 0.5 * y[i] + x[i];
  return y[0];
}

/* One number after the other: latency. */
double recurrence(double start, int64_t n) {
  double value = start;
  for (int64_t i = 0; i < n; i++)
    value = 3.5 * value * (1.0 - value);
  return value;
}

/* Places that data names. */
double scatter(const int64_t *keys, const double *x, double *bins, int64_t n) {
  for (int64_t i = 0; i < n; i++)
    bins[keys[i]] = 0.5 * bins[keys[i]] + x[keys[n - 1 - i]];
  return bins[0];
}

/* Branches that data decides. */
double insertions(const double *x, double *sorted, int64_t n) {
  for (int64_t i = 0; i < n; i++) {
    int64_t place = i;
    for (; place > 0 && sorted[place - 1] > x[i]; place--)
      sorted[place] = sorted[place - 1];
    sorted[place] = x[i];
  }
  return sorted[0];
}
