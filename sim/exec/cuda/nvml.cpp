#include "sim/exec/cuda/nvml.h"

#include <cstdio>
#include <utility>

#include "sim/exec/cuda/shared_library.h"

namespace syncsim {
namespace {

// From here on as in nvml.h.
constexpr int kSuccess = 0;
constexpr unsigned kMostLinks = 36;
constexpr int kMemoryClock = 2;
constexpr int kSwitch = 2;  // as a remote device's type
using Device = void*;
struct Pci {
  char legacy_id[16];
  unsigned domain;
  unsigned bus;
  unsigned device;
  unsigned id;
  unsigned subsystem;
  char bus_id[32];
};
using Act = int();
using HandleByPci = int(const char*, Device*);
using Figure = int(Device, unsigned*);
using Clock = int(Device, int, unsigned*);
using LinkFigure = int(Device, unsigned, unsigned*);
using LinkType = int(Device, unsigned, int*);
using LinkPci = int(Device, unsigned, Pci*);

class Nvml {
 public:
  explicit Nvml(const char* name) : library_(name) {
    auto* const begin = library_.function<Act>("nvmlInit_v2");
    is_ready_ = begin != nullptr && begin() == kSuccess;
  }
  ~Nvml() {
    auto* const end = library_.function<Act>("nvmlShutdown");
    if (is_ready_ && end != nullptr) end();
  }
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  bool is_ready() const { return is_ready_; }
  Device device(const std::string& pci) const {
    auto* const find = library_.function<HandleByPci>("nvmlDeviceGetHandleByPciBusId_v2");
    Device device = nullptr;
    return find != nullptr && find(pci.c_str(), &device) == kSuccess ? device : nullptr;
  }
  // What the function of that name says; nothing where it, or the device, does not know.
  template <class Function, class Value, class... Arguments>
  bool ask(const char* name, Value& value, Arguments... arguments) const {
    auto* const function = library_.function<Function>(name);
    return function != nullptr && function(arguments..., &value) == kSuccess;
  }

 private:
  SharedLibrary library_;
  bool is_ready_ = false;
};

int figure_of(const Nvml& nvml, Device device, const char* name) {
  unsigned value = 0;
  return nvml.ask<Figure>(name, value, device) ? static_cast<int>(value) : 0;
}

// "0000:3b:00.0" as NVML writes the remote end: domain, bus and device tell devices apart.
bool is_at(const CudaDevice& device, const Pci& pci) {
  unsigned domain = 0;
  unsigned bus = 0;
  unsigned slot = 0;
  return std::sscanf(device.pci.c_str(), "%x:%x:%x", &domain, &bus, &slot) == 3 &&
         domain == pci.domain && bus == pci.bus && slot == pci.device;
}

// Drivers from before remote types: what is no device of ours is a switch.
void count_link(const Nvml& nvml, Device handle, unsigned link, const CudaFacts& facts,
                CudaDevice& device) {
  unsigned up = 0;
  if (!nvml.ask<LinkFigure>("nvmlDeviceGetNvLinkState", up, handle, link) || up == 0) return;
  int type = -1;
  nvml.ask<LinkType>("nvmlDeviceGetNvLinkRemoteDeviceType", type, handle, link);
  Pci remote{};
  const bool known = nvml.ask<LinkPci>("nvmlDeviceGetNvLinkRemotePciInfo_v2", remote, handle, link);
  for (std::size_t other = 0; known && type != kSwitch && other < facts.devices.size(); ++other)
    if (is_at(facts.devices[other], remote)) {
      ++device.nvlinks[other];
      return;
    }
  if (type == kSwitch || (type == -1 && known)) ++device.switch_nvlinks;
}

void add_facts(const Nvml& nvml, const CudaFacts& facts, CudaDevice& device) {
  const Device handle = nvml.device(device.pci);
  if (handle == nullptr) return;
  device.pcie_generation = figure_of(nvml, handle, "nvmlDeviceGetMaxPcieLinkGeneration");
  device.pcie_lanes = figure_of(nvml, handle, "nvmlDeviceGetMaxPcieLinkWidth");
  device.nvlinks.assign(facts.devices.size(), 0);
  for (unsigned link = 0; link < kMostLinks; ++link) count_link(nvml, handle, link, facts, device);
  if (device.bandwidth.bytes_per_second > 0) return;
  unsigned megahertz = 0;
  const int width = figure_of(nvml, handle, "nvmlDeviceGetMemoryBusWidth");
  if (width > 0 && nvml.ask<Clock>("nvmlDeviceGetMaxClockInfo", megahertz, handle, kMemoryClock))
    device.bandwidth = memory_bandwidth(megahertz * 1e6, width);
}

}  // namespace

void add_nvml_facts(CudaFacts& facts, const char* library) {
  const Nvml nvml(library);
  if (!nvml.is_ready()) {
    facts.notes.push_back(std::string("NVML (") + library +
                          ") cannot be loaded: nothing is known of NVLinks and PCIe");
    return;
  }
  for (CudaDevice& device : facts.devices) add_facts(nvml, facts, device);
}

}  // namespace syncsim
