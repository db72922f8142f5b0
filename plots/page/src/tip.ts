// The box with figures that follows the pointer over the machine.

import { html } from "./dom";

export interface Fact {
  name: string;
  value: string;
}

// What a box holds: also used for the boxes that the charts show.
export function tip_content(title: string, facts: Fact[], note = ""): HTMLElement {
  const list = html("dl", {});
  for (const fact of facts) list.append(html("dt", {}, fact.name), html("dd", {}, fact.value));
  const content = html("div", { class: "tip-content" }, html("strong", {}, title), list);
  if (note !== "") content.append(html("p", {}, note));
  return content;
}

const box = html("div", { class: "tip", role: "status" });

function place(event: MouseEvent): void {
  const room = 14;
  const { width, height } = box.getBoundingClientRect();
  const left =
    event.clientX + room + width > innerWidth ? event.clientX - room - width : event.clientX + room;
  const top = Math.min(event.clientY + room, innerHeight - height - room);
  box.style.left = Math.max(0, left) + "px";
  box.style.top = Math.max(0, top) + "px";
}

// Shows what `content` says while the pointer is over the element.
export function give_tip(element: Element, content: () => HTMLElement): void {
  element.addEventListener("mouseenter", (event) => {
    box.replaceChildren(content());
    document.body.append(box);
    box.classList.add("shown");
    place(event as MouseEvent);
  });
  element.addEventListener("mousemove", (event) => place(event as MouseEvent));
  element.addEventListener("mouseleave", () => box.classList.remove("shown"));
}
