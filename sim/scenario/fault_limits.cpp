#include "sim/scenario/fault_limits.h"

#include <fmt/format.h>

#include "sim/scenario/store_servers.h"

namespace syncsim {

Fault::Kind kind_lost(const FaultField& faults) {
  if (faults.fault) return faults.fault->kind;
  return faults.recovery == Recovery::replicate ? Fault::Kind::server : Fault::Kind::rank;
}

void require_steps_alike(const Point& point) {
  const Training& training = *point.training;
  const char* const asked = training.faults.fault ? "fault" : "mtbf";
  if (training.store && training.store->options.staleness != 0)
    throw InputError("faults of workers that run apart are not simulated",
                     "leave out the store's \"staleness\", or \"" + std::string(asked) + "\"",
                     point.place(asked));
  const auto refuse = [&](const std::string& field) {
    throw InputError("steps around a fault are all alike",
                     fmt::format("leave out one of \"{}\" and \"{}\"", field, asked),
                     point.place(field));
  };
  if (!training.jitter.empty()) refuse("jitter");
  if (!training.pauses.empty()) refuse("pauses");
  if (training.faults.fault && !point.events.empty())
    throw InputError("events change links beside the fault", "leave out one of the two",
                     point.place("events"));
}

void require_recovery(const Point& point, const Setting& setting) {
  const FaultField& faults = point.training->faults;
  const Fault::Kind kind = kind_lost(faults);
  const bool has_store = has_servers(*point.training);
  const bool server = kind == Fault::Kind::server;
  const auto refuse = [&](const std::string& wrong, const std::string& right) {
    throw InputError(wrong, right, point.place("recovery"));
  };
  switch (faults.recovery) {
    case Recovery::none:
    case Recovery::restore:
      return;
    case Recovery::reroute:
      if (!faults.fault) refuse("\"reroute\" needs a link", "name one that fails, as \"fault\"");
      if (kind != Fault::Kind::link)
        refuse("\"reroute\" is of lost links", "choose one of none, restore, shrink");
      return;
    case Recovery::shrink:
      if (kind == Fault::Kind::link)
        refuse("\"shrink\" is of lost ranks and servers", "choose one of none, reroute, restore");
      if (server && !has_store)
        refuse("\"shrink\" knows the servers of a store alone", "add \"store\", or restore");
      if (faults.fault && !server && faults.fault->rank == 0 && setting.ranks.size() == 1)
        refuse("no rank is left without rank 0", "choose one of none, restore, or take more ranks");
      return;
    case Recovery::replicate:
      if (!server || !has_store)
        refuse("\"replicate\" is of lost servers of a store", "choose one of none, restore");
  }
}

}  // namespace syncsim
