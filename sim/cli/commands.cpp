// The visible list of subcommands: one row each.

#include "sim/cli/command.h"

#include <filesystem>

#include "sim/cli/model/commands.h"
#include "sim/cli/topology/commands.h"

namespace syncsim::cli {

const NamedTable<Command>& commands() {
  static const NamedTable<Command> table(
      "command",
      {{"run", "times the points of scenarios, or of the command line",
        "syncsim run --topology pcie_4gpu --strategy ring,distributed --bytes \"160 MB\"",
        declare_run},
       {"calibrate",
        "fits a machine's link and node figures to measured times, and predicts those held out",
        "syncsim calibrate --topology pcie_4gpu --ranks 0,1 --strategy ring --from "
        "scenarios/measured/rtx4090-x2-all_reduce.json",
        declare_calibrate},
       {"check", "runs claims and says which hold; exit code 1 when one fails",
        "syncsim check scenarios/claims/faults", declare_check},
       {"train",
        "a training step: compute, buckets of gradients, what overlaps and what is left to wait "
        "for",
        "syncsim train --topology p3_16xlarge --model resnet50 --strategy ring", declare_train},
       {"sweep",
        "times a scenario's points on all cores, or under mpirun, a row each; goes on after a stop",
        "syncsim sweep scenarios/claims/d2l_5_order.json --jobs 2", declare_sweep},
       {"bound", "what no algorithm can beat on a machine, and what binds",
        "syncsim bound --topology dgx1v --bytes \"160 MB\"", declare_bound},
       {"compare",
        "every strategy that does a collective, ranked beside the lower bound; of several sizes "
        "the fastest, and where it changes",
        "syncsim compare --topology dgx1v --bytes \"160 MB\"", declare_compare},
       {"execute",
        "runs schedules for real, checks their data, and sets what it measures beside the model",
        "syncsim execute --topology pcie_4gpu --strategy ring --bytes \"4 MB\" --compare",
        declare_execute},
       {"figures",
        "what one should get of a machine: bandwidths and times by size, with the least time; "
        "thresholds for health checks",
        "syncsim figures dgx_a100 --collective all_reduce", declare_figures},
       {"flows", "replays plain traffic and says when each flow finishes",
        "syncsim flows --topology pcie_4gpu --flows scenarios/traffic/pcie_4gpu.csv",
        declare_flows},
       {"plan", "writes a strategy's schedule down, as JSON or as MSCCL XML",
        "syncsim plan --topology pcie_4gpu --strategy ring --bytes \"160 MB\" --out ring.xml",
        declare_plan},
       {"predict",
        "is my number normal? a table of nccl-tests beside the model, row by row, and suspects; "
        "exit code 1 beyond --tolerance",
        "syncsim predict --topology a100_pcie_quad --measured "
        "scenarios/measured/a100-pcie-x4-nonvlink-all_reduce.json",
        declare_predict},
       {"validate", "published tables against what models say of them: errors by size and family",
        "syncsim validate scenarios/measured/a100x8-hgx-all_reduce.json", declare_validate},
       {"verify", "proves a plan, or names what is wrong first; exit code 1 then",
        "syncsim verify scenarios/plans/allgather_direct_4gpu.xml", declare_verify},
       {"topology", "shows, validates, imports, exports and draws machines",
        "syncsim topology show dgx1v", nullptr, topology_commands},
       {"model", "shows models of training steps, and imports them from profiles",
        "syncsim model show resnet50", nullptr, model_commands},
       {"completion", "completion of commands, options and names, for bash or zsh",
        "syncsim completion bash", declare_completion},
       {"manual", "the manual page, as man(1) reads it", "syncsim manual", declare_manual},
       {"list",
        "strategies, collectives, topologies, models, kinds, profiles, executors, formats, "
        "datatypes, suspects",
        "syncsim list strategies", declare_list}});
  return table;
}

bool wants_json(const std::string& format) {
  if (format != "json" && format != "text")
    throw unknown_name("format", format, {"json", "text"}).at("--format");
  return format == "json";
}

Data find_data() {
  const auto program = std::filesystem::read_symlink("/proc/self/exe");
  const auto share = program.parent_path().parent_path() / "share" / "syncsim";
  return {(share / "topologies").string(), (share / "scenarios").string(),
          (share / "page" / "template.html").string()};
}

}  // namespace syncsim::cli
