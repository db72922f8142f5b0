#include "sim/cli/completion.h"

#include <algorithm>

#include "sim/base/text.h"
#include "sim/cli/command.h"
#include "sim/cli/listings.h"
#include "sim/exec/calibration/figures.h"
#include "sim/exec/executor.h"
#include "sim/exec/real/real_executor.h"
#include "sim/report/library_figures.h"
#include "sim/report/prediction.h"
#include "sim/scenario/library/library_words.h"
#include "sim/schedule/strategy.h"
#include "sim/workload/import/model_importer.h"
#include "sim/workload/model.h"

namespace syncsim::cli {
namespace {

using Names = std::vector<std::string>;

// What an option's values are, or an argument's; by its name in help. `command` empty: everywhere.
struct Values {
  std::string_view command;
  std::string_view name;
  Names (*names)();
};

const Values kValues[] = {
    {"", "--topology", [] { return listed_names("topologies"); }},
    {"", "--onto", [] { return listed_names("topologies"); }},
    {"", "MACHINE", [] { return listed_names("topologies"); }},
    {"", "TOPOLOGY", [] { return listed_names("topologies"); }},
    {"", "MODEL", [] { return listed_names("models"); }},
    {"", "--precision", [] { return precisions().names(); }},
    {"", "FORMAT", [] { return model_importers().names(); }},
    {"", "--strategy", [] { return listed_names("strategies"); }},
    {"", "--collective", [] { return listed_names("collectives"); }},
    {"", "--datatype", [] { return listed_names("datatypes"); }},
    {"execute", "--executor", [] { return real_executors().names(); }},
    {"", "--executor", [] { return executors().names(); }},
    {"", "--profile", [] { return listed_names("profiles"); }},
    {"", "--rates",
     [] {
       return Names{"line", "usable"};
     }},
    {"", "--algorithm", [] { return algorithms().names(); }},
    {"", "--by",
     [] {
       return Names{"kind", "link"};
     }},
    {"", "--fit", [] { return figure_kinds().names(); }},
    {"", "--library",
     [] {
       return Names{"nccl", "none", "rccl"};
     }},
    {"", "--launch", [] { return launches().names(); }},
    {"", "--network", [] { return networks().names(); }},
    {"", "--protocol", [] { return protocols().names(); }},
    {"", "--reduction",
     [] {
       return Names{"on-arrival", "staged"};
     }},
    {"", "WHAT", [] { return listings().names(); }},
    {"", "SHELL", [] { return shells().names(); }},
    {"run", "--format", [] { return format_names("report"); }},
    {"check", "--format", [] { return format_names("check"); }},
    {"import", "--format", [] { return format_names("import"); }},
    {"export", "--format", [] { return format_names("export"); }},
    {"compare", "--format",
     [] {
       return Names{"csv", "json", "text"};
     }},
    {"predict", "--format", [] { return prediction_formats().names(); }},
    {"figures", "--format", [] { return figures_formats().names(); }},
    {"sweep", "--format",
     [] {
       return Names{"csv", "json", "jsonl"};
     }},
    {"flows", "--format",
     [] {
       return Names{"csv", "json", "text"};
     }},
    {"", "--format",
     [] {
       return Names{"json", "text"};
     }},
};

// "chunks=" of the strategies that the words name.
Names parameters_of(std::span<const std::string> words) {
  Names names;
  if (words.back().ends_with('=')) return names;  // a value is next
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i] != "--strategy") continue;
    for (const std::string_view strategy : separated(words[i + 1], ','))
      if (const Strategy* row = strategies().find(strategy))
        for (const ParameterRow& parameter : row->parameters)
          names.push_back(std::string(parameter.name) + "=");
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

Names values_of(const CLI::App& command, const std::string& name) {
  for (const Values& row : kValues)
    if (row.name == name && (row.command.empty() || row.command == command.get_name()))
      return row.names();
  return {};
}

const CLI::Option* option_named(const CLI::App& command, const std::string& name) {
  for (const CLI::Option* option : command.get_options())
    if (option->check_name(name)) return option;
  return nullptr;
}

const CLI::App* subcommand_named(const CLI::App& command, const std::string& name) {
  for (const CLI::App* sub : command.get_subcommands({}))
    if (sub->get_name() == name) return sub;
  return nullptr;
}

Names commands_of(const CLI::App& command) {
  Names names;
  for (const CLI::App* sub : command.get_subcommands({})) names.push_back(sub->get_name());
  return names;
}

Names options_of(const CLI::App& command) {
  Names names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

Names arguments_of(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options())
    if (option->get_positional()) return values_of(command, option->get_name(true));
  return {};
}

// Those that `word` begins, after whatever stands before its last comma.
Names completed(const Names& names, const std::string& word) {
  const auto comma = word.rfind(',');
  const std::string kept = comma == word.npos ? "" : word.substr(0, comma + 1);
  const std::string begun = word.substr(kept.size());
  Names result;
  for (const std::string& name : names)
    if (name.starts_with(begun)) result.push_back(kept + name);
  return result;
}

// "--format=js" and "--format", "=", "js" as "--format", "js"; what else has an equals sign, such
// as "chunks", "=", "8", is one word.
Names split_at_equals(std::span<const std::string> words) {
  Names result;
  for (const std::string& word : words) {
    const auto equals = word.find('=');
    const bool goes_on = &word != &words.front() && *(&word - 1) == "=";
    if (word == "=") {
      const bool of_value = !result.empty() && !result.back().starts_with("--");
      if (of_value) result.back() += "=";
      if (!of_value && &word == &words.back()) result.emplace_back();
    } else if (goes_on && result.back().ends_with("=")) {
      result.back() += word;
    } else if (word.starts_with("--") && equals != word.npos) {
      result.push_back(word.substr(0, equals));
      result.push_back(word.substr(equals + 1));
    } else {
      result.push_back(word);
    }
  }
  return result;
}

constexpr std::string_view kBash =
    R"(# syncsim's completion for bash: source <(syncsim completion bash)
_syncsim() {
  local IFS=$'\n'
  COMPREPLY=($(syncsim completion bash -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  [ ${#COMPREPLY[@]} -gt 0 ] || compopt -o default
  [[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace
}
complete -F _syncsim syncsim
)";

constexpr std::string_view kZsh = R"(#compdef syncsim
# syncsim's completion for zsh: source <(syncsim completion zsh)
_syncsim() {
  local -a found
  found=("${(@f)$(syncsim completion zsh -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -z "$found" ]]; then _files
  elif [[ "${found[1]}" == *= ]]; then compadd -S '' -a found
  else compadd -a found; fi
}
if [[ "$funcstack[1]" = _syncsim ]]; then _syncsim "$@"; else compdef _syncsim syncsim; fi
)";

}  // namespace

std::vector<std::string> completions(const CLI::App& program, std::span<const std::string> given) {
  const Names words = split_at_equals(given);
  if (words.empty()) return commands_of(program);
  const CLI::App* command = &program;
  const CLI::Option* waiting = nullptr;  // an option whose value comes next
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (waiting != nullptr) {
      waiting = nullptr;
    } else if (const CLI::Option* option = option_named(*command, words[i])) {
      waiting = option->get_items_expected_max() > 0 ? option : nullptr;
    } else if (const CLI::App* sub = subcommand_named(*command, words[i])) {
      command = sub;
    }
  }
  const std::string& last = words.back();
  Names names;
  if (waiting != nullptr) {
    const std::string option = "--" + waiting->get_lnames().front();
    names = option == "--param" ? parameters_of(words) : values_of(*command, option);
  } else if (last.starts_with("-")) {
    names = options_of(*command);
  } else {
    names = commands_of(*command);
    for (std::string& name : arguments_of(*command)) names.push_back(std::move(name));
  }
  std::sort(names.begin(), names.end());
  return completed(names, last);
}

const NamedTable<Shell>& shells() {
  static const NamedTable<Shell> table(
      "shell", {{"bash", "GNU's shell", kBash}, {"zsh", "the Z shell", kZsh}});
  return table;
}

}  // namespace syncsim::cli
