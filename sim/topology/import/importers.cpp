// The visible list of importers: one row each.

#include "sim/topology/import/importer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/topology/import/hwloc.h"
#include "sim/topology/import/nccl_xml.h"
#include "sim/topology/import/nvidia_smi.h"
#include "sim/topology/import/p2p_matrix.h"

namespace syncsim {

const NamedTable<Importer>& importers() {
  static const NamedTable<Importer> table(
      "import format",
      {
          {"hwloc", "XML of hwloc's lstopo; the file name hwloc is this host", looks_like_hwloc_xml,
           read_hwloc_xml},
          {"nccl_xml", "NCCL or RCCL topology XML, as NCCL_TOPO_DUMP_FILE writes it",
           looks_like_nccl_xml, read_nccl_xml},
          {"nvidia_smi", "matrix of `nvidia-smi topo -m`: ways between gpus and nics, by class",
           looks_like_nvidia_smi, read_nvidia_smi},
          {"p2p", "output of p2pBandwidthLatencyTest, whose figures are fitted onto a machine",
           looks_like_p2p_matrix, read_p2p_matrix, true},
      });
  return table;
}

void refuse_unreadable(std::string_view text) {
  for (const std::string_view mark : {"\xff\xfe", "\xfe\xff"})
    if (text.starts_with(mark))
      throw InputError("is UTF-16, as PowerShell's > writes it", "save it as UTF-8");
  constexpr std::string_view kUtf8Mark = "\xef\xbb\xbf";
  if (text.starts_with(kUtf8Mark)) text.remove_prefix(kUtf8Mark.size());
  if (text.find_first_not_of(" \t\r\n\v\f") == text.npos)
    throw InputError("is empty", "give it what another tool says of the machine");
}

const Importer& importer_for(std::string_view text, const std::string& format) {
  refuse_unreadable(text);
  if (!format.empty()) return importers().at(format);
  for (const Importer& importer : importers().rows())
    if (importer.recognises(text)) return importer;
  throw InputError(
      "is in no format that can be imported",
      fmt::format("say which with --format: {}", fmt::join(importers().names(), ", ")));
}

}  // namespace syncsim
