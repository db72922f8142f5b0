// The visible list of importers of models: one row each.

#include "sim/workload/import/kineto_trace.h"
#include "sim/workload/import/layer_csv.h"
#include "sim/workload/import/model_importer.h"

namespace syncsim {

const NamedTable<ModelImporter>& model_importers() {
  static const NamedTable<ModelImporter> table(
      "import format",
      {{"csv", "a line layer,bytes,forward,backward for each layer, first layer first",
        read_layer_csv},
       {"kineto", "a trace of a training step, as torch.profiler's export_chrome_trace writes it",
        read_kineto_trace}});
  return table;
}

}  // namespace syncsim
