/* Fixed work with vectors as wide as the machine's registers, for code that uses these: neighbours of a machine and the
 * clock of wide vectors slow it down as much as what is measured beside it, and code without vectors not at all.
 *
 * VECTOR_BYTES is the width. Lengths are multiples of four vectors; each function does its work `times` times. */
#include <stdint.h>

enum { LANES = VECTOR_BYTES / 8 };
typedef double numbers __attribute__((vector_size(VECTOR_BYTES), aligned(8)));
typedef int64_t bits __attribute__((vector_size(VECTOR_BYTES), aligned(8)));
#define AT(array, place) (*(numbers *)((array) + (place)))
/* What was computed counts as used, so that the next time is not left out. */
#define DONE __asm__ volatile("" ::: "memory")

static double sum_of(numbers x) {
  double sum = 0.0;
  for (int k = 0; k < LANES; k++)
    sum += x[k];
  return sum;
}

/* Products and sums, four vectors at once. */
double vector_polynomials(const double *x, int64_t n, int64_t times) {
  numbers sum = {0};
  for (int64_t t = 0; t < times; t++) {
    for (int64_t i = 0; i < n; i += 4 * LANES) {
      numbers a = AT(x, i), b = AT(x, i + LANES), c = AT(x, i + 2 * LANES), d = AT(x, i + 3 * LANES);
      numbers p = a, q = b, r = c, s = d;
      for (int k = 0; k < 12; k++) {
        p = p * a + 0.5;
        q = q * b + 0.5;
        r = r * c + 0.5;
        s = s * d + 0.5;
      }
      sum += (p + q) + (r + s);
    }
    DONE;
  }
  return sum_of(sum);
}

/* The steps of exp: rounding, a polynomial, an exponent put in by integers, a choice. */
static numbers power(numbers x) {
  const double rounding = 6755399441055744.0;
  numbers moved = x * 1.4426950408889634 + rounding;
  numbers rest = x - (moved - rounding) * 0.6931471805599453;
  numbers p = rest * 2.8e-7 + 2.8e-6;
  p = p * rest + 2.5e-5;
  p = p * rest + 2.0e-4;
  p = p * rest + 1.4e-3;
  p = p * rest + 8.3e-3;
  p = p * rest + 4.2e-2;
  p = p * rest + 1.7e-1;
  p = p * rest + 0.5;
  p = p * rest + 1.0;
  p = p * rest + 1.0;
  bits is_large = (bits)(x > -700.0);
  return (numbers)(((bits)p + ((bits)moved << 52)) & is_large);
}

double vector_powers(const double *x, double *y, int64_t n, int64_t times) {
  for (int64_t t = 0; t < times; t++) {
    for (int64_t i = 0; i < n; i += 2 * LANES) {
      numbers a = AT(x, i), b = AT(x, i + LANES);
      AT(y, i) = power(a);
      AT(y, i + LANES) = power(b);
    }
    DONE;
  }
  return y[0];
}

/* Loads and stores of neighbours, two of three loads across the borders of vectors. */
double vector_differences(const double *x, double *y, int64_t n, int64_t times) {
  for (int64_t t = 0; t < times; t++) {
    for (int64_t i = 0; i < n; i += LANES)
      AT(y, i) = AT(x, i + 1) + 0.2 * (AT(x, i + 2) - 2.0 * AT(x, i + 1) + AT(x, i));
    DONE;
  }
  return y[0];
}

/* Loads and stores, and little arithmetic. */
double vector_stream(const double *x, const double *y, double *z, int64_t n, int64_t times) {
  for (int64_t t = 0; t < times; t++) {
    for (int64_t i = 0; i < n; i += LANES)
      AT(z, i) = 0.5 * AT(x, i) + AT(y, i);
    DONE;
  }
  return z[0];
}

/* Loads alone. */
double vector_sum(const double *x, int64_t n, int64_t times) {
  numbers p = {0}, q = {0}, r = {0}, s = {0};
  for (int64_t t = 0; t < times; t++) {
    for (int64_t i = 0; i < n; i += 4 * LANES) {
      p += AT(x, i);
      q += AT(x, i + LANES);
      r += AT(x, i + 2 * LANES);
      s += AT(x, i + 3 * LANES);
    }
    DONE;
  }
  return sum_of((p + q) + (r + s));
}

/* States of a loop over time, each made of the one before, all kept; then read from the last to the first. */
double vector_steps(double *states, double *y, int64_t n, int64_t steps, int64_t times) {
  for (int64_t t = 0; t < times; t++) {
    for (int64_t s = 0; s < steps; s++) {
      double *x = states + s * n;
      for (int64_t i = 0; i + 2 * LANES <= n; i += LANES)
        AT(x, n + i + 1) = AT(x, i + 1) + 0.2 * (AT(x, i + 2) - 2.0 * AT(x, i + 1) + AT(x, i));
    }
    for (int64_t s = steps; s > 0; s--) {
      const double *x = states + s * n;
      for (int64_t i = 0; i + 2 * LANES <= n; i += LANES)
        AT(y, i) = 0.5 * AT(y, i) + AT(x, i) * AT(x, i + 1);
    }
    DONE;
  }
  return y[0];
}
