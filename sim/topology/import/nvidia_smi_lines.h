#pragma once
// The lines of `nvidia-smi topo -m` out of what people paste:
// 1. What stands before every line is passed over: the words that log collectors put there (names
//    of pods, times), as many as before the header and before the first row of a gpu, or a text
//    that is glued to the rows ("[1,0]<stdout>:GPU0 X ...").
// 2. Lines that a narrow terminal has wrapped go on: a header up to its first row, a row up to its
//    last cell and affinity. A word that is cut in two is one again where its parts are no words.

#include <string_view>

#include "sim/topology/import/pasted_text.h"

namespace syncsim {

PastedText smi_lines(std::string_view text);

// Whether a header and a row follow each other behind what rule 1 passes over.
bool has_smi_prefix(std::string_view text);

}  // namespace syncsim
