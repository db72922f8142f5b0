#include "sim/topology/import/nccl_xml.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/topology/import/nccl_system.h"
#include "sim/topology/import/xml_text.h"

namespace syncsim {
namespace {

// The name of the first element, past a byte order mark, declarations and comments; empty when
// other text stands there.
std::string_view first_element(std::string_view text) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  if (text.starts_with(kMark)) text.remove_prefix(kMark.size());
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    if (!text.starts_with('<')) return {};
    const bool is_comment = text.starts_with("<!--");
    if (!is_comment && !text.starts_with("<?") && !text.starts_with("<!"))
      return text.substr(1, text.find_first_of(" \t\r\n/>") - 1);
    const bool has_subset = text.substr(0, text.find('>')).find('[') != text.npos;
    const std::string_view end = is_comment ? "-->" : has_subset ? "]>" : ">";
    const std::size_t at = text.find(end);
    if (at == text.npos) return {};
    text.remove_prefix(at + end.size());
  }
}

}  // namespace

bool looks_like_nccl_xml(std::string_view text) {
  const std::string_view root = first_element(text);
  return root == "system" || root == "graphs" || root == "cpu" || root == "pci";
}

Imported read_nccl_xml(std::string_view text, const std::string& file,
                       const ImportOptions& options) {
  if (text.size() > static_cast<std::size_t>(kMostImportBytes))
    throw InputError(fmt::format("the text has {} bytes", text.size()),
                     fmt::format("write at most {}", kMostImportBytes), file);
  const XmlText xml(text, file);
  XmlWarnings warnings;
  const NcclReading reading{xml, options, warnings};
  NcclSystem system = read_nccl_system(reading);
  tidy_nccl_system(reading, system);
  Topology::Parts parts = nccl_machine(reading, system);
  return {std::move(parts), warnings.lines(xml)};
}

}  // namespace syncsim
