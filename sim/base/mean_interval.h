#pragma once
// How far the true mean may be from that of a sample: t s / sqrt(n), t the quantile of Student's
// distribution with n - 1 degrees of freedom.

namespace syncsim {

// The quantile, 0 < probability < 1.
double student_quantile(double probability, double degrees_of_freedom);

// Half of the 95 % interval of the mean of `count` values, two or more, of that standard deviation.
double half_of_95_percent(double deviation, double count);

}  // namespace syncsim
