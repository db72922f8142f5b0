#include "sim/exec/calibration/least_squares.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace syncsim {
namespace {

constexpr int kMostDescents = 60;
constexpr int kMostTries = 16;  // of lambda, for one step
constexpr double kFirstLambda = 1e-3;
constexpr double kLeastLambda = 1e-12;
constexpr double kLeastStep = 1e-11;
constexpr double kLeastGain = 1e-13;  // of the sum

using Rows = std::vector<Vector>;

Rows normal_matrix(const Columns& jacobian) {
  Rows normal(jacobian.size(), Vector(jacobian.size()));
  for (std::size_t i = 0; i < jacobian.size(); ++i)
    for (std::size_t j = 0; j < jacobian.size(); ++j) normal[i][j] = dot(jacobian[i], jacobian[j]);
  return normal;
}

// Gauss with row pivots; nothing for a singular matrix.
std::optional<Vector> solved(Rows matrix, Vector right) {
  const std::size_t size = right.size();
  for (std::size_t column = 0; column < size; ++column) {
    std::size_t pivot = column;
    for (std::size_t row = column; row < size; ++row)
      if (std::abs(matrix[row][column]) > std::abs(matrix[pivot][column])) pivot = row;
    if (matrix[pivot][column] == 0) return std::nullopt;
    std::swap(matrix[pivot], matrix[column]);
    std::swap(right[pivot], right[column]);
    for (std::size_t row = column + 1; row < size; ++row) {
      const double part = matrix[row][column] / matrix[column][column];
      for (std::size_t k = column; k < size; ++k) matrix[row][k] -= part * matrix[column][k];
      right[row] -= part * right[column];
    }
  }
  for (std::size_t row = size; row-- > 0;) {
    for (std::size_t k = row + 1; k < size; ++k) right[row] -= matrix[row][k] * right[k];
    right[row] /= matrix[row][row];
  }
  return right;
}

double inside(double value, const Coordinate& range) {
  return std::clamp(value, range.least, range.most);
}

class Descent {
 public:
  Descent(const Residuals& residuals, const std::vector<Coordinate>& space, Vector start)
      : residuals_(residuals), space_(space), at_(std::move(start)) {
    for (std::size_t i = 0; i < at_.size(); ++i) at_[i] = inside(at_[i], space_[i]);
    here_ = residuals_(at_);
  }

  Minimum minimum() {
    for (int step = 0; step < kMostDescents && go_on(); ++step) {
    }
    return {std::move(at_), dot(here_, here_)};
  }

 private:
  // Whether there was a step that is worth a next one.
  bool go_on() {
    const Columns jacobian = slopes(residuals_, at_, here_, space_);
    const Rows normal = normal_matrix(jacobian);
    Vector downhill;
    for (const Vector& column : jacobian) downhill.push_back(-dot(column, here_));
    for (int tried = 0; tried < kMostTries; ++tried) {
      const auto next = stepped(normal, downhill);
      if (next && take(*next)) return worth_going_on_;
      lambda_ *= 10;
    }
    return false;
  }

  bool is_stuck(std::size_t i, const Vector& downhill) const {
    return (at_[i] <= space_[i].least && downhill[i] <= 0) ||
           (at_[i] >= space_[i].most && downhill[i] >= 0);
  }

  std::optional<Vector> stepped(Rows matrix, Vector right) const {
    for (std::size_t i = 0; i < right.size(); ++i) {
      matrix[i][i] *= 1 + lambda_;
      if (!is_stuck(i, right) && matrix[i][i] > 0) continue;
      for (std::size_t k = 0; k < right.size(); ++k) matrix[i][k] = matrix[k][i] = 0;
      matrix[i][i] = 1;
      right[i] = 0;
    }
    auto step = solved(std::move(matrix), std::move(right));
    for (std::size_t i = 0; step && i < step->size(); ++i)
      (*step)[i] = inside(at_[i] + (*step)[i], space_[i]);
    return step;
  }

  bool take(const Vector& next) {
    Vector there = residuals_(next);
    const double before = dot(here_, here_);
    const double after = dot(there, there);
    if (!(after < before)) return false;
    double longest = 0;
    for (std::size_t i = 0; i < next.size(); ++i)
      longest = std::max(longest, std::abs(next[i] - at_[i]));
    worth_going_on_ = longest > kLeastStep && before - after > kLeastGain * before;
    at_ = next;
    here_ = std::move(there);
    lambda_ = std::max(lambda_ / 10, kLeastLambda);
    return true;
  }

  const Residuals& residuals_;
  const std::vector<Coordinate>& space_;
  Vector at_;
  Vector here_;
  double lambda_ = kFirstLambda;
  bool worth_going_on_ = true;
};

}  // namespace

double dot(const Vector& a, const Vector& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

Columns slopes(const Residuals& residuals, const Vector& at, const Vector& here,
               const std::vector<Coordinate>& space) {
  Columns columns;
  for (std::size_t i = 0; i < at.size(); ++i) {
    Vector beside = at;
    double difference = space[i].difference;
    if (at[i] + difference < space[i].least || at[i] + difference > space[i].most)
      difference = -difference;
    beside[i] += difference;
    Vector column = residuals(beside);
    for (std::size_t k = 0; k < column.size(); ++k)
      column[k] = (column[k] - here[k]) / (beside[i] - at[i]);
    columns.push_back(std::move(column));
  }
  return columns;
}

std::optional<Vector> inverse_diagonal(const Columns& jacobian) {
  const Rows normal = normal_matrix(jacobian);
  Vector diagonal;
  for (std::size_t i = 0; i < jacobian.size(); ++i) {
    Vector unit(jacobian.size());
    unit[i] = 1;
    const auto column = solved(normal, std::move(unit));
    if (!column || !std::isfinite((*column)[i]) || (*column)[i] < 0) return std::nullopt;
    diagonal.push_back((*column)[i]);
  }
  return diagonal;
}

Minimum minimise(const Residuals& residuals, Vector start, const std::vector<Coordinate>& space) {
  return Descent(residuals, space, std::move(start)).minimum();
}

}  // namespace syncsim
