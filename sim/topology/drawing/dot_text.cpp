#include "sim/topology/drawing/dot_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "sim/topology/drawing/labels.h"
#include "sim/topology/drawing/layout.h"
#include "sim/topology/drawing/legend.h"
#include "sim/topology/drawing/style.h"

namespace syncsim::drawing {
namespace {

constexpr double kLegendLine = 16;

// An HTML-like label that lets little of the lines below it through.
std::string on_white(std::string_view text) {
  std::string cell;
  for (const char c : text) {
    if (c == '\n')
      cell += "<br/>";
    else if (c == '<')
      cell += "&lt;";
    else if (c == '>')
      cell += "&gt;";
    else if (c == '&')
      cell += "&amp;";
    else
      cell += c;
  }
  return "<table border=\"0\" cellborder=\"0\" cellspacing=\"0\" cellpadding=\"0\" "
         "bgcolor=\"#FFFFFFC0\"><tr><td>" +
         cell + "</td></tr></table>";
}

std::string spot(Spot at) { return fmt::format("{:.1f},{:.1f}", at.x, at.y); }

std::string inches(double points) { return fmt::format("{:.3f}", points / 72); }

class Writer {
 public:
  Writer(const Topology& topology, const Picture& picture, const DrawingOptions& options)
      : topology_(topology), picture_(picture), options_(options), widths_(picture.bundles) {}

  std::string write() {
    text_ = fmt::format("graph {} {{\n", quoted(shown(topology_.name(), 80)));
    write_defaults();
    write_figures();
    write_bundles();
    write_legend();
    return text_ + "}\n";
  }

 private:
  void write_defaults() {
    text_ +=
        "  graph [layout=nop2, outputorder=edgesfirst, charset=\"UTF-8\", bgcolor=white,\n"
        "    fontname=\"Helvetica\", fontsize=11, fontcolor=\"#444444\", pad=0.15]\n"
        "  node [fixedsize=true, fontname=\"Helvetica\", fontsize=11, color=\"#444444\"]\n"
        "  edge [fontname=\"Helvetica\", fontsize=10]\n";
    const std::string title =
        shown(topology_.name(), 60) + (heat() ? ": " + shown(heat()->title, 80) : "");
    const double width = text_width(title) * 1.4 + 20;
    node("title", quoted(title), {std::max(picture_.size.x, width) / 2, picture_.size.y + 26},
         fmt::format("shape=plaintext, fontsize=14, width={}", inches(width)));
  }

  const Heat* heat() const { return options_.heat ? &*options_.heat : nullptr; }

  // `label` is quoted.
  void node(const std::string& name, const std::string& label, Spot at,
            const std::string& attributes) {
    text_ += fmt::format("  {} [label={}, pos=\"{}\", {}]\n", name, label, spot(at), attributes);
  }

  void write_figures() {
    std::vector<bool> framed(picture_.figures.size());
    for (const Frame& frame : picture_.frames) write_frame(frame, framed);
    for (std::size_t i = 0; i < framed.size(); ++i)
      if (!framed[i]) write_figure(i);
  }

  void write_frame(const Frame& frame, std::vector<bool>& framed) {
    const Spot title = {frame.low.x + 8 + text_width(frame.title) / 2, frame.high.y - 9};
    text_ += fmt::format(
        "  subgraph cluster_{} {{\n"
        "  graph [label={}, bb=\"{},{}\", lp=\"{}\", style=\"filled,rounded\", "
        "color=\"#BBBBBB\", fillcolor=\"{}\"]\n",
        frames_++, quoted(frame.title), spot(frame.low), spot(frame.high), spot(title),
        frame.inner.empty() ? "#F7F7F7" : "white");
    for (const std::size_t i : frame.figures) {
      write_figure(i);
      framed[i] = true;
    }
    for (const Frame& inner : frame.inner) write_frame(inner, framed);
    text_ += "  }\n";
  }

  void write_figure(std::size_t i) {
    const Figure& figure = picture_.figures[i];
    const FigureStyle style = style_of(figure.role);
    std::string label;
    for (const std::string& line : figure.lines) label += (label.empty() ? "" : "\n") + line;
    std::string more;
    if (figure.count > 1) more += ", peripheries=2";
    if (figure.heat >= kIdle)
      more += fmt::format(", color=\"{}\", penwidth=3", colour_of_heat(figure.heat));
    node(fmt::format("n{}", i), quoted(label), figure.at,
         fmt::format("shape={}, style=\"{}\", fillcolor=\"{}\", width={}, height={}{}, tooltip={}",
                     style.shape, style.style, style.fill, inches(figure.width),
                     inches(figure.height), more, quoted(figure.tooltip)));
  }

  // Thick ones first, for they would cover thin ones; those with labels last.
  void write_bundles() {
    std::vector<std::size_t> order(picture_.bundles.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto key = [&](std::size_t i) {
      const Bundle& bundle = picture_.bundles[i];
      return std::pair(!bundle.label.empty(), -widths_.of(bundle));
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
    for (const std::size_t i : order) write_bundle(picture_.bundles[i]);
  }

  void write_bundle(const Bundle& bundle) {
    std::string curves;
    for (const auto& curve : bundle.curves) {
      curves += curves.empty() ? "" : ";";
      for (std::size_t i = 0; i < curve.size(); ++i) curves += (i > 0 ? " " : "") + spot(curve[i]);
    }
    const std::string colour =
        heat() ? colour_of_heat(std::max(bundle.hottest_there, bundle.hottest_back))
               : std::string(colour_of(bundle.kind));
    std::string named;
    if (!bundle.label.empty())
      named = fmt::format(", label=<{}>, lp=\"{}\"", on_white(bundle.label), spot(bundle.label_at));
    const std::string tooltip =
        fmt::format("{}{}: {}, {}{}", shown(topology_.cable_name(bundle.example), 200),
                    bundle.cables > 1 ? " ..." : "", to_string(bundle.kind), rate_text(bundle),
                    heat() ? fmt::format("; {}", heat_text(bundle, {0, 0}, {1, 0})) : "");
    text_ += fmt::format("  n{} -- n{} [pos=\"{}\", color=\"{}\", penwidth={:.2f}{}, tooltip={}]\n",
                         bundle.a, bundle.b, curves, colour, pen_of(widths_, bundle, options_),
                         named, quoted(tooltip));
  }

  void write_legend() {
    const std::vector<LegendRow> rows = legend_of(picture_, widths_, options_);
    double y = -26;
    for (std::size_t row = 0; row < rows.size(); ++row, y -= kLegendLine) {
      double x = 11;
      for (std::size_t i = 0; i < rows[row].colours.size(); ++i, x += 22)
        node(fmt::format("swatch{}_{}", row, i), "\"\"", {x, y},
             fmt::format("shape=box, style=filled, color=\"{0}\", fillcolor=\"{0}\", width=0.306, "
                         "height={1}",
                         rows[row].colours[i], heat() ? "0.139" : "0.05"));
      x += rows[row].colours.empty() ? -18 : -5;
      const double width = label_size(rows[row].text).x + 20;
      std::string text = quoted(rows[row].text);
      text.insert(text.size() - 1, "\\l");  // to the left
      node(fmt::format("legend{}", row), text, {x + width / 2, y},
           fmt::format("shape=plaintext, fontsize=10, width={}, height=0.2", inches(width)));
    }
  }

  const Topology& topology_;
  const Picture& picture_;
  const DrawingOptions& options_;
  Widths widths_;
  std::string text_;
  int frames_ = 0;
};

}  // namespace

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (c == '\n')
      result += "\\n";
    else if (c == '&')
      result += "&amp;";
    else
      result += c;
  }
  return result + "\"";
}

std::string dot_text(const Topology& topology, const Picture& picture,
                     const DrawingOptions& options) {
  return Writer(topology, picture, options).write();
}

}  // namespace syncsim::drawing
