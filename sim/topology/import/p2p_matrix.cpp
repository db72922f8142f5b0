#include "sim/topology/import/p2p_matrix.h"

#include "sim/base/error.h"
#include "sim/topology/import/p2p_matrix_fit.h"

namespace syncsim {

bool looks_like_p2p_matrix(std::string_view text) {
  constexpr std::size_t kSignsWithin = 1 << 20;
  const std::string_view start = text.substr(0, kSignsWithin);
  for (const std::string_view sign : {"P2P Connectivity Matrix", "P2P=Disabled", "P2P=Enabled"})
    if (start.find(sign) != start.npos) return true;
  return false;
}

Imported read_p2p_matrix(std::string_view text, const std::string& file,
                         const ImportOptions& options) {
  const P2pSections sections = read_p2p_sections(text, file);
  if (!options.onto)
    throw InputError("a p2p matrix needs a machine", "name one with --onto MACHINE", file);
  Imported imported;
  imported.warnings = sections.warnings;
  imported.parts = fit_p2p(sections, *options.onto, imported.warnings);
  return imported;
}

}  // namespace syncsim
