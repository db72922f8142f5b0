// Elements from code. Text is always a text node, so that no name can be taken for markup.

type Child = Node | string;
type Attributes = Record<string, string | number>;

function filled<T extends Element>(element: T, attributes: Attributes, children: Child[]): T {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

export function html<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  return filled(document.createElement(tag), attributes, children);
}

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

export function section(title: string, note: string, ...children: Child[]): HTMLElement {
  const head = html("header", {}, html("h2", {}, title));
  if (note !== "") head.append(html("p", { class: "note" }, note));
  return html("section", { class: "card" }, head, ...children);
}
