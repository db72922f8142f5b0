#pragma once
// The names of links (rule 3 of topology.h): "a>b", or "a>b@nvlink" where a and b are joined by
// several kinds of cable, or where the link was given that name.

#include <cstdint>
#include <string>

#include "sim/topology/topology.h"

namespace syncsim {

enum class NameForm : std::uint8_t { plain, with_kind };

NameForm name_form(const Link& link);  // of a link that has a name
// Of a link between nodes that are there.
std::string link_name(const Topology::Parts& parts, const Link& link, NameForm form);

// Names the links that have no name yet. Throws InputError for names that are not their link's,
// that two links have, or that differ in form from that of the way back.
void name_links(Topology::Parts& parts);

}  // namespace syncsim
