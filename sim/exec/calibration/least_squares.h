#pragma once
// Nonlinear least squares: the x within its ranges that makes the sum of squares of residuals(x)
// least. Levenberg (1944), Marquardt (1963): from x go to x + d,
//   (J'J + lambda diag(J'J)) d = -J'r
// with numeric differences for J; a step that makes the sum less is taken and divides lambda by
// ten, any other multiplies it by ten. A coordinate at the end of its range that would leave it
// stays there for the step. Few coordinates, dense matrices. It finds the minimum whose slope the
// start is on: whoever fears others begins at several. Same input, same bits.

#include <functional>
#include <optional>
#include <vector>

namespace syncsim {

using Vector = std::vector<double>;
using Columns = std::vector<Vector>;  // a matrix, column by column

struct Coordinate {
  double least = 0;
  double most = 0;
  double difference = 1e-3;  // the step of numeric differences; below 0: towards less
};

using Residuals = std::function<Vector(const Vector& x)>;

struct Minimum {
  Vector at;
  double sum = 0;  // of squares
};

// `start` is brought into the ranges first.
Minimum minimise(const Residuals& residuals, Vector start, const std::vector<Coordinate>& space);

// One column a coordinate; `here` is residuals(at). A difference that would leave the range is
// taken the other way.
Columns slopes(const Residuals& residuals, const Vector& at, const Vector& here,
               const std::vector<Coordinate>& space);

double dot(const Vector& a, const Vector& b);

// The diagonal of the inverse of J'J; nothing where that is singular.
std::optional<Vector> inverse_diagonal(const Columns& jacobian);

}  // namespace syncsim
