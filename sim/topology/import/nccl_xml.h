#pragma once
// The importer of NCCL topology XML, as NCCL_TOPO_DUMP_FILE writes it and clouds ship it (RCCL's
// too). What becomes of what:
// 1. <pci> with <pci> in it: a PCIe switch plx0... A bridge above nothing but another bridge is one
//    switch with it (the slower link leads up); so are the two levels as which Broadcom's Gen4 and
//    Gen5 switches show themselves, which NCCL joins too (their inner links are no bottleneck).
//    Each device's link up has link_speed x link_width.
// 2. <gpu>: gpu0.. and the ranks, by `rank` where all have one, else `dev`, else as they stand.
//    Without any <gpu>, devices of PCI class 0x03 and 0x12 are GPUs.
// 3. <nvlink>, <xgmi>: cables with their count, at the rate of sm or gcn; several switches are one
//    node nvs0, which reduces and multicasts from sm 90 on. <c2c>: a cable to the cpu, count x bw.
// 4. <cpu>: cpu0.. by numaid; those of one host_hash are joined in pairs at the rate of their
//    model. Intel's cost peer traffic 1.2 times its bytes.
// 5. <nic>: nic0.. by the `dev` of its first port. All nics that tell their speed are joined to one
//    node net0 by links of kind network, so that the speed is kept. net0 stands for whatever is
//    beyond and passes nothing on: a machine alone has no fabric. A cluster joins the nics. Where
//    host_hash tells of several hosts, net0 is the switch between them.
// 6. gdr 0 of all GPUs, or of all ports: routing.gdr is off. keep="0": left out, as NCCL prunes.
// What is odd gives a warning and a default, see importer.h; numbers no machine has, an InputError.

#include "sim/topology/import/importer.h"

namespace syncsim {

bool looks_like_nccl_xml(std::string_view text);
Imported read_nccl_xml(std::string_view text, const std::string& file,
                       const ImportOptions& options);

}  // namespace syncsim
