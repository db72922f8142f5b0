#pragma once
// The rings that the ring strategy runs on: found in the machine, or written by the user.

#include <string>
#include <string_view>
#include <vector>

#include "sim/schedule/strategy.h"
#include "sim/topology/embedding.h"

namespace syncsim::strategy {

// "0,3,2,1 x2; 0,1,3,2": rank orders, each with an optional multiplicity, and with nics as in
// ring_text.h. Throws InputError unless every order names each of the `ranks` ranks once, and for
// more than 1,024 rings.
std::vector<Ring> parse_rings(std::string_view text, int ranks);

// Tells the builder by which nics each ring leaves and enters, ring i on channel i. Throws
// InputError for numbers of nics that the ranks' boxes have not.
void give_nics(const std::vector<Ring>& rings, const StrategyInput& input,
               ScheduleBuilder& builder);

// By the parameters `rings` and `directions`: with "both", every ring is followed by its reverse.
std::vector<Ring> chosen_rings(const StrategyInput& input);

// The order that a parameter gives, or for "auto" that of the first ring found in the machine,
// begun at `first`.
std::vector<int> chosen_path(const StrategyInput& input, std::string_view parameter, int first);

// "rings: 0,3,2,1 x2; 0,1,3,2", for people; long ones are counted instead. Says when neighbours are
// not all joined directly.
std::string description(const std::vector<Ring>& rings, const StrategyInput& input);

}  // namespace syncsim::strategy
