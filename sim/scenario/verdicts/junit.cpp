// <testsuites> of a <testsuite> a file and a <testcase> a claim, with <failure> or <skipped>, or
// one with an <error> for a file that was refused: the elements and attributes that Jenkins' xUnit
// schema (junit-10.xsd) and GitLab, Azure and GitHub reporters share. Times of day and durations
// are left out: the same claims give the same text. Servers tell cases apart by class and name.

#include <fmt/format.h>

#include <pugixml.hpp>
#include <set>
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
  for (const std::string& line : {failure_text(claim), claim.note, claim.source, place_of(claim)})
    if (!line.empty()) text += xml_text(line) + "\n";
  return text;
}

// Titles, those that stand there before with a number: "latency", "latency #2".
class CaseNames {
 public:
  std::string next(const std::string& title) {
    std::string name = title;
    for (std::size_t number = 2; !taken_.insert(name).second; ++number)
      name = fmt::format("{} #{}", title, number);
    return name;
  }

 private:
  std::set<std::string> taken_;
};

pugi::xml_node add_case(pugi::xml_node suite, const std::string& name, const std::string& file) {
  pugi::xml_node node = suite.append_child("testcase");
  attribute(node, "name", name);
  attribute(node, "classname", class_name(file));
  return node;
}

void add_problem(pugi::xml_node node, const char* kind, const char* type,
                 const std::string& message, const std::string& text) {
  pugi::xml_node problem = node.append_child(kind);
  attribute(problem, "message", message);
  attribute(problem, "type", type);
  problem.text().set(text.c_str());
}

void add_claim(pugi::xml_node suite, const Claim& claim, CaseNames& names) {
  pugi::xml_node node = add_case(suite, names.next(claim_title(claim)), claim.file);
  if (!claim.decided)
    node.append_child("skipped");
  else if (!claim.passed)
    add_problem(node, "failure", "claim", failure_text(claim), details(claim));
}

void count(pugi::xml_node node, Verdicts verdicts) {
  using Count = unsigned long long;
  const Tally tally(verdicts);
  node.append_attribute("tests") = static_cast<Count>(tally.claims() + tally.refused);
  node.append_attribute("failures") = static_cast<Count>(tally.failed);
  node.append_attribute("errors") = static_cast<Count>(tally.refused);
}

void add_suite(pugi::xml_node suites, const FileVerdict& verdict) {
  pugi::xml_node suite = suites.append_child("testsuite");
  attribute(suite, "name", verdict.file);
  count(suite, {&verdict, 1});
  const Tally tally({&verdict, 1});
  if (tally.not_run > 0)  // the schema has it here alone
    suite.append_attribute("skipped") = static_cast<unsigned long long>(tally.not_run);
  CaseNames names;
  for (const Claim& claim : verdict.claims) add_claim(suite, claim, names);
  if (verdict.refusal)
    add_problem(add_case(suite, verdict.file, verdict.file), "error", "refused",
                verdict.refusal->error, xml_text(verdict.refusal->text()) + "\n");
}

}  // namespace

std::string claims_junit(Verdicts verdicts) {
  pugi::xml_document document;
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  declaration.append_attribute("version") = "1.0";
  declaration.append_attribute("encoding") = "UTF-8";
  pugi::xml_node suites = document.append_child("testsuites");
  suites.append_attribute("name") = "syncsim check";
  count(suites, verdicts);
  for (const FileVerdict& verdict : verdicts) add_suite(suites, verdict);
  std::ostringstream text;
  document.save(text, "  ");
  return text.str();
}

}  // namespace syncsim
