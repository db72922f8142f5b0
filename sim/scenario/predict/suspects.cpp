#include "sim/scenario/predict/suspects.h"

namespace syncsim {

const NamedTable<Suspect>& suspects() {
  static const NamedTable<Suspect> table(
      "suspect",
      {{"slow_link", "one link slower than it should be",
        "nvidia-smi --query-gpu=pcie.link.gen.current,pcie.link.width.current --format=csv under "
        "load, nvidia-smi nvlink -s, ibstat (Rate)",
        Cause::machine, slow_link, nullptr, nullptr, Effect::slower},
       {"slow_links", "all links of a kind slower than they should be",
        "lspci -vv (LnkSta) against LnkCap, ibstat (Rate), the BIOS's link speeds", Cause::machine,
        slow_links, nullptr, nullptr, Effect::slower},
       {"nics_missing", "several NICs of every machine out of use",
        "NCCL_DEBUG=INFO: how many NICs follow \"NET/IB : Using\"; NCCL_IB_HCA; ibstat",
        Cause::machine, nics_missing, nullptr, nullptr, Effect::slower},
       {"rail_lost", "one NIC out of use", "ibstat (State), NCCL_IB_HCA, nvidia-smi topo -m",
        Cause::machine, rail_lost, nullptr, nullptr, Effect::slower},
       {"p2p_off", "GPUs reach each other through host memory",
        "NCCL_DEBUG=INFO says \"via SHM\" in place of P2P; nvidia-smi topo -p2p r; "
        "NCCL_P2P_DISABLE",
        Cause::machine, p2p_off, nullptr, nullptr, Effect::slower},
       {"pcie_acs", "PCIe peers go up to the root complex",
        "lspci -vv: \"ACSCtl: SrcValid+\"; the IOMMU, virtual machines", Cause::machine, acs_on,
        nullptr, nullptr, Effect::slower},
       {"gdr_off", "NICs reach the GPUs through host memory",
        "NCCL_DEBUG=INFO lacks \"GDRDMA\"; lsmod has no nvidia_peermem", Cause::machine, gdr_off,
        nullptr, nullptr, Effect::slower},
       {"nvlink_off", "NVLink out of use, or part of it",
        "nvidia-smi nvlink -s, nvidia-smi topo -m (NV#); the fabric manager", Cause::machine,
        nvlink_off, nullptr, nullptr, Effect::slower},
       {"other_launch", "ranks were started another way",
        "the command line: -g 8 is one process, mpirun or -t a process or a thread a GPU, -G "
        "graphs",
        Cause::software, other_launch},
       {"sockets", "TCP sockets in place of RDMA",
        "NCCL_DEBUG=INFO says NET/Socket; NCCL_IB_DISABLE; /dev/infiniband in the container",
        Cause::software, sockets, nullptr, nullptr, Effect::slower},
       {"nvls_off", "no sums in the NVSwitches",
        "NCCL_DEBUG=INFO lacks \"NVLS\"; NCCL_NVLS_ENABLE=0; the fabric manager", Cause::software,
        nvls_off},
       {"protocol_pinned", "a protocol pinned for all sizes", "NCCL_PROTO in the environment",
        Cause::software, protocol_pinned},
       {"few_channels", "fewer channels than the machine can feed",
        "NCCL_MAX_NCHANNELS, NCCL_MAX_CTAS; NCCL_DEBUG=INFO: \"coll channels\"", Cause::software,
        few_channels},
       {"edit_wrong", "an edit that does not hold of the machine",
        "what the edit says, on the machine itself: nvidia-smi topo -m, -p2p r", Cause::machine,
        edit_wrong},
       {"faster_links", "links that are faster than the machine says",
        "lspci -vv (LnkSta), ibstat (Rate), nvidia-smi nvlink -s; the type of the instance",
        Cause::machine, faster_links, nullptr, nullptr, Effect::faster},
       {"rdma", "RDMA in place of TCP sockets",
        "NCCL_DEBUG=INFO says NET/IB or a plugin; NCCL_IB_DISABLE in every process",
        Cause::software, rdma, nullptr, nullptr, Effect::faster},
       {"extra_latency", "more time a call than the model knows of",
        "pinning of processes and NUMA, other jobs, CPU frequency, whether the run was tuned",
        Cause::fitted, nullptr, extra_latency, nullptr, Effect::slower},
       {"disturbed", "something else took part of the time of some rows",
        "run it again, with more iterations and nothing beside it; whether the run was tuned",
        Cause::fitted, nullptr, disturbed, does_not_skew, Effect::slower},
       {"launch_skew", "a process starts its GPUs one by one, and those of other nodes wait",
        "the command line: -g 8 is one process for 8 GPUs; -g 1 with a process a GPU (mpirun)",
        Cause::fitted, nullptr, launch_skew, skews, Effect::slower},
       {"less_latency", "less time a call than the model knows of",
        "the library's version; graphs (-G); whether the times are those of a whole call",
        Cause::fitted, nullptr, less_latency, nullptr, Effect::faster},
       {"faster_rate", "a higher rate than the model knows of",
        "sums in the network's switches (SHARP, NCCL_COLLNET_ENABLE), the library's version, more "
        "or faster NICs, the number of ranks",
        Cause::fitted, nullptr, faster_rate, nullptr, Effect::faster},
       {"rate_cap", "one rate whatever the size",
        "iperf3 with one flow and with many, limits of the cloud's instance, QoS, congestion "
        "control",
        Cause::fitted, nullptr, rate_cap, nullptr, Effect::slower}});
  return table;
}

}  // namespace syncsim
