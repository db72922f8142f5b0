#pragma once
// A published table of one collective on one machine: the JSON form of nccl-tests' figures, and
// what is known of where they come from (README, "Validation").

#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/json_reader.h"
#include "sim/exec/nccl/nccl_formula.h"
#include "sim/scenario/point.h"
#include "sim/scenario/words.h"

namespace syncsim {

struct PublishedRow {
  Bytes bytes;              // nccl-tests' size
  double microseconds = 0;  // out of place
};

// How the ranks were started: it adds to every time.
enum class Launch : std::uint8_t { unknown, one_process, process_per_gpu, graph };
// What carries what goes from node to node.
enum class Network : std::uint8_t { none, infiniband, roce, slingshot, efa, tcpxo, tcp };

const Words<Launch>& launches();
const Words<Network>& networks();

struct PublishedTable {
  std::string name;     // the file's, without directory and ".json"
  std::string machine;  // in words
  Point point;          // topology, edits, ranks, collective and datatype; the first row's bytes
  std::string library;  // "nccl", "rccl"; empty: not said, as below
  std::string version;
  Launch launch = Launch::unknown;
  Network network = Network::none;
  NcclPins pins;  // "channels", "protocol"
  std::string source;
  std::string care;  // why it is to be treated with care; empty: it is not
  std::string notes;
  std::vector<PublishedRow> rows;  // at least one, sizes ascending
  std::string place;               // of the table, for errors
};

// Throws InputError with its place.
PublishedTable read_published_table(const JsonReader& json, std::string name);
// Of a file, or of all *.json in a directory, by name.
std::vector<PublishedTable> load_published_tables(const std::string& path);

}  // namespace syncsim
