// What XML must be before anything is read of it, and how warnings are told.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "sim/topology/import/xml_text.h"
#include "tests/support/refusal.h"

namespace syncsim::testing::xml_text_test {
namespace {

std::string refusal(const std::string& text) {
  return refusal_of([&] { const XmlText xml(text, "f.xml"); });
}

std::string nested(int depth) {
  std::string text;
  for (int i = 0; i < depth; ++i) text += "<a>";
  for (int i = 0; i < depth; ++i) text += "</a>";
  return text;
}

}  // namespace

TEST_CASE("well formed text is read, in UTF-8, with or without a byte order mark") {
  for (const char* text : {"<a/>", "\xEF\xBB\xBF<a/>", "<?xml version=\"1.0\"?><a/>",
                           "<a b=\"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\"/>"}) {
    const XmlText xml(text, "f.xml");
    CHECK(std::string_view(xml.top().first_child().name()) == "a");
  }
}

TEST_CASE("malformed text is refused at its place") {
  const std::string right = "; mend it there, or write the file anew";
  CHECK(refusal("") == "f.xml:1:1: malformed XML: there is no element" + right);
  CHECK(refusal("<a>\n<b></a>") ==
        "f.xml:2:6: malformed XML: an element is not closed by its own tag" + right);
  CHECK(refusal("<a b=c/>") ==
        "f.xml:1:6: malformed XML: an attribute is not written as name=\"value\"" + right);
  CHECK(refusal("<a>\n  <b").starts_with("f.xml:2:"));
  CHECK(refusal("<a><!-- ") == "f.xml:1:8: malformed XML: a comment is not closed" + right);
  CHECK(refusal("<?xml ") == "f.xml:1:6: malformed XML: a <? is not closed" + right);
  CHECK(refusal("<a><![CDATA[ ") ==
        "f.xml:1:13: malformed XML: a CDATA section is not closed" + right);
  CHECK(refusal("<a/><!DOCTYPE a [").find("a document type declaration is not closed") !=
        std::string::npos);
  CHECK(refusal("< >") == "f.xml:1:2: malformed XML: a tag is not written as <name ...>" + right);
}

TEST_CASE("a reader may allow other numbers of elements") {
  CHECK(refusal_of([] { const XmlText xml("<a><b/><b/></a>", "f.xml", {2}); }) ==
        "f.xml:1:8: there are more than 2 elements; import one machine at a time");
  CHECK(refusal_of([] { const XmlText xml("<a><b/><b/></a>", "f.xml", {3}); }) == "accepted");
}

TEST_CASE("zero bytes and bytes that are not UTF-8 are refused at their place") {
  CHECK(refusal(std::string("<a>\n\0</a>", 9)) ==
        "f.xml:2:1: a zero byte stands in the text; save the file as UTF-8");
  for (const char* bytes : {"\x80", "\xC0\x80", "\xC3", "\xE0\x80\x80", "\xED\xA0\x80", "\xE2\x82",
                            "\xF0\x80\x80\x80", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF"})
    CHECK(refusal(fmt::format("<a b=\"{}\"/>", bytes)) ==
          "f.xml:1:7: a byte is not UTF-8; save the file as UTF-8");
}

TEST_CASE("entities have no way in") {
  CHECK(refusal("<!DOCTYPE a [<!ENTITY x \"y\">]>\n<a b=\"&x;\"/>") ==
        "f.xml:1:11: there is a document type declaration; remove it: topology files have none, "
        "and no entities");
}

TEST_CASE("elements are at most 64 deep and 100000 many") {
  CHECK(refusal(nested(64)) == "accepted");
  CHECK(refusal(nested(65)) ==
        "f.xml:1:193: elements are nested deeper than 64; no PCI tree is that deep");
  CHECK(refusal(nested(100'000)).find("nested deeper than 64") != std::string::npos);
  std::string many = "<a>";
  for (int i = 1; i < kMostXmlElements; ++i) many += "<b/>";
  CHECK(refusal(many + "</a>") == "accepted");
  CHECK(refusal(many + "<c/></a>") ==
        fmt::format("f.xml:1:{}: there are more than 100000 elements; import one machine at a time",
                    many.size() + 1));
}

TEST_CASE("warnings stand in order of the text, each once, at most a hundred") {
  const XmlText xml("<a/>", "f.xml");
  XmlWarnings warnings;
  warnings.add(3, "later");
  warnings.add(1, "earlier");
  warnings.add(2, "later");
  CHECK(warnings.lines(xml) ==
        std::vector<std::string>{"f.xml:1:2: earlier", "f.xml:1:3: later (and 1 more like it)"});
  for (int i = 0; i < 150; ++i) warnings.add(3, fmt::format("number {}", i));
  const std::vector<std::string> lines = warnings.lines(xml);
  CHECK(lines.size() == 101);
  CHECK(lines.back() == "f.xml: and 52 more warnings");
}

}  // namespace syncsim::testing::xml_text_test
