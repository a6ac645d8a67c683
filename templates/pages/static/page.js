// The page works without this file. It adds dropping files, and a sign that work is going on.
"use strict";

const form = document.getElementById("check");
const drop = document.getElementById("drop");
const live = document.getElementById("status");
const progress = document.getElementById("progress");
const says = document.getElementById("progress-says");
const time = document.getElementById("progress-time");
const SCANS = document.getElementById("scan").accept.split(",");
let timer = null;

function say(text) {
  live.textContent = text;
}

// The page's words, in the reader's language.
function said(key, values = {}) {
  return form.dataset[key].replace(/\{([a-z]+)\}/g, (whole, name) => values[name] ?? whole);
}

function isScan(file) {
  return SCANS.some((ending) => file.name.toLowerCase().endsWith(ending));
}

function hand(input, file) {
  const carrier = new DataTransfer();
  carrier.items.add(file);
  input.files = carrier.files;
}

function take(files) {
  const taken = [];
  for (const file of files) {
    const input = document.getElementById(isScan(file) ? "scan" : "sheet");
    hand(input, file);
    taken.push(said(isScan(file) ? "takenScan" : "takenSheet", { name: file.name }));
  }
  if (taken.length) say(taken.join(" "));
}

function carriesFiles(event) {
  return event.dataTransfer !== null && event.dataTransfer.types.includes("Files");
}

document.addEventListener("dragover", (event) => {
  if (!carriesFiles(event)) return;
  event.preventDefault();
  drop.classList.add("is-over");
});
document.addEventListener("dragleave", (event) => {
  if (event.relatedTarget === null) drop.classList.remove("is-over");
});
document.addEventListener("drop", (event) => {
  if (!carriesFiles(event)) return;
  event.preventDefault();
  drop.classList.remove("is-over");
  take(event.dataTransfer.files);
});
document.getElementById("drop-says").hidden = false;

function begin() {
  const text = said(document.getElementById("scan").files.length ? "measuring" : "judging");
  const since = Date.now();
  const tick = () => { time.textContent = `${Math.round((Date.now() - since) / 1000)} s`; };
  says.textContent = text;
  tick();
  timer = setInterval(tick, 1000);
  progress.hidden = false;
  progress.scrollIntoView({ block: "nearest" });
  for (const button of form.querySelectorAll("button")) button.setAttribute("aria-disabled", "true");
  say(text);
}

function end(text) {
  clearInterval(timer);
  timer = null;
  progress.hidden = true;
  for (const button of form.querySelectorAll("button")) button.removeAttribute("aria-disabled");
  say(text);
}

function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

// A refused form comes back as this page with the problems in it; only they are taken over, so the chosen files stay.
function show(html) {
  const found = new DOMParser().parseFromString(html, "text/html").getElementById("problems");
  document.getElementById("problems")?.remove();
  if (found === null) return false;
  found.querySelector("#forgets")?.remove();
  form.before(document.adoptNode(found));
  found.focus();
  return true;
}

function tell(text) {
  const box = document.createElement("section");
  box.id = "problems";
  box.className = "problems";
  box.tabIndex = -1;
  box.setAttribute("role", "alert");
  box.append(Object.assign(document.createElement("p"), { textContent: text }));
  document.getElementById("problems")?.remove();
  form.before(box);
  box.focus();
}

async function download(data) {
  const answer = await fetch(form.action, { method: "POST", body: data });
  if (!answer.ok) {
    if (!show(await answer.text())) tell(said("failed", { status: answer.status }));
    return "";
  }
  document.getElementById("problems")?.remove();
  const name = /filename="([^"]+)"/.exec(answer.headers.get("Content-Disposition") ?? "")?.[1] ?? "homolog-report";
  save(await answer.blob(), name);
  return said("saved", { name });
}

form.addEventListener("submit", (event) => {
  if (timer !== null) {
    event.preventDefault();
    return;
  }
  begin();
  if (event.submitter === null || event.submitter.value === "page") return; // the browser goes to the report by itself
  event.preventDefault();
  download(new FormData(form, event.submitter)).then(end, () => {
    end("");
    tell(said("unreachable"));
  });
});

// Back from the report: the page may come out of the browser's memory as it was left.
window.addEventListener("pageshow", () => { if (timer !== null) end(""); });

document.getElementById("problems")?.focus();
