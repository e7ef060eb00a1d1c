"use strict";
// Steps through the runs of the page. Everything it shows stands in the page already: events and effects in the lists,
// values of the initial state in the tables; the JSON element of a run says which cells each step changes.
(() => {
  class Viewer {
    constructor(root) {
      this.root = root;
      const { loop, steps } = JSON.parse(root.querySelector("script.cells").textContent);
      this.loop = loop;
      this.steps = steps;
      this.items = [...root.querySelectorAll(".steps li")];
      this.cells = [...root.querySelectorAll("td[data-cell]")];
      this.initial = this.cells.map((cell) => cell.textContent);
      this.byNumber = new Map(this.cells.map((cell, k) => [Number(cell.dataset.cell), k]));
      this.now = root.querySelector(".now");
      this.when = root.querySelector(".when");
      this.end = root.querySelector(".end");
      this.position = 0;
      this.round = 1;
      this.enhance();
      this.show(false);
    }

    enhance() {
      this.root.tabIndex = 0;
      this.root.querySelector(".player").hidden = false;
      this.root.classList.add("live");
      for (const button of this.root.querySelectorAll("button[data-go]")) {
        button.addEventListener("click", () => this.go(button.dataset.go));
      }
      this.items.forEach((item, k) => {
        item.addEventListener("click", () => {
          if (!String(window.getSelection())) this.jump(k + 1);
        });
      });
      this.root.addEventListener("keydown", (event) => this.press(event));
    }

    press(event) {
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      const go = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" }[event.key];
      if (!go) return;
      event.preventDefault();
      this.go(go);
    }

    go(where) {
      const last = this.steps.length;
      const isRepeated = this.loop !== null;
      if (where === "first") {
        this.jump(0);
      } else if (where === "last") {
        this.jump(last);
      } else if (where === "forward") {
        if (this.position < last) this.position += 1;
        else if (isRepeated) {
          this.position = this.loop + 1;
          this.round += 1;
        }
        this.show(true);
      } else {
        if (isRepeated && this.round > 1 && this.position === this.loop + 1) {
          this.position = last;
          this.round -= 1;
        } else if (this.position > 0) this.position -= 1;
        this.show(true);
      }
    }

    jump(position) {
      this.position = position;
      this.round = 1;
      this.show(true);
    }

    // The values after so many steps, as a list over the cells of the tables.
    values(position) {
      const values = [...this.initial];
      for (const changes of this.steps.slice(0, position)) {
        for (const [cell, value] of changes) values[this.byNumber.get(cell)] = value;
      }
      return values;
    }

    show(isMoved) {
      const { position } = this;
      const values = this.values(position);
      const before = position ? this.values(position - 1) : values;
      this.cells.forEach((cell, k) => this.fill(cell, before[k], values[k]));
      this.items.forEach((item, k) => {
        if (k + 1 === position) item.setAttribute("aria-current", "step");
        else item.removeAttribute("aria-current");
        item.classList.toggle("taken", k + 1 < position);
      });
      this.when.textContent = position ? `state after step ${position}` : "initial state";
      this.now.replaceChildren(...this.sentence());
      this.root.dataset.position = position;
      this.limitButtons();
      if (isMoved) this.keepInView();
    }

    fill(cell, before, after) {
      cell.classList.toggle("changed", before !== after);
      cell.textContent = after;
      if (before === after) return;
      const old = document.createElement("s");
      old.textContent = before;
      cell.prepend(old, " → ");
    }

    sentence() {
      const { position } = this;
      const last = this.steps.length;
      if (!position) {
        const follow = last === 1 ? "1 step follows" : `${last} steps follow`;
        return [this.part("count", "Initial state"), this.part("place", follow)];
      }
      const item = this.items[position - 1];
      const parts = [
        this.part("count", `Step ${position} of ${last}`),
        this.part("event", item.querySelector(".event").textContent),
        this.part("effect", item.querySelector(".effect").textContent),
      ];
      if (this.loop !== null && position > this.loop) {
        const first = position === this.loop + 1;
        const from = first && this.round > 1 ? "back at the beginning of the loop" : "in the loop";
        parts.push(this.part("place", `${from} (steps ${this.loop + 1} to ${last}), round ${this.round}`));
      } else if (position === last && this.end) {
        parts.push(this.part("place", this.end.textContent));
      }
      return parts;
    }

    part(kind, text) {
      const span = document.createElement("span");
      span.className = kind;
      span.textContent = `${text} `;
      return span;
    }

    // A button that has the focus is not disabled: the focus would be lost.
    limitButtons() {
      const atStart = this.position === 0;
      const atEnd = this.position === this.steps.length;
      const isOver = { first: atStart, back: atStart, forward: atEnd && this.loop === null, last: atEnd };
      for (const button of this.root.querySelectorAll("button[data-go]")) {
        button.setAttribute("aria-disabled", String(isOver[button.dataset.go]));
      }
    }

    // Scrolls the list of steps, never the page.
    keepInView() {
      const list = this.root.querySelector(".steps");
      const item = this.items[this.position - 1];
      if (!item) {
        list.scrollTop = 0;
        return;
      }
      const top = item.getBoundingClientRect().top - list.getBoundingClientRect().top + list.scrollTop;
      if (top < list.scrollTop || top + item.offsetHeight > list.scrollTop + list.clientHeight) {
        list.scrollTop = top - list.clientHeight / 2;
      }
    }
  }

  // Wide pictures of states begin with the first state, which is rarely at the left.
  function showFirst(box) {
    const first = box.querySelector(".graphviz g g");
    if (!first || box.scrollWidth <= box.clientWidth) return;
    const place = first.getBoundingClientRect();
    box.scrollLeft += place.left + place.width / 2 - box.getBoundingClientRect().left - box.clientWidth / 2;
  }

  // Only what scrolls needs the focus: whoever goes through the page with the Tab key passes over the other boxes.
  function limitFocus() {
    for (const box of document.querySelectorAll(".scroll, .steps")) {
      const scrolls = box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1;
      if (scrolls) box.tabIndex = 0;
      else box.removeAttribute("tabindex");
    }
  }

  // Folded pictures and texts are printed as well, and folded again.
  function unfoldForPrint() {
    const folded = [...document.querySelectorAll("details:not([open])")];
    for (const details of folded) details.open = true;
    window.addEventListener("afterprint", () => folded.forEach((details) => (details.open = false)), { once: true });
  }

  // Without a focus, arrow keys step through the run that is in view.
  function pressAnywhere(event, viewers) {
    const isFree = document.activeElement === document.body || document.activeElement === null;
    if (!isFree || !["ArrowLeft", "ArrowRight"].includes(event.key)) return;
    const isInView = ({ root }) => {
      const { top, bottom } = root.getBoundingClientRect();
      return bottom > 40 && top < window.innerHeight - 40;
    };
    const viewer = viewers.find(isInView);
    if (viewer) viewer.press(event);
  }

  for (const box of document.querySelectorAll(".picture")) {
    showFirst(box);
    const folded = box.closest("details");
    if (folded) folded.addEventListener("toggle", () => showFirst(box), { once: true });
  }

  const roots = [...document.querySelectorAll(".trace")].filter((root) => root.querySelector(".steps li"));
  const viewers = roots.map((root) => new Viewer(root));
  for (const note of document.querySelectorAll(".with-script")) note.hidden = !viewers.length;
  document.addEventListener("keydown", (event) => pressAnywhere(event, viewers));
  for (const details of document.querySelectorAll("details")) details.addEventListener("toggle", limitFocus);
  window.addEventListener("resize", limitFocus);
  window.addEventListener("beforeprint", unfoldForPrint);
  limitFocus();
})();
