#pragma once
// log and exp by additions, multiplications and divisions alone, which IEEE 754 defines to the bit:
// those of the C library may differ in the last place from one machine to the next. Within two
// units in the last place of the true value.

namespace syncsim {

// Of a finite number above 0: log x = e log 2 + 2 artanh((m - 1) / (m + 1)) with x = m 2^e, m
// between sqrt(1/2) and sqrt(2).
double portable_log(double x);

// For |x| up to 700: 2^k times the Taylor series of what is left of x, at most log(2) / 2.
double portable_exp(double x);

}  // namespace syncsim
