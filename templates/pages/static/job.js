// The page works without this file: it is then loaded anew every few seconds. Here progress is told as it changes.
"use strict";

const job = document.getElementById("job");
const bar = document.getElementById("job-bar");
const count = document.getElementById("job-count");
const state = document.getElementById("job-state");
const events = new EventSource(job.dataset.events);

events.addEventListener("progress", (event) => {
  const told = JSON.parse(event.data);
  if (told.state === "running" && state.textContent !== job.dataset.running) state.textContent = job.dataset.running;
  if (told.total === 0) return;
  bar.max = told.total;
  bar.value = told.done;
  count.textContent = job.dataset.count.replace("{done}", told.done).replace("{total}", told.total);
});
events.addEventListener("end", () => {
  events.close();
  location.reload();
});
