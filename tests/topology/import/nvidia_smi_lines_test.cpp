// Matrices as people paste them: wrapped, behind prefixes, in Markdown.

#include <doctest/doctest.h>

#include <functional>
#include <string>

#include "tests/support/same_machine.h"
#include "tests/topology/import/matrix_support.h"

namespace syncsim::nvidia_smi_lines_test {
namespace {

const std::string kMatrix =
    "        GPU0    GPU1    GPU2    NIC0    NIC1    NIC10   CPU Affinity    NUMA Affinity\n"
    "GPU0     X      NV12    SYS     PIX     NODE    SYS     0-15,32-47      0\n"
    "GPU1    NV12     X      SYS     NODE    PIX     SYS     0-15,32-47      0\n"
    "GPU2    SYS     SYS      X      SYS     SYS     PXB     16-31,48-63     1\n"
    "NIC0    PIX     NODE    SYS      X      NODE    SYS\n"
    "NIC1    NODE    PIX     SYS     NODE     X      SYS\n"
    "NIC10   SYS     SYS     PXB     SYS     SYS      X\n"
    "\n"
    "Legend:\n"
    "\n"
    "  X    = Self\n"
    "\n"
    "NIC Legend:\n"
    "\n"
    "  NIC0: mlx5_0\n";

Topology::Parts read(const std::string& text) {
  return testing::import_matrix("nvidia_smi", text, "ampere").machine.parts();
}

std::string each_line(const std::string& text,
                      const std::function<std::string(const std::string&)>& change) {
  std::string result;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    result += change(text.substr(begin, end - begin)) + "\n";
    begin = end + 1;
  }
  return result;
}

std::string prefixed(const std::string& prefix) {
  return each_line(kMatrix, [&](const std::string& line) { return prefix + line; });
}

enum class Ends { kept, trimmed };

// As a terminal of so many columns writes it.
std::string wrapped(std::size_t width, Ends ends) {
  return each_line(kMatrix, [&](const std::string& line) {
    std::string result;
    for (std::size_t at = 0; at == 0 || at < line.size(); at += width) {
      std::string part = line.substr(at, width);
      if (ends == Ends::trimmed) part.erase(part.find_last_not_of(' ') + 1);
      result += (at == 0 ? "" : "\n") + part;
    }
    return result;
  });
}

void check_same(const std::string& text) {
  CAPTURE(text);
  CHECK(importer_for(text, "").name == "nvidia_smi");
  CHECK(testing::difference(Topology(read(text)), Topology(read(kMatrix))) == "");
}

}  // namespace

TEST_CASE("a terminal may wrap the lines at any column, in words too") {
  for (std::size_t width = 20; width < 100; ++width)
    for (const Ends ends : {Ends::kept, Ends::trimmed}) check_same(wrapped(width, ends));
}

TEST_CASE("log collectors may write before every line") {
  for (const std::string prefix :
       {"[pod/trainer-0/main] ", "2024-05-01T12:00:00.000Z ", "trainer-0 main ", "svc_1  | ",
        "0: ", "May  1 12:00:00 host1 kubelet[123]: ", "[1,0]<stdout>:", "trainer-0:", "> "})
    check_same(prefixed(prefix));
}

TEST_CASE("a matrix may be a table or code in Markdown") {
  check_same("```\n" + kMatrix + "```\n");
  check_same("Here it is: `nvidia-smi topo -m`\n\n~~~console\n" + kMatrix + "~~~\n");
  check_same(
      "| | GPU0 | GPU1 | GPU2 | NIC0 | NIC1 | NIC10 | CPU Affinity | NUMA Affinity |\n"
      "|---|---|---|---|---|---|---|---|---|\n"
      "| GPU0 | X | NV12 | SYS | PIX | NODE | SYS | 0-15,32-47 | 0 |\n"
      "| GPU1 | NV12 | X | SYS | NODE | PIX | SYS | 0-15,32-47 | 0 |\n"
      "| GPU2 | SYS | SYS | X | SYS | SYS | PXB | 16-31,48-63 | 1 |\n"
      "| NIC0 | PIX | NODE | SYS | X | NODE | SYS | | |\n"
      "| NIC1 | NODE | PIX | SYS | NODE | X | SYS | | |\n"
      "| NIC10 | SYS | SYS | PXB | SYS | SYS | X | | |\n\nNIC0: mlx5_0\n");
}

TEST_CASE("places in wrapped text and behind prefixes are those of the text") {
  const auto refusal = [](const std::string& text) {
    return testing::refusal_of([&] { read(text); });
  };
  CHECK(refusal("GPU0 GPU1\nGPU0 X\nPIX\nGPU1\tSIX X\n") ==
        R"(t.txt:4:6: unknown class "SIX"; did you mean "PIX"?)");
  CHECK(refusal("GPU0 GPU1 GPU2\nGPU0 X P\nIX NOTE\n") ==
        R"(t.txt:3:4: unknown class "NOTE"; did you mean "NODE"?)");
  CHECK(refusal("a: GPU0 GPU1\na: GPU0 X PIX\na: GPU1 PIX\n") ==
        "t.txt:3:12: row GPU1 has 1 cells for 2 columns; give every row a cell for each column");
}

}  // namespace syncsim::nvidia_smi_lines_test
