// What is wrong with a matrix of `nvidia-smi topo -m`, and where.

#include <doctest/doctest.h>

#include "tests/topology/import/matrix_support.h"

namespace syncsim::nvidia_smi_refusal_test {
namespace {

std::string refusal(const std::string& text, const std::string& profile = "ampere") {
  return testing::refusal_of([&] { testing::import_matrix("nvidia_smi", text, profile); });
}

}  // namespace

TEST_CASE("a text without a matrix, or one that begins with a row, is refused") {
  const std::string none =
      "t.txt: holds no matrix of `nvidia-smi topo -m`; paste its lines, from the header (GPU0 GPU1 "
      "...) on";
  CHECK(refusal("") == none);
  CHECK(refusal("all pairs NV12\n") == none);
  CHECK(refusal("\nGPU0 X NV1\nGPU1 NV1 X\n") ==
        "t.txt:2:1: row GPU0 comes before any header; begin with the line that names the columns: "
        "GPU0 GPU1 ...");
  CHECK(refusal("GPU0 GPU1 X\n") ==
        "t.txt:1:11: the header holds the cell X; let a line of names come before the rows");
}

TEST_CASE("rows that are ragged, missing, doubled or strange are refused") {
  CHECK(refusal("GPU0 GPU1\nGPU0 X\nGPU1 PIX X\n") ==
        "t.txt:2:7: row GPU0 has 1 cells for 2 columns; give every row a cell for each column");
  CHECK(refusal("GPU0 GPU1 CPU Affinity\nGPU0 X 0-7\nGPU1 PIX X 0-7\n") ==
        "t.txt:2:8: row GPU0 has 1 cells for 2 columns; give every row a cell for each column");
  CHECK(refusal("GPU0 GPU1\nGPU0 X PIX PIX\nGPU1 PIX X\n") ==
        "t.txt:2:12: row GPU0 has more cells than the 2 columns of the header; give every row a "
        "cell for each column");
  CHECK(refusal("GPU0 GPU1\nGPU0 X PIX\n") ==
        "t.txt:1:1: there is no row GPU1; paste the whole matrix");
  CHECK(refusal("GPU0 GPU1\nGPU0 X PIX\nGPU0 X PIX\n") ==
        "t.txt:3:1: row GPU0 appears twice; give every device one");
  CHECK(refusal("GPU0 GPU1\nGPU0 X PIX\nGPU2 PIX X\n") ==
        "t.txt:3:1: row GPU2 is no column of the header; give rows and columns the same devices");
  CHECK(refusal("GPU0 GPU1 GPU0\n") ==
        "t.txt:1:11: column GPU0 appears twice; name every device once");
}

TEST_CASE("an unknown class is refused at its cell") {
  CHECK(refusal("GPU0 GPU1\nGPU0 X PIXX\nGPU1 PIX X\n") ==
        R"(t.txt:2:8: unknown class "PIXX"; did you mean "PIX"?)");
  for (const char* cell : {"NV", "NV#", "NV0", "NV1001", "NV99999999999", "NV-1", "NVx", "NV1x"})
    CHECK(refusal(std::string("GPU0 GPU1\nGPU0 X ") + cell + "\n") ==
          std::string("t.txt:2:8: unknown class \"") + cell +
              "\"; write a number of links, as in NV4");
  CHECK(refusal("\tGPU0\tGPU1\nGPU0\tX\tABC\n") ==
        R"(t.txt:2:8: unknown class "ABC"; choose one of X, NV#, PIX, PXB, PHB, NODE, SYS)");
}

TEST_CASE("bytes of a cell that are no UTF-8 are told as escapes, characters as they stand") {
  const auto told = [](const std::string& cell) {
    const std::string text = refusal("GPU0 GPU1\nGPU0 X " + cell + "\n");
    const std::size_t begin = text.find('"');
    return text.substr(begin + 1, text.find('"', begin + 1) - begin - 1);
  };
  CHECK(told("a\xff\xfe!") == R"(a\xff\xfe!)");
  CHECK(told("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80") == "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
  CHECK(told("\xc0\xaf") == R"(\xc0\xaf)");                  // overlong
  CHECK(told("\xe0\x80\xaf") == R"(\xe0\x80\xaf)");          // overlong
  CHECK(told("\xed\xa0\x80") == R"(\xed\xa0\x80)");          // a surrogate
  CHECK(told("\xf4\x90\x80\x80") == R"(\xf4\x90\x80\x80)");  // beyond the last character
  CHECK(told("a\xe2\x82") == R"(a\xe2\x82)");                // cut off
}

TEST_CASE("a column that begins as a gpu and has no number of one is no nic") {
  for (const char* name : {"GPU99999999999999", "GPU123456789", "GPU0a", "GPU-1f"})
    CHECK(refusal(std::string("GPU0 ") + name + "\nGPU0 X SYS\n") ==
          std::string("t.txt:1:6: column ") + name +
              " names no gpu; number the gpus, with at most 8 digits");
  CHECK(refusal("GPU99999999999999 GPU1\n") ==
        "t.txt:1:1: column GPU99999999999999 names no gpu; number the gpus, with at most 8 digits");
  CHECK(testing::import_matrix("nvidia_smi", "GPU99999999\nGPU99999999 X\n", "ampere")
            .machine.nodes()[0]
            .id == "gpu99999999");
}

TEST_CASE("a matrix of what P2P can do is told apart") {
  for (const char* cell : {"OK", "CNS", "GNS", "TNS", "NS", "DR", "U"})
    CHECK(refusal(std::string(" \tGPU0\tGPU1\t\n GPU0\tX\t") + cell + "\t\n") ==
          "t.txt:2:9: this is a matrix of `nvidia-smi topo -p2p`: which pairs have P2P, not how "
          "they are joined; paste that of `nvidia-smi topo -m`");
}

TEST_CASE("what rocm-smi writes is told apart, with its headings and without") {
  const std::string wrong =
      ": this is what `rocm-smi --showtopo` writes, which is not read; paste the matrix of "
      "`nvidia-smi topo -m`, or import the XML that RCCL dumps";
  const std::string weights = "       GPU0         GPU1\nGPU0   0            15\nGPU1   15     0\n";
  const std::string types = "       GPU0         GPU1\nGPU0   X     XGMI\nGPU1   XGMI         X\n";
  const std::string whole =
      "==== ROCm System Management Interface ====\n"
      "======== Weight between two GPUs ========\n" +
      weights;
  CHECK(importer_for(whole, "").name == "nvidia_smi");
  CHECK(refusal(whole) == "t.txt:2:1" + wrong);
  CHECK(refusal("== Hops between two GPUs ==\n" + weights) == "t.txt:1:1" + wrong);
  CHECK(refusal(weights) == "t.txt:2:8" + wrong);
  CHECK(refusal(types) == "t.txt:2:14" + wrong);
}

TEST_CASE("lines that go on after they are complete are refused where they do") {
  const std::string wrapped = ": lines are wrapped; paste it from a wider terminal";
  const std::string rows = "GPU0 X PIX\nSYS SYS 0-7\nGPU1 PIX X\nSYS SYS 0-7\n";
  CHECK(refusal("\tGPU0\tGPU1\n" + rows) == "t.txt:3:1" + wrapped);
  CHECK(refusal("\tGPU0\tGPU1\tCPU\nAffinity\tNUMA Affinity\n" + rows) == "t.txt:4:1" + wrapped);
  CHECK(
      refusal("\tGPU0\tGPU1\nGPU2\n" + rows) ==
      "t.txt:4:5: row GPU0 has more cells than the 3 columns of the header; give every row a cell "
      "for each column");
  CHECK(refusal("GPU0 GPU1 GPU2\nGPU0 X PIX\n  SYS 0-7\n") ==
        "t.txt:1:1: there is no row GPU1; paste the whole matrix");
  CHECK(refusal("GPU0 GPU1 GPU2\nGPU0 X\nPIX SIS\n") ==
        R"(t.txt:3:5: unknown class "SIS"; did you mean "SYS"?)");
}

TEST_CASE("notes between the lines and legends without their title are not taken for wrapped") {
  const auto [machine, warnings] =
      testing::import_matrix("nvidia_smi",
                             "GPU0 GPU1\nbox1 rack2 is ours\nsee below\nGPU0 X PIX\nGPU1 PIX "
                             "X\n\nX    = Self\nSYS  = far\n",
                             "ampere");
  CHECK(warnings.empty());
  CHECK(machine.ranks().size() == 2);
}

TEST_CASE("a matrix that contradicts itself is refused") {
  CHECK(refusal("GPU0 GPU1\nGPU0 X NV1\nGPU1 NV2 X\n") ==
        "t.txt:3:6: GPU1-GPU0 is NV2 and GPU0-GPU1 is NV1; write the same both ways");
  CHECK(refusal("GPU0 GPU1\nGPU0 X PIX\nGPU1 SYS X\n") ==
        "t.txt:3:6: GPU1-GPU0 is SYS and GPU0-GPU1 is PIX; write the same both ways");
  CHECK(refusal("GPU0 GPU1\nGPU0 PIX X\nGPU1 X PIX\n") ==
        "t.txt:2:6: GPU0-GPU0 is PIX; write X on the diagonal");
  CHECK(refusal("GPU0 GPU1\nGPU0 X X\nGPU1 X X\n") ==
        "t.txt:2:8: GPU0-GPU1 is X; write X on the diagonal only");
  CHECK(refusal("GPU0 NIC0\nGPU0 X NV1\n") == "t.txt:2:8: GPU0-NIC0 is NV1; only gpus have NVLink");
}

TEST_CASE("classes that form no tree are refused, with the cells that contradict each other") {
  CHECK(refusal("GPU0 GPU1 GPU2\nGPU0 X PIX PXB\nGPU1 PIX X PIX\nGPU2 PXB PIX X\n") ==
        "t.txt:2:12: GPU0-GPU2 is PXB although GPU0-GPU1 is PIX and GPU1-GPU2 is PIX; write "
        "classes that form a tree");
  CHECK(refusal("GPU0 GPU1 GPU2\nGPU0 X PIX SYS\nGPU1 PIX X PHB\nGPU2 SYS PHB X\n") ==
        "t.txt:2:12: GPU0-GPU2 is SYS although GPU0-GPU1 is PIX and GPU1-GPU2 is PHB; write "
        "classes that form a tree");
  CHECK(refusal("GPU0 GPU1 GPU2 GPU3\nGPU0 X PIX NV1 SYS\nGPU1 PIX X PIX NV1\n"
                "GPU2 NV1 PIX X PIX\nGPU3 SYS NV1 PIX X\n") ==
        "t.txt:2:16: GPU0-GPU3 is SYS although others join them by shorter ways; write classes "
        "that form a tree");
}

TEST_CASE("an unknown profile is refused") {
  CHECK(refusal("GPU0\nGPU0 X\n", "hoper") ==
        R"(--profile: unknown profile "hoper"; did you mean "hopper"?)");
}

TEST_CASE("hostile matrices are refused quickly") {
  std::string wide;
  for (int i = 0; i < 10000; ++i) wide += "GPU" + std::to_string(i) + " ";
  CHECK(refusal(wide).find(": there are more than 1024 columns; import one machine at a time") !=
        std::string::npos);
  const std::string long_word(3'000'000, 'A');
  CHECK(refusal("GPU0 GPU1\nGPU0 X " + long_word).size() < 200);
  CHECK(refusal("GPU0 " + long_word + "\n" + long_word) ==
        "t.txt:1:1: there is no row GPU0; paste the whole matrix");
  std::string apart;
  for (int i = 0; i < 65; ++i) apart += " GPU" + std::to_string(i);
  for (int i = 0; i < 65; ++i) {
    apart += "\nGPU" + std::to_string(i);
    for (int j = 0; j < 65; ++j) apart += i == j ? " X" : " SYS";
  }
  CHECK(refusal(apart) ==
        "t.txt:1:1: the devices sit on 65 cpus, all SYS apart; import at most 64");
}

TEST_CASE("the most devices that there may be are imported") {
  std::string text;
  for (int i = 0; i < 1024; ++i) text += " GPU" + std::to_string(i);
  for (int i = 0; i < 1024; ++i) {
    text += "\nGPU" + std::to_string(i);
    for (int j = 0; j < 1024; ++j) text += i == j ? " X" : (i / 32 == j / 32 ? " PIX" : " SYS");
  }
  const auto [machine, warnings] = testing::import_matrix("nvidia_smi", text, "ampere");
  CHECK(machine.ranks().size() == 1024);
  CHECK(machine.nodes_of_kind(NodeKind::cpu).size() == 32);
  CHECK(warnings.size() == 1);
}

}  // namespace syncsim::nvidia_smi_refusal_test
