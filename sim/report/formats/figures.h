#pragma once
// How figures stand in tables and in JSON.

#include <string>

namespace syncsim::figures {

std::string rate(double bytes_per_second);  // "16.00 GB/s"
std::string percent(double fraction);       // "12.5 %"
// "15.0000 ms"; "never" where there is no end.
std::string duration(double seconds);
// Twelve digits of GB/s.
double gigabytes(double bytes_per_second);

}  // namespace syncsim::figures
