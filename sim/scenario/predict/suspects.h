#pragma once
// Why a collective may take longer than the model says: one visible list. A suspect is either a
// change, of the machine or of how the library runs on it, in one or more variants that are tried;
// or a figure fitted to the rows themselves, for what the model has no term for.

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/named_table.h"
#include "sim/report/prediction.h"
#include "sim/scenario/library/library_model.h"
#include "sim/topology/edits.h"

namespace syncsim {

// What was measured on.
struct Scene {
  const Topology& machine;
  std::span<const NodeId> ranks;
  LibraryTerms terms;   // with what was assumed filled in
  std::string busiest;  // the link that binds large sizes; may be empty
};

struct Variant {
  std::string what;  // "half the NICs missing"
  std::vector<Edit> edits = {};
  LibraryTerms terms = {};
  std::string again = {};  // options that say it to the program; empty: there are none
};

// Rows of one range, by size; in us.
struct FitRow {
  Bytes bytes;
  double measured = 0;
  double predicted = 0;
};
struct Fitted {
  std::string what;           // "+12.5 us a call"
  std::vector<double> times;  // us, of the rows
};

struct Suspect {
  std::string_view name;
  std::string_view description;
  std::string_view check;  // where people would see it
  Cause cause = Cause::machine;
  // Those that the machine and the terms allow; not whether they make a difference. Of a fitted
  // one null.
  std::vector<Variant> (*variants)(const Scene& scene) = nullptr;
  // `busbw`: bus bandwidth over bytes a second. Nothing for sizes that it does not bear on. Of the
  // others null.
  std::optional<Fitted> (*fit)(std::span<const FitRow> rows, SizeClass size,
                               double busbw) = nullptr;
};
const NamedTable<Suspect>& suspects();

// Mean |ln(measured / time)| of rows.
double log_error(std::span<const FitRow> rows, std::span<const double> times);

// --- The functions of the list, by file.

// machine_suspects.cpp
std::vector<Variant> slow_link(const Scene& scene);
std::vector<Variant> slow_links(const Scene& scene);
std::vector<Variant> nics_missing(const Scene& scene);
std::vector<Variant> rail_lost(const Scene& scene);
std::vector<Variant> p2p_off(const Scene& scene);
std::vector<Variant> acs_on(const Scene& scene);
std::vector<Variant> gdr_off(const Scene& scene);
std::vector<Variant> nvlink_off(const Scene& scene);
// software_suspects.cpp
std::vector<Variant> other_launch(const Scene& scene);
std::vector<Variant> sockets(const Scene& scene);
std::vector<Variant> nvls_off(const Scene& scene);
std::vector<Variant> protocol_pinned(const Scene& scene);
std::vector<Variant> few_channels(const Scene& scene);
// fitted_suspects.cpp
std::optional<Fitted> extra_latency(std::span<const FitRow> rows, SizeClass size, double busbw);
std::optional<Fitted> rate_cap(std::span<const FitRow> rows, SizeClass size, double busbw);
std::optional<Fitted> disturbed(std::span<const FitRow> rows, SizeClass size, double busbw);

}  // namespace syncsim
