// The page itself: what stands on top, the last run, the filters, and when all is drawn anew.
const STEP = 60;
const shown = {rows: DATA.chapters, threads: STEP, table: STEP};

function chosenRows() {
  const volume = DATA.volumes.find(one => String(one.volume) === byId("volume").value);
  const storyline = byId("storyline").value;
  const from = Number(byId("from").value) || 1, to = Number(byId("to").value) || Infinity;
  return DATA.chapters.filter(row =>
    (!volume || (row.chapter >= volume.from && row.chapter <= volume.to)) &&
    (!storyline || row.storyline === storyline) && row.chapter >= from && row.chapter <= to);
}

function draw() {
  shown.rows = chosenRows();
  const rows = shown.rows;
  byId("shown").textContent = "共 " + rows.length + " 章，" + count(total(rows.map(row => row.chars)) || 0) + " 字";
  const first = rows.length ? rows[0].chapter : 1, last = rows.length ? rows[rows.length - 1].chapter : 0;
  drawDays(rows);
  drawChars(rows);
  drawScores(rows);
  drawRadar(rows);
  drawDrafts(rows);
  drawStorylines(rows, first, last);
  drawThreads(byId("thread-state").value, first, last, shown.threads);
  drawWork(rows, byId("amount").value);
  drawHabits(rows);
  drawEdges(rows);
  drawPeople(rows, first, last, byId("person").value.trim());
  fillTable();
}

// What stands between two ` is a command.
function spelled(text) { return text.split("`").map((part, at) => at % 2 ? el("code", {}, part) : part); }

function options(select, entries) {
  select.replaceChildren(...entries.map(([value, label]) => el("option", {value}, label)));
}

function fillTop() {
  byId("title").textContent = DATA.title || "这本书";
  const made = new Date(DATA.made_at).toLocaleString("zh-CN", {dateStyle: "long", timeStyle: "short"});
  byId("summary").textContent = [DATA.genre, DATA.chapters.length + " 章", count(total(DATA.chapters.map(row => row.chars)) || 0) + " 字", made + " 做的报告"].filter(Boolean).join("　·　");
  const lines = DATA.attention.map(one => el("li", {}, one.text, el("small", {}, ...spelled(one.how))));
  byId("attention").replaceChildren(...(lines.length ? lines : [el("li", {}, "没有急着要看的。")]));
  const pace = DATA.pace;
  byId("pace").textContent = "连着 " + pace.streak + " 天，最长 " + pace.longest + " 天；近七天 " + count(pace.week_chars) + " 字" + (pace.left_days === null ? "" : "；照这样，这一卷还要 " + pace.left_days + " 天");
  byId("openings").replaceChildren(...DATA.openings.map(one => el("li", {}, one.text + "　" + one.rate)));
  byId("repeats").replaceChildren(...DATA.repeats.map(one => el("li", {}, one.text, el("small", {}, "在 " + one.count + " 章里：第 " + one.chapters.join("、") + (one.count > one.chapters.length ? "…" : "") + " 章"))));
  if (DATA.unread.length) {
    byId("unread").hidden = false;
    byId("unread").querySelector("ul").replaceChildren(...DATA.unread.map(one => el("li", {}, one.detail)));
  }
}

function fillNight() {
  const night = DATA.night;
  if (!night) return;
  const began = new Date(night.started_at).toLocaleString("zh-CN", {dateStyle: "long", timeStyle: "short"});
  const hours = minutes(night.spent.duration_ms);
  const lines = night.chapters.map(row => "第 " + row.chapter + " 章 " + (row.title || "") + "：" + count(row.chars) + " 字，" + judged(row) + (row.revisions ? "，修订 " + row.revisions + " 次" : ""));
  if (night.recorded.length) lines.push("补记、重记了第 " + night.recorded.join("、") + " 章");
  if (night.planned.length) lines.push("另外做了：" + night.planned.join("、"));
  const limits = Object.entries(night.limits).map(([key, limit]) => key.endsWith("money") ? money(limit) : count(limit) + " 词元");
  byId("night-body").replaceChildren(
    el("p", {}, began + " 开始" + (night.wanted === null ? "" : "，要写 " + night.wanted + " 章") + "，写成 " + night.chapters.length + " 章，" + count(night.chars) + " 字。"),
    el("ul", {}, ...lines.map(text => el("li", {}, text))),
    el("p", {}, "花了：用时 " + (hours === null ? "没有记" : hours + " 分") + "，词元 " + count(night.spent.tokens) + "，花费 " + money(night.spent.cost) + (limits.length ? "（一趟的预算 " + limits.join("、") + "）" : "") + "。"),
    el("p", {}, DATA.waiting ? (DATA.waiting.stop ? "在等你：" : "下一步：") + DATA.waiting.reason + "（" + DATA.waiting.skill + "）" : ""),
  );
  byId("night").hidden = false;
}

function redraw(change) { return () => { change(); draw(); }; }

fillTop();
fillNight();
options(byId("volume"), [["", "全部"], ...DATA.volumes.map(one => [String(one.volume), "第 " + one.volume + " 卷"])]);
options(byId("storyline"), [["", "全部"], ...DATA.storylines.map(line => [line.id, line.name])]);
options(byId("thread-state"), [["unresolved", "没收的"], ["all", "全部"], ...Object.entries(DATA.thread_states)]);
options(byId("amount"), Object.entries(AMOUNTS).map(([key, [label]]) => [key, label]));
for (const id of ["volume", "storyline", "from", "to", "thread-state", "amount"]) byId(id).addEventListener("change", redraw(() => { shown.threads = STEP; }));
byId("person").addEventListener("input", redraw(() => {}));
byId("search").addEventListener("input", fillTable);
byId("more-rows").addEventListener("click", () => { shown.table += STEP; fillTable(); });
byId("more-threads").addEventListener("click", redraw(() => { shown.threads += STEP; }));
byId("filters").addEventListener("reset", () => setTimeout(draw));
byId("filters").addEventListener("submit", event => event.preventDefault());
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
let wide = innerWidth;
addEventListener("resize", () => { if (innerWidth !== wide) { wide = innerWidth; draw(); } });
draw();
