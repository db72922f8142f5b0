#include "sim/scenario/library/expected_figures.h"

#include <doctest/doctest.h>

#include "sim/scenario/library/library_model.h"
#include "sim/scenario/setting.h"
#include "tests/support/refusal.h"

namespace syncsim::expected_figures_test {
namespace {

using testing::refusal_of;

const RunSettings kSettings{.shelf = SYNCSIM_SHELF};

FiguresQuery query_on(const std::string& machine) {
  FiguresQuery query;
  query.point.topology = machine;
  query.point.places = {{"topology", "TOPOLOGY"}, {"bytes", "--sizes"}, {"ranks", "--ranks"}};
  return query;
}

}  // namespace

TEST_CASE(
    "without more, figures are of four collectives from 1 KiB to 16 GiB, above their bounds") {
  const LibraryFigures figures = expected_figures(query_on("dgx_a100"), kSettings);
  CHECK(figures.topology == "dgx_a100");
  CHECK(figures.ranks == 8);
  CHECK(figures.notes.empty());
  REQUIRE(figures.collectives.size() == usual_collectives().size());
  for (std::size_t i = 0; i < usual_collectives().size(); ++i) {
    const CollectiveFigures& own = figures.collectives[i];
    CHECK(own.kind == usual_collectives()[i]);
    REQUIRE(own.sizes.size() == 13);
    CHECK(own.sizes.front().bytes == Bytes{1024});
    CHECK(own.sizes.back().bytes == Bytes{std::int64_t{1} << 34});
    for (const LibraryFigure& figure : own.sizes) {
      CAPTURE(figure.bytes.count);
      CHECK(figure.bound > 0);
      CHECK(figure.microseconds > figure.bound);
    }
  }
}

TEST_CASE("a figure is what the library's model says, with the edits, ranks and terms asked for") {
  FiguresQuery query = query_on("dgx_a100");
  query.point.ranks = {0, 1, 2, 3};
  query.point.edits = {parse_edit("scale kind:nvlink bandwidth 0.5")};
  query.collectives = {CollectiveKind::all_gather};
  query.sizes = {Bytes{1 << 28}, Bytes{1 << 20}};
  query.terms.pins.protocol = NcclProtocol::ll;
  const LibraryFigures figures = expected_figures(query, kSettings);
  CHECK(figures.ranks == 4);
  CHECK(figures.edits == std::vector<std::string>{"scale kind:nvlink bandwidth 0.5"});
  CHECK(figures.library.protocol == "ll");
  REQUIRE(figures.collectives.size() == 1);
  const std::vector<LibraryFigure>& sizes = figures.collectives[0].sizes;
  REQUIRE(sizes.size() == 2);

  query.point.collective = CollectiveKind::all_gather;
  const Setting setting = setting_of(query.point, kSettings);
  const LibraryModel model(setting.machine, setting.ranks, setting.collective, query.terms,
                           kSettings);
  for (const LibraryFigure& figure : sizes)
    CHECK(figure.microseconds == model.at(figure.bytes).microseconds);
  CHECK(sizes[0].bytes == Bytes{1 << 28});
  CHECK(sizes[1].bytes == Bytes{1 << 20});
}

TEST_CASE("figures refuse one rank, sizes that do not fit, barriers and machines without a model") {
  const auto refusal = [](const FiguresQuery& query) {
    return refusal_of([&] { expected_figures(query, kSettings); });
  };
  FiguresQuery alone = query_on("dgx_a100");
  alone.point.ranks = {3};
  CHECK(refusal(alone) == "--ranks: one rank has nobody to talk to; choose two or more");
  FiguresQuery sized = query_on("dgx_a100");
  sized.sizes = {Bytes{0}};
  CHECK(refusal(sized) == "--sizes: 0 B take no time; give sizes above 0");
  sized.sizes = {Bytes{1022}};
  CHECK(refusal(sized) ==
        "--sizes: 1022 B is no multiple of float32's 4 bytes; write 1020 B or 1 KiB");
  FiguresQuery barrier = query_on("dgx_a100");
  barrier.collectives = {CollectiveKind::barrier};
  CHECK(refusal(barrier) == "--collective: a barrier moves no bytes; choose another collective");
  CHECK(refusal(query_on("pcie_4gpu")).starts_with("TOPOLOGY: "));
}

}  // namespace syncsim::expected_figures_test
