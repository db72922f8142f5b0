#pragma once
// A published table of one collective on one machine: the JSON form of nccl-tests' figures, and
// what is known of where they come from (README, "Validation").

#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/json_reader.h"
#include "sim/scenario/library/library_words.h"
#include "sim/scenario/point.h"

namespace syncsim {

struct PublishedRow {
  Bytes bytes;              // nccl-tests' size
  double microseconds = 0;  // out of place
};

struct PublishedTable {
  std::string name;     // the file's, without directory and ".json"
  std::string machine;  // in words
  Point point;          // topology, edits, ranks, collective and datatype; the first row's bytes
  LibraryTerms
      terms;  // "library", "version", "launch", "network", "channels", "protocol", "algorithm"
  std::string source;
  std::string care;  // why it is to be treated with care; empty: it is not
  std::string notes;
  std::vector<PublishedRow> rows;  // at least one, sizes ascending
  std::string place;               // of the table, for errors
};

// What such a file says beside its rows; it need not say anything. Throws InputError with its
// place.
PublishedTable read_table_facts(const JsonReader& json);
// A whole one, with rows. Throws InputError with its place.
PublishedTable read_published_table(const JsonReader& json, std::string name);
// Of a file, or of all *.json in a directory, by name.
std::vector<PublishedTable> load_published_tables(const std::string& path);

}  // namespace syncsim
