#pragma once
// XML that others wrote, checked before anything is read of it: UTF-8 without zero bytes, well
// formed, without a document type declaration (so without entities), with few enough elements,
// nested at most kDeepestXml deep. Everything else is an InputError with its place. And
// the warnings about such a text, which say the same thing once, however often it occurs.

#include <cstddef>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sim/base/error.h"

namespace syncsim {

inline constexpr int kMostXmlElements = 100'000;
inline constexpr int kDeepestXml = 64;

// What is read, for the advice that errors give.
struct XmlSubject {
  int most_elements = kMostXmlElements;
  std::string_view files = "topology files";
  std::string_view fewer = "import one machine at a time";
  std::string_view flatter = "no PCI tree is that deep";
};

class XmlText {
 public:
  // `file` is for places only. The text must outlive this.
  XmlText(std::string_view text, std::string file, const XmlSubject& subject = {});

  pugi::xml_node top() const { return document_; }  // the parent of the root
  const std::string& file() const { return file_; }
  std::string place(std::size_t offset) const;  // "topo.xml:12:3"
  InputError error(pugi::xml_node at, std::string wrong, std::string right) const;

 private:
  std::string_view text_;
  std::string file_;
  pugi::xml_document document_;
};

// Where an element's "<" stands in the text, or the first letter of other things.
std::size_t offset_of(pugi::xml_node node);

// An element beside the root, of which a document has one; null where there is none.
pugi::xml_node beside_root(pugi::xml_node root);

class XmlWarnings {
 public:
  void add(std::size_t offset, std::string text);
  void add_beside(pugi::xml_node root);  // where a second one stands
  // "topo.xml:12:3: link_width is 0; took x16 (and 7 more like it)", in order of the text, at most
  // a hundred.
  std::vector<std::string> lines(const XmlText& xml) const;

 private:
  struct Entry {
    std::size_t offset;
    std::string text;
    int more;
  };
  std::vector<Entry> entries_;
  std::unordered_map<std::string, std::size_t> known_;  // text -> its entry
};

}  // namespace syncsim
