// Rows and charts carry what they are about as data-*; the form hides those that do not fit.
"use strict";
const form = document.querySelector("nav form");
const FIRST = 12;
const opened = new Set();

function fits(element, given) {
  for (const [name, wanted] of given) {
    if (!wanted) continue;
    if (name === "text" ? !element.textContent.toLowerCase().includes(wanted.toLowerCase())
                        : element.dataset[name] !== wanted) return false;
  }
  return true;
}

function apply() {
  const given = [...new FormData(form)];
  for (const list of document.querySelectorAll("[data-list]")) {
    const all = opened.has(list.dataset.list);
    let count = 0;
    for (const item of list.children) {
      const isShown = fits(item, given);
      if (isShown) count += 1;
      item.hidden = !isShown || (!all && count > FIRST);
    }
    const more = document.querySelector(`[data-more="${list.dataset.list}"]`);
    more.hidden = all || count <= FIRST;
    more.textContent = `show all ${count}`;
    document.querySelector(`[data-none="${list.dataset.list}"]`).hidden = count > 0;
  }
}

form.hidden = false;
form.addEventListener("input", apply);
form.addEventListener("submit", (event) => event.preventDefault());
document.addEventListener("click", (event) => {
  const name = event.target.dataset && event.target.dataset.more;
  if (name) { opened.add(name); apply(); }
});
apply();
