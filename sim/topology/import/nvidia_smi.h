#pragma once
// `nvidia-smi topo -m`, as pasted. It names classes of ways, not rates; these come from a profile.
// From the classes:
//   PIX   both on one PCIe switch (plx0, ...)
//   PXB   their switches (one each, even for a lone device) hang on a common upper switch
//   PHB, NODE   one cpu, each switch or lone device at its own x16 root port
//   SYS   two cpus, joined by a socket link, as is every pair of cpus (a NUMA node is a cpu)
//   NV#   direct cables. Where they would be more than a gpu of the profile has, and each pair has
//         the fewer of what its two gpus have, the gpus hang on an NVSwitch (nvs0) instead.
// NVLink hides the PCIe class of two gpus. Their columns of nics and affinities then tell the cpu;
// where these do not either, the first cpu that no SYS excludes is taken, and a root port of its
// own for each gpu, with a warning. Every nic hangs on one network switch, net0, which
// has their ports' speed and stands for whatever is beyond: it passes nothing on.

#include <string>
#include <string_view>

#include "sim/topology/import/importer.h"

namespace syncsim {

bool looks_like_nvidia_smi(std::string_view text);
Imported read_nvidia_smi(std::string_view text, const std::string& file,
                         const ImportOptions& options);

}  // namespace syncsim
