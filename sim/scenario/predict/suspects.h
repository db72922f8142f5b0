#pragma once
// Why a collective may take longer than the model says, or less: one visible list. A suspect is
// either a change, of the machine or of how the library runs on it, in one or more variants that
// are tried; or a figure fitted to the rows themselves, for what the model has no term for.

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
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
  LibraryTerms terms;                // with what was assumed filled in
  std::string busiest;               // the link that binds large sizes; may be empty
  std::span<const Edit> edits = {};  // that were made on it
};

struct Variant {
  std::string what;  // "half the NICs missing"
  std::vector<Edit> edits = {};
  LibraryTerms terms = {};
  std::string again = {};  // options that say it to the program; empty: there are none
  std::optional<std::size_t> without = {};  // of the scene's edits, which is not made
};

// Rows of one range, by size; in us.
struct FitRow {
  Bytes bytes;
  double measured = 0;
  double predicted = 0;
  bool disturbed = false;
};
struct Fitted {
  std::string what;           // "+12.5 us a call"
  std::vector<double> times;  // us, of the rows
};

// What a suspect does to times, where that is known beforehand.
enum class Effect : std::uint8_t { either, slower, faster };

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
  // Of a fitted one: whether it can be there. Null: always.
  bool (*applies)(const Scene& scene) = nullptr;
  Effect effect = Effect::either;
};
const NamedTable<Suspect>& suspects();

// Of the figures that make one row exact, which is `figure_of`, the best for all of them, with the
// `time_of` each row; nothing where none is positive.
std::optional<std::pair<double, std::vector<double>>> best_figure(
    std::span<const FitRow> rows, const std::function<double(const FitRow&)>& figure_of,
    const std::function<double(const FitRow&, double)>& time_of);

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
// faster_suspects.cpp
std::vector<Variant> edit_wrong(const Scene& scene);
std::vector<Variant> faster_links(const Scene& scene);
std::vector<Variant> rdma(const Scene& scene);
std::optional<Fitted> less_latency(std::span<const FitRow> rows, SizeClass size, double busbw);
std::optional<Fitted> faster_rate(std::span<const FitRow> rows, SizeClass size, double busbw);
// software_suspects.cpp
std::vector<Variant> other_launch(const Scene& scene);
std::vector<Variant> sockets(const Scene& scene);
std::vector<Variant> nvls_off(const Scene& scene);
std::vector<Variant> protocol_pinned(const Scene& scene);
std::vector<Variant> few_channels(const Scene& scene);
bool spans_boxes(const Scene& scene);
// Whether several processes of several gpus each have to start together.
bool skews(const Scene& scene);
bool does_not_skew(const Scene& scene);
// fitted_suspects.cpp
std::optional<Fitted> extra_latency(std::span<const FitRow> rows, SizeClass size, double busbw);
std::optional<Fitted> launch_skew(std::span<const FitRow> rows, SizeClass size, double busbw);
std::optional<Fitted> rate_cap(std::span<const FitRow> rows, SizeClass size, double busbw);
std::optional<Fitted> disturbed(std::span<const FitRow> rows, SizeClass size, double busbw);

}  // namespace syncsim
