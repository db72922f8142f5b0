#include "sim/base/mean_interval.h"

#include <boost/math/distributions/students_t.hpp>
#include <cmath>

namespace syncsim {

double student_quantile(double probability, double degrees_of_freedom) {
  // No long double, which differs from machine to machine.
  using Policy = boost::math::policies::policy<boost::math::policies::promote_double<false>>;
  const boost::math::students_t_distribution<double, Policy> student(degrees_of_freedom);
  return boost::math::quantile(student, probability);
}

double half_of_95_percent(double deviation, double count) {
  return student_quantile(0.975, count - 1) * deviation / std::sqrt(count);
}

}  // namespace syncsim
