// <testsuites> of a <testsuite> a file and a <testcase> a claim, with <failure> or <skipped>: the
// elements and attributes that Jenkins' xUnit schema (junit-10.xsd) and GitLab, Azure and GitHub
// reporters share. Times of day and durations are left out: the same claims give the same text.

#include <pugixml.hpp>
#include <sstream>

#include "sim/base/quote.h"
#include "sim/scenario/verdicts/verdicts.h"

namespace syncsim {
namespace {

// XML has no words for most control characters.
std::string xml_text(const std::string& text) { return printable(text); }

void attribute(pugi::xml_node node, const char* name, const std::string& value) {
  node.append_attribute(name) = xml_text(value).c_str();
}

// "scenarios.claims.ring_scaling": CI servers group by what stands before the last dot.
std::string class_name(const std::string& file) {
  std::string name = file.ends_with(".json") ? file.substr(0, file.size() - 5) : file;
  for (char& c : name)
    if (c == '/') c = '.';
  return name;
}

std::string details(const Claim& claim) {
  std::string text;
  const std::string place = claim.file + ":" + claim.pointer;
  for (const std::string& line : {failure_text(claim), claim.note, claim.source, place})
    if (!line.empty()) text += xml_text(line) + "\n";
  return text;
}

void add_case(pugi::xml_node suite, const Claim& claim) {
  pugi::xml_node node = suite.append_child("testcase");
  attribute(node, "name", claim_title(claim));
  attribute(node, "classname", class_name(claim.file));
  if (!claim.decided) {
    node.append_child("skipped");
  } else if (!claim.passed) {
    pugi::xml_node failure = node.append_child("failure");
    attribute(failure, "message", failure_text(claim));
    attribute(failure, "type", "claim");
    failure.text().set(details(claim).c_str());
  }
}

void count(pugi::xml_node node, std::span<const Claim> claims) {
  const Tally tally(claims);
  node.append_attribute("tests") = static_cast<unsigned long long>(claims.size());
  node.append_attribute("failures") = static_cast<unsigned long long>(tally.failed);
  node.append_attribute("errors") = 0;
  if (tally.not_run > 0)
    node.append_attribute("skipped") = static_cast<unsigned long long>(tally.not_run);
}

}  // namespace

std::string claims_junit(std::span<const Claim> claims) {
  pugi::xml_document document;
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  declaration.append_attribute("version") = "1.0";
  declaration.append_attribute("encoding") = "UTF-8";
  pugi::xml_node suites = document.append_child("testsuites");
  suites.append_attribute("name") = "syncsim check";
  count(suites, claims);
  for (std::size_t begin = 0, end = 0; begin < claims.size(); begin = end) {
    while (end < claims.size() && claims[end].file == claims[begin].file) ++end;
    pugi::xml_node suite = suites.append_child("testsuite");
    attribute(suite, "name", claims[begin].file);
    const std::span<const Claim> own = claims.subspan(begin, end - begin);
    count(suite, own);
    for (const Claim& claim : own) add_case(suite, claim);
  }
  std::ostringstream text;
  document.save(text, "  ");
  return text.str();
}

}  // namespace syncsim
