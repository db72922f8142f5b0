#include <hwloc.h>

#include <memory>

#include "sim/base/error.h"
#include "sim/topology/import/hwloc.h"

namespace syncsim {
namespace {

struct Destroy {
  void operator()(hwloc_topology_t topology) const { hwloc_topology_destroy(topology); }
};

InputError unreadable() {
  return {"hwloc cannot read this host", "write a topology file, or import one from elsewhere"};
}

// These ask drivers and display servers, which print and take long; PCI says
// what is needed.
void leave_out_drivers(hwloc_topology_t topology) {
  for (const char* component : {"opencl", "gl"})
    hwloc_topology_set_components(topology, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, component);
}

}  // namespace

std::string host_hwloc_xml() {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) throw unreadable();
  const std::unique_ptr<hwloc_topology, Destroy> topology(raw);
  leave_out_drivers(raw);
  if (hwloc_topology_set_io_types_filter(raw, HWLOC_TYPE_FILTER_KEEP_ALL) != 0 ||
      hwloc_topology_load(raw) != 0)
    throw unreadable();
  char* buffer = nullptr;
  int length = 0;  // with the zero at the end
  if (hwloc_topology_export_xmlbuffer(raw, &buffer, &length, 0) != 0 || length < 1)
    throw unreadable();
  std::string text(buffer, static_cast<std::size_t>(length) - 1);
  hwloc_free_xmlbuffer(raw, buffer);
  return text;
}

}  // namespace syncsim
