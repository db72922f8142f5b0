#include "sim/report/page.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/base/error.h"
#include "sim/report/formats.h"
#include "sim/report/page/page_json.h"

namespace syncsim {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kPlace = "@SYNCSIM_DATA@";
constexpr std::size_t kMostPageLinks = 1'000;
constexpr std::size_t kMostCriticalOps = 1'000;
constexpr std::size_t kMostFlowsShown = 4;  // of a link

// In a script element only "</script" and "<!--" mean something, and both begin with '<', which
// JSON has in strings alone.
std::string without_elements(std::string_view json) {
  std::string text;
  for (const char c : json)
    if (c == '<')
      text += "\\u003c";
    else
      text += c;
  return text;
}

template <class List>
void cut(List& list, std::size_t most) {
  if (list.size() > most) list.resize(most);
}

Json shortened_json(const Report& report) {
  std::vector<const LinkReport*> links = busiest_links(report);
  const std::size_t in_use = links.size();
  cut(links, kMostPageLinks);
  Report shown = report;
  shown.links.clear();
  for (const LinkReport* link : links) shown.links.push_back(*link);
  cut(shown.critical_path, kMostCriticalOps);
  for (LinkReport& link : shown.links) cut(link.flows, kMostFlowsShown);
  Json json = report_json(shown, {.links = true});
  json["strategy_text"] = report.facts.strategy_text();
  json["links_in_use"] = in_use;
  json["critical_ops"] = report.critical_path.size();
  for (std::size_t i = 0; i < links.size(); ++i) {
    json["links"][i]["transfers"] = links[i]->transfers();
    json["links"][i]["pairs"] = links[i]->flows.size();
  }
  return json;
}

std::string point_text(const Report& report, const PagePoint& point) {
  return "{\"report\":" + one_line_of(shortened_json(report)) + ",\"picture\":" + point.picture +
         ",\"timeline\":" + point.timeline + "}";
}

Json row_json(const Report& report) {
  Json json = {{"strategy", report.facts.strategy_text()},
               {"bytes", report.facts.collective.bytes.count},
               {"time_ps", report.time.ps},
               {"algbw_Bps", report.algbw},
               {"busbw_Bps", report.busbw},
               {"bound_ps", report.bound.seconds * 1e12},
               {"efficiency", report.efficiency},
               {"busiest", ""},
               {"busiest_utilization", 0}};
  if (const LinkReport* link = report.busiest_link()) {
    json["busiest"] = link->label();
    json["busiest_utilization"] = link->utilization;
  }
  return json;
}

std::string data_text(const Page& page) {
  Json rows = Json::array();
  for (const Report& report : page.reports) rows.push_back(row_json(report));
  for (const Report& report : page.others) rows.push_back(row_json(report));
  Json left_out = Json::array();
  for (const LeftOut& each : page.left_out)
    left_out.push_back({{"strategy", each.strategy}, {"why", each.why}});
  const Json head = {{"ramp", ramp_json()},
                     {"comparison", std::move(rows)},
                     {"left_out", std::move(left_out)},
                     {"note", page.others_note}};
  std::string text = one_line_of(head);
  text.back() = ',';
  text += "\"points\":[";
  for (std::size_t i = 0; i < page.points.size(); ++i)
    text += (i > 0 ? "," : "") + point_text(page.reports[i], page.points[i]);
  return text + "]}";
}

}  // namespace

std::string one_line_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::vector<const LinkReport*> busiest_links(const Report& report) {
  std::vector<const LinkReport*> links;
  for (const LinkReport& link : report.links)
    if (link.bytes > 0) links.push_back(&link);
  std::stable_sort(links.begin(), links.end(), [](const LinkReport* a, const LinkReport* b) {
    return a->utilization > b->utilization;
  });
  return links;
}

std::string page_text(const Page& page, std::string_view html) {
  const std::size_t place = html.find(kPlace);
  if (place == html.npos)
    throw InputError("the page's template has no place for data", "build syncsim again");
  std::string text(html.substr(0, place));
  text += without_elements(data_text(page));
  return text.append(html.substr(place + kPlace.size()));
}

}  // namespace syncsim
