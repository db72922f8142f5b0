#pragma once
// A model from a trace of torch.profiler (export_chrome_trace) of a training step: forward, then
// backward. Of several steps that prof.step() tells apart, the last counts.
//   Layers     modules ("nn.Module: Linear_0", of with_stack=True), the innermost around an op;
//              without any, ranges of record_function; without those, the outermost ops themselves.
//   Forward    of a layer: what runs in it before the first backward op begins. What runs in none
//              counts with the layer that began last before it: a loss with the last layer.
//   Backward   of a layer: the backward ops ("autograd::engine::evaluate_function: ...") whose
//              "Sequence number" is that of one of its forward ops; of several, the latest.
//   Time       with a device: the sum of the kernels that ops launch (joined by "correlation", else
//              by "External id"), communication ("nccl...") left out. Without: that of the ops on
//              the CPU.
//   Tensors    the gradients that AccumulateGrad gets behind a layer's backward ops: bytes by
//              "Input Dims" and "Input type", which need record_shapes=True. The trace does not
//              name them: LAYER.0, LAYER.1 in the order in which they become ready.
// Layers without tensors are counted with the one before them (forward order), leading ones with
// the first; layers then stand in the order in which their backward ends.
// One thread is taken to compute the forward pass.

#include <string>

#include "sim/workload/model.h"

namespace syncsim {

// Throws InputError with its place; for what a trace lacks, with the profiler's option for it.
Model read_kineto_trace(const std::string& text, const std::string& file);

}  // namespace syncsim
