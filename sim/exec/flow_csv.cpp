#include "sim/exec/flow_csv.h"

#include <fmt/format.h>

#include <iterator>
#include <string>
#include <string_view>

namespace syncsim {
namespace {

using Text = fmt::memory_buffer;

void append(Text& line, std::string_view text) { line.append(text); }

void append_number(Text& line, std::int64_t number) {
  fmt::format_to(std::back_inserter(line), "{},", number);
}

// Exact: whole picoseconds have twelve decimals.
void append_seconds(Text& line, Time time) {
  constexpr std::int64_t kSecond = 1'000'000'000'000;
  fmt::format_to(std::back_inserter(line), "{}.{:012},", time.ps / kSecond, time.ps % kSecond);
}

// A node's id, in quotes where a CSV field needs them.
void append_node(Text& line, const std::string& id) {
  if (id.find_first_of("\",#") == id.npos) {
    append(line, id);
  } else {
    line.push_back('"');
    for (const char c : id)
      append(line, c == '"' ? std::string_view("\"\"") : std::string_view(&c, 1));
    line.push_back('"');
  }
  line.push_back(',');
}

void append_flow(Text& line, const Flow& flow, const Topology& topology) {
  append_seconds(line, flow.start);
  append_node(line, topology.nodes()[flow.source].id);
  append_node(line, topology.nodes()[flow.destination].id);
  append_number(line, flow.bytes.count);
  append_node(line, flow.via ? topology.nodes()[*flow.via].id : "");
  fmt::format_to(std::back_inserter(line), "{},", flow.weight);
}

}  // namespace

void write_flows(std::ostream& out, const Traffic& traffic, const Replay& replay,
                 const Topology& topology) {
  out << "index,start,source,destination,bytes,via,weight,finish,fct,finish_ps,fct_ps\n";
  Text line;
  for (std::size_t i = 0; i < traffic.flows.size(); ++i) {
    if (!replay.has(i)) continue;
    const Flow& flow = traffic.flows[i];
    const Time finish = replay.finishes[i];
    const Time fct = finish - flow.start;
    line.clear();
    append_number(line, static_cast<std::int64_t>(i));
    append_flow(line, flow, topology);
    append_seconds(line, finish);
    append_seconds(line, fct);
    append_number(line, finish.ps);
    fmt::format_to(std::back_inserter(line), "{}\n", fct.ps);
    out.write(line.data(), static_cast<std::streamsize>(line.size()));
  }
}

}  // namespace syncsim
