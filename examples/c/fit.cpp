// The program of fit.c in C++; the kernel is linked as a shared library, and its failures become exceptions.
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <vector>

#include "tapeless_value_and_grad_loss.h"

namespace {

struct ValueAndGradient {
    double value;
    std::vector<double> gradient;
};

struct Data {
    std::vector<double> x, y;
    std::int64_t columns;
};

ValueAndGradient value_and_gradient(const std::vector<double> &w, const Data &data) {
    ValueAndGradient found{0.0, std::vector<double>(w.size())};
    tl_error error;
    const auto columns = data.columns, rows = static_cast<std::int64_t>(data.y.size());
    if (tapeless_value_and_grad_loss(w.data(), columns, data.x.data(), rows, columns, data.y.data(), rows, &found.value,
                                     found.gradient.data(), &error)) {
        const char *check = tapeless_value_and_grad_loss_check(&error);
        throw std::runtime_error(check ? check : "the kernel failed");
    }
    return found;
}

// Numbers between -1 and 1, the same on every machine.
double pseudo_random() {
    static std::uint64_t state = 1;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return static_cast<double>(state >> 11) / 4503599627370496.0 - 1.0;
}

Data made_data(const std::vector<double> &truth, int rows) {
    Data data{{}, {}, static_cast<std::int64_t>(truth.size())};
    for (int i = 0; i < rows; i++) {
        double product = 0.0;
        for (const double factor : truth) {
            data.x.push_back(pseudo_random());
            product += factor * data.x.back();
        }
        data.y.push_back(product > 0.0 ? 1.0 : -1.0);
    }
    return data;
}

}  // namespace

int main() {
    const Data data = made_data({2.0, -1.0, 0.5}, 200);
    std::vector<double> w(3);
    for (int step = 0; step <= 300; step++) {
        const auto [value, gradient] = value_and_gradient(w, data);
        if (step % 100 == 0) std::printf("step %3d  loss %.9f\n", step, value);
        for (std::size_t j = 0; j < w.size(); j++) w[j] -= gradient[j];
    }
    std::printf("weights %.6f %.6f %.6f\n", w[0], w[1], w[2]);
}
