#pragma once
// Text for people, within a page's width.

#include <cstddef>
#include <string>
#include <string_view>

namespace syncsim {

inline constexpr std::size_t kPageWidth = 100;  // characters

// Lines that are longer are broken at blanks, long lists at commas. The rest stands below, two
// characters further in; the blanks and '>' that the line begins with stand there, too. Any other
// word stays whole, however long: it may be a path.
std::string within_page(std::string_view text);

}  // namespace syncsim
