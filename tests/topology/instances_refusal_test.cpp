// Wrong instances, each refused with one line, before anything large is made.

#include <doctest/doctest.h>

#include <string>

#include "tests/support/temporary_folder.h"
#include "tests/topology/json_support.h"

namespace syncsim::instances_refusal_test {
namespace {

using testing::TemporaryFolder;

constexpr const char* kOne = R"({"name": "one", "nodes": [{"id": "gpu0", "kind": "gpu"}]})";

std::string refusal(const std::string& text, const MemoryLimit& memory = {}) {
  return testing::refusal_of(
      [&] { read_topology(JsonFile::parse(text, "m.json").root(), memory); });
}

std::string with_instances(const std::string& instances) {
  return R"({"name": "m", "instances": )" + instances + "}";
}

std::string instance(const std::string& prefix, const std::string& topology) {
  return R"({"prefix": ")" + prefix + R"(", "topology": )" + topology + "}";
}

std::string one_instance(const std::string& prefix, const std::string& topology) {
  return with_instances("[" + instance(prefix, topology) + "]");
}

std::string quoted(const std::string& text) { return '"' + text + '"'; }

// Of `folder`/a.json.
std::string refusal_in(const TemporaryFolder& folder) {
  const std::string message =
      testing::refusal_of([&] { load_topology(folder.path() + "/a.json", folder.path()); });
  std::string shorter = message;
  for (std::size_t at; (at = shorter.find(folder.path() + "/")) != std::string::npos;)
    shorter.erase(at, folder.path().size() + 1);
  return shorter;
}

}  // namespace

TEST_CASE("the instances that all these change are accepted") {
  CHECK(refusal(one_instance("n/", kOne)) == "accepted");
}

TEST_CASE("an entry with missing, unknown or wrong keys is refused") {
  CHECK(refusal(with_instances("{}")) == "m.json:/instances: is an object; write a list [...]");
  CHECK(refusal(with_instances(R"([{"prefix": "n/"}])")) ==
        R"(m.json:/instances/0: "topology" is missing; add "topology": "dgx1v")");
  CHECK(refusal(with_instances(R"([{"prefx": "n/", "topology": "x.json"}])")) ==
        R"(m.json:/instances/0/prefx: unknown key "prefx"; did you mean "prefix"?)");
  CHECK(refusal(one_instance("n/", "7")) ==
        "m.json:/instances/0/topology: is the number 7; write a string");
  CHECK(refusal(one_instance("n[3-0]/", kOne)) ==
        R"(m.json:/instances/0/prefix: "n[3-0]/" has a range that runs backwards; write [0-3])");
  CHECK(refusal(one_instance("n-1/", kOne)) ==
        R"(m.json:/instances/0/prefix: node id "n-1/gpu0" holds '-', '>', '@', '*' or a blank; )"
        "names of links and edits need these: use letters, digits, '_', '.' and '/'");
}

TEST_CASE("a machine without instances and nodes has no ranks") {
  CHECK(refusal(with_instances("[]")) ==
        R"(m.json:/: there are no ranks; add a node of kind "gpu" or list "ranks")");
  CHECK(refusal(one_instance("n/", R"({"name": "none", "nodes": []})")) ==
        "m.json:/instances/0/topology: this machine has no nodes; give it nodes, or leave it out");
  CHECK(refusal(one_instance("n/",
                             R"({"name": "fabric", "nodes": [{"id": "s0", "kind": "switch"}]})")) ==
        R"(m.json:/: there are no ranks; add a node of kind "gpu" or list "ranks")");
}

TEST_CASE("instances without a way to each other are refused") {
  CHECK(refusal(one_instance("n[0-1]/", kOne)) ==
        "m.json:/: no route from n0/gpu0 to n1/gpu0; join them by links through nodes that forward "
        "(a gpu forwards only when it says so)");
}

TEST_CASE("ids that collide are refused at the prefix") {
  const std::string twice = "[" + instance("n/", kOne) + ", " + instance("n/", kOne) + "]";
  CHECK(refusal(with_instances(twice)) ==
        R"(m.json:/instances/1/prefix: node id "n/gpu0" appears twice; )"
        "give every instance a prefix of its own");
  const std::string bare = R"({"topology": )" + std::string(kOne) + "}";
  CHECK(refusal(with_instances("[" + bare + ", " + bare + "]")) ==
        R"(m.json:/instances/1: node id "gpu0" appears twice; )"
        "give every instance a prefix of its own");
  CHECK(refusal(R"({"name": "m", "instances": [)" + instance("n/", kOne) +
                R"(], "nodes": [{"id": "n/gpu0", "kind": "nic"}]})") ==
        R"(m.json:/nodes/0/id: node id "n/gpu0" appears twice; give every node its own id)");
}

TEST_CASE("what is wrong inside an instance is told at its own place") {
  CHECK(refusal(one_instance("n/", R"({"name": "one", "nodes": [{"id": "gpu0"}]})")) ==
        R"(m.json:/instances/0/topology/nodes/0: "kind" is missing; add "kind": "gpu")");
  const TemporaryFolder folder;
  folder.write("a.json", one_instance("n/", R"("b.json")"));
  folder.write("b.json", R"({"name": "b", "nodes": [{"id": "gpu0", "kind": "gpy"}]})");
  CHECK(refusal_in(folder) ==
        R"(b.json:/nodes/0/kind: unknown node kind "gpy"; did you mean "gpu"?)");
}

TEST_CASE("a machine that is not there is refused where it is named") {
  CHECK(refusal(one_instance("n/", R"("dgx1v")")) ==
        R"(m.json:/instances/0/topology: there is no shelf to find "dgx1v" on; )"
        "write the path of a topology file");
  const TemporaryFolder folder;
  folder.write("a.json", one_instance("n/", R"("b.json")"));
  CHECK(refusal_in(folder) == R"(a.json:/instances/0/topology: there is no file "b.json"; )"
                              R"(name a topology file, or a shipped machine without ".json")");
  folder.write("a.json", one_instance("n/", R"("aa")"));
  CHECK(refusal_in(folder) ==
        R"(a.json:/instances/0/topology: unknown topology "aa"; did you mean "a"?)");
}

TEST_CASE("a machine that holds itself is refused with the cycle") {
  const TemporaryFolder folder;
  folder.write("a.json", one_instance("n/", R"("./a.json")"));
  CHECK(refusal_in(folder) ==
        R"(a.json:/instances/0/topology: this machine would hold itself: "a.json" holds )"
        R"("./a.json"; take one of them out)");
  folder.write("a.json", one_instance("n/", R"("b.json")"));
  folder.write("b.json", one_instance("n/", one_instance("n/", R"("c.json")")));
  folder.write("c.json", one_instance("n/", R"("b")"));
  CHECK(refusal_in(folder) ==
        R"(c.json:/instances/0/topology: this machine would hold itself: "b.json" holds "c.json" )"
        R"(holds "b.json"; take one of them out)");
}

TEST_CASE("the ninth level of instances is refused") {
  std::string text = kOne;
  std::string place = "m.json:";
  for (int level = 0; level < 9; ++level) {
    text = one_instance("n/", text);
    place += "/instances/0/topology";
  }
  CHECK(refusal(text) ==
        place + ": machines are nested deeper than 8; build this one of fewer levels");
}

TEST_CASE("more nodes or cables than a machine may have are refused before they are made") {
  CHECK(refusal(one_instance("n[0-999999999]/", kOne)) ==
        R"(m.json:/instances/0/prefix: "n[0-999999999]/" stands for more than 4000000 nodes; )"
        "one file may hold 4000000");
  const std::string thousand = R"({"name": "k", "nodes": [{"id": "gpu[0-999]", "kind": "gpu"}]})";
  CHECK(refusal(one_instance("n[0-3999999]/", thousand)) ==
        "m.json:/instances/0/prefix: the machine would have 4.0 G nodes; "
        "build one of at most 4000000");
  const std::string tenfold = one_instance("n[0-9]/", one_instance("n[0-999]/", thousand));
  CHECK(refusal(one_instance("n[0-9]/", tenfold)) ==
        "m.json:/instances/0/topology/instances/0/prefix: the machine would have 10 M nodes; "
        "build one of at most 4000000");
  const std::string mesh = R"({"name": "k", "link_types": {"x": {"kind": "pcie",
    "bandwidth": "1 GB/s"}}, "nodes": [{"id": "gpu[0-99]", "kind": "gpu"}],
    "links": [{"all_pairs": "gpu[0-99]", "type": "x"}]})";
  CHECK(refusal(one_instance("n[0-999]/", mesh)) ==
        "m.json:/instances/0/prefix: the machine would have 5.0 M cables; "
        "build one of at most 2000000");
}

TEST_CASE("copies that there is no memory for are refused - the machine itself counts, too") {
  const std::string text = one_instance("n[0-999]/", kOne);
  const auto message = [](const char* need, const char* nodes) {
    return std::string("m.json:/instances/0/prefix: the machine needs about ") + need + " (" +
           nodes + " nodes, 0 cables), there is too little; build a smaller one, or allow more " +
           "with --memory";
  };
  const auto refused = [&](std::uint64_t bytes) {
    return refusal(text, {bytes, "there is too little"});
  };
  CHECK(refused(1'001 * 310 - 1) == message("310 kB", "1.0 k"));
  CHECK(refused(1'001 * 310).starts_with("m.json:/: no route from n0/gpu0"));
}

TEST_CASE("ids that grow beyond what links can name are refused") {
  const std::string prefix(120, 'p');
  CHECK(refusal(one_instance(prefix, one_instance(prefix, kOne))) ==
        "m.json:/instances/0/prefix: node ids such as \"" + std::string(60, 'p') +
            "...\" are too long; keep them to 200 characters");
}

TEST_CASE("instances whose policies differ are refused unless the file says") {
  const auto machine = [](const std::string& name, const std::string& routing) {
    return R"({"name": )" + quoted(name) + R"(, "nodes": [{"id": "gpu0", "kind": "gpu"}],
             "routing": )" +
           routing + "}";
  };
  const auto refused = [&](const std::string& one, const std::string& other) {
    return refusal(with_instances("[" + instance("a/", machine("one", one)) + ", " +
                                  instance("b/", machine("other", other)) + "]"));
  };
  const auto message = [](const std::string& key) {
    return R"(m.json:/instances/1: "one" and "other" differ in their routing's ")" + key +
           R"("; say which it is under this file's "routing": {")" + key + R"(": ...})";
  };
  CHECK(refused(R"({"p2p": "PIX"})", "{}") == message("p2p"));
  CHECK(refused("{}", R"({"acs": true})") == message("acs"));
  CHECK(refused(R"({"gdr": false})", R"({"gdr": true})") == message("gdr"));
  CHECK(refused(R"({"relays": ["nvb"]})", R"({"relays": ["pxn"]})") == message("relays"));
}

}  // namespace syncsim::instances_refusal_test
