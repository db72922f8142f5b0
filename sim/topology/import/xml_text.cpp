#include "sim/topology/import/xml_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/base/json_complaint.h"
#include "sim/base/quote.h"

namespace syncsim {
namespace {

constexpr std::size_t kMostWarnings = 100;

// Of the UTF-8 character that begins with `lead`, 0 when none does. The forms that could also be
// written shorter, surrogates and what is beyond Unicode are told by the second byte.
std::size_t character_length(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead < 0xC2 || lead > 0xF4) return 0;
  return lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}

bool follows(unsigned char lead, unsigned char second) {
  const unsigned char least = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const unsigned char most = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  return second >= least && second <= most;
}

// The offset of the first byte that is not UTF-8; npos when all are.
std::size_t first_foreign_byte(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = character_length(byte(i));
    if (length == 0 || i + length > text.size()) return i;
    if (length > 1 && !follows(byte(i), byte(i + 1))) return i;
    for (std::size_t k = 2; k < length; ++k)
      if ((byte(i + k) & 0xC0) != 0x80) return i;
    i += length;
  }
  return std::string_view::npos;
}

std::string_view complaint(pugi::xml_parse_status status) {
  switch (status) {
    case pugi::status_bad_pi:
      return "a <? is not closed";
    case pugi::status_bad_comment:
      return "a comment is not closed";
    case pugi::status_bad_cdata:
      return "a CDATA section is not closed";
    case pugi::status_bad_doctype:
      return "a document type declaration is not closed";
    case pugi::status_bad_attribute:
      return "an attribute is not written as name=\"value\"";
    case pugi::status_bad_start_element:
    case pugi::status_unrecognized_tag:
      return "a tag is not written as <name ...>";
    case pugi::status_end_element_mismatch:
    case pugi::status_bad_end_element:
      return "an element is not closed by its own tag";
    case pugi::status_no_document_element:
      return "there is no element";
    default:
      return "it cannot be read";
  }
}

// Counts elements, and finds the first thing that is too much.
class Limits : public pugi::xml_tree_walker {
 public:
  Limits(const XmlText& xml, const XmlSubject& subject) : xml_(xml), subject_(subject) {}

  bool for_each(pugi::xml_node& node) override {
    if (node.type() == pugi::node_doctype)
      throw xml_.error(node, "there is a document type declaration",
                       fmt::format("remove it: {} have none, and no entities", subject_.files));
    if (node.type() != pugi::node_element) return true;
    if (++elements_ > subject_.most_elements)
      throw xml_.error(node, fmt::format("there are more than {} elements", subject_.most_elements),
                       std::string(subject_.fewer));
    if (depth() >= kDeepestXml)
      throw xml_.error(node, fmt::format("elements are nested deeper than {}", kDeepestXml),
                       std::string(subject_.flatter));
    return true;
  }

 private:
  const XmlText& xml_;
  const XmlSubject& subject_;
  int elements_ = 0;
};

}  // namespace

XmlText::XmlText(std::string_view text, std::string file, const XmlSubject& subject)
    : text_(text), file_(std::move(file)) {
  if (const auto zero = text.find('\0'); zero != text.npos)
    throw InputError("a zero byte stands in the text", "save the file as UTF-8", place(zero));
  if (const auto foreign = first_foreign_byte(text); foreign != text.npos)
    throw InputError("a byte is not UTF-8", "save the file as UTF-8", place(foreign));
  const pugi::xml_parse_result result = document_.load_buffer(
      text.data(), text.size(), pugi::parse_default | pugi::parse_doctype, pugi::encoding_utf8);
  if (!result)
    throw InputError(fmt::format("malformed XML: {}", complaint(result.status)),
                     "mend it there, or write the file anew",
                     place(static_cast<std::size_t>(std::max<std::ptrdiff_t>(result.offset, 0))));
  Limits limits(*this, subject);
  document_.traverse(limits);
}

std::string XmlText::place(std::size_t offset) const {
  return line_and_column(text_, std::min(offset, text_.size()), file_);
}

InputError XmlText::error(pugi::xml_node at, std::string wrong, std::string right) const {
  return {std::move(wrong), std::move(right), place(offset_of(at))};
}

std::size_t offset_of(pugi::xml_node node) {
  const std::ptrdiff_t name = node.offset_debug();  // -1 for the document
  if (name <= 0) return 0;
  if (node.type() == pugi::node_element) return static_cast<std::size_t>(name - 1);
  const std::string_view text = node.value();
  return static_cast<std::size_t>(name) + std::min(text.find_first_not_of(" \t\r\n"), text.size());
}

pugi::xml_node beside_root(pugi::xml_node root) {
  return root.parent().find_child(
      [&](pugi::xml_node child) { return child.type() == pugi::node_element && child != root; });
}

void XmlWarnings::add(std::size_t offset, std::string text) {
  const auto [known, is_new] = known_.emplace(text, entries_.size());
  if (is_new) {
    entries_.push_back({offset, std::move(text), 0});
    return;
  }
  Entry& entry = entries_[known->second];
  entry.offset = std::min(entry.offset, offset);
  ++entry.more;
}

void XmlWarnings::add_beside(pugi::xml_node root) {
  if (const pugi::xml_node other = beside_root(root))
    add(offset_of(other),
        fmt::format("<{}> stands beside the root, <{}>; took that one alone",
                    one_line(std::string_view(other.name()).substr(0, 60)), root.name()));
}

std::vector<std::string> XmlWarnings::lines(const XmlText& xml) const {
  std::vector<Entry> sorted = entries_;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Entry& a, const Entry& b) { return a.offset < b.offset; });
  std::vector<std::string> result;
  for (const Entry& entry : sorted) {
    if (result.size() == kMostWarnings) {
      result.push_back(
          fmt::format("{}: and {} more warnings", xml.file(), sorted.size() - kMostWarnings));
      break;
    }
    std::string line = fmt::format("{}: {}", xml.place(entry.offset), entry.text);
    if (entry.more > 0) line += fmt::format(" (and {} more like it)", entry.more);
    result.push_back(std::move(line));
  }
  return result;
}

}  // namespace syncsim
