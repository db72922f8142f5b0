#pragma once
// Links whose bandwidth changes while a run goes on. An event is a time and an edit of bandwidths
// (edits.h: the same targets and patterns), as text (--event) or JSON (scenarios):
//   "at 2 ms link:gpu0-switch0 bandwidth=8 GB/s"
//                            {"at": "2 ms", "link": "gpu0-switch0", "bandwidth": "8 GB/s"}
//   "at 2 ms kind:nvlink bandwidth=0 GB/s"
//                            {"at": "2 ms", "kind": "nvlink", "bandwidth": "0 GB/s"}
//   "at 2 ms scale link:gpu0-* bandwidth 0.5"
//                            {"at": "2 ms", "scale": "link:gpu0-*", "bandwidth": 0.5}
// From its time on a link has the bandwidth that the edit gives it on the machine as it was before
// all events: factors do not pile up, and 1 brings back what was. At 0 what is on its way waits.
// Of one time a link has one event. Latencies do not change.
//
// The machine that a run starts with has the bandwidths of time 0, where they are above 0; so an
// event at time 0 is the edit.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/json_reader.h"
#include "sim/base/memory.h"
#include "sim/topology/edits.h"
#include "sim/topology/topology.h"

namespace syncsim {

struct LinkEvent {
  Time at;
  LinkEdit edit;
  std::string text;   // as written, or the JSON form written as text; shown in reports
  std::string place;  // where it was written, for errors; may be empty
};

LinkEvent parse_link_event(std::string_view text);  // throws InputError without a place
LinkEvent read_link_event(const JsonReader& json);  // text or object; knows its place

// What an event does to one link.
struct LinkChange {
  Time at;
  LinkId link = 0;
  Bandwidth bandwidth;  // line rate, from then on
  Bandwidth usable;
  std::string place;  // of the event

  Bandwidth rate(Rates rates) const { return rates == Rates::line ? bandwidth : usable; }
};

struct EventfulMachine {
  Topology start;
  std::vector<LinkChange> changes;  // by time and link, those of time 0 too
};

// Needs `memory` for what changes and for the reports of it. Throws InputError at the event's place
// when there is less, for a target that matches nothing, a second event of the same link and time,
// one direction of a half-duplex cable, and a bandwidth other than 0 that no edit could set.
EventfulMachine with_events(Topology machine, std::span<const LinkEvent> events,
                            const MemoryLimit& memory = {});

}  // namespace syncsim
