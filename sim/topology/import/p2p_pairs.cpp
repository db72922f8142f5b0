#include "sim/topology/import/p2p_pairs.h"

namespace syncsim {
namespace {

bool staged(const P2pSections& sections, P2pPair pair) {
  return sections.connectivity && sections.connectivity->at(pair.from, pair.to).value == 0;
}

const P2pTable* or_null(const std::optional<P2pTable>& table) { return table ? &*table : nullptr; }

}  // namespace

P2pFigure one_way_figure(const P2pSections& sections, P2pPair pair) {
  const bool without = staged(sections, pair);
  if (without && sections.one_way_off) return {&*sections.one_way_off};
  if (sections.one_way_on) return {&*sections.one_way_on};
  if (sections.reads) return {&*sections.reads};
  if (without && sections.both_ways_off) return {&*sections.both_ways_off, 0.5};
  if (sections.both_ways_on) return {&*sections.both_ways_on, 0.5};
  return {};
}

const P2pTable* both_ways_table(const P2pSections& sections, P2pPair pair) {
  return or_null(staged(sections, pair) ? sections.both_ways_off : sections.both_ways_on);
}

const P2pTable* latency_table(const P2pSections& sections, P2pPair pair) {
  if (staged(sections, pair) && sections.latency_off) return &*sections.latency_off;
  return or_null(sections.latency_on);
}

}  // namespace syncsim
