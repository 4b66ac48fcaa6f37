// Radar, lanes of storylines and people, timelines of threads, bars of edges: drawn as SVG.

function drawRadar(rows) {
  const {figure, plot} = place("radar");
  const scored = rows.filter(row => row.scores.some(value => value !== null));
  const shapes = [scored, scored.slice(-10)].map(chosen => DATA.dimensions.map((_, at) => mean(chosen.map(row => row.scores[at]))));
  const middle = 160, reach = 105;
  const at = (index, value) => {
    const angle = Math.PI * 2 * index / DATA.dimensions.length - Math.PI / 2;
    return [middle + Math.cos(angle) * reach * value / 5, middle + Math.sin(angle) * reach * value / 5];
  };
  const outline = value => DATA.dimensions.map((_, index) => at(index, value).map(one => one.toFixed(1)).join(",")).join(" ");
  const picture = svg("svg", {viewBox: "0 0 320 320", role: "img", "aria-label": "八个维度的平均分"});
  for (const value of [1, 2, 3, 4, 5]) picture.append(svg("polygon", {points: outline(value), fill: "none", stroke: "var(--line)"}));
  DATA.dimensions.forEach((name, index) => {
    const [x, y] = at(index, 6.1);
    const value = shapes[0][index];
    picture.append(svg("text", {x, y, "text-anchor": "middle"}, name), svg("text", {x, y: y + 14, "text-anchor": "middle", class: "soft"}, value === null ? "" : score(value)));
  });
  let marks = 0;
  shapes.forEach((shape, order) => {
    const known = shape.map((value, index) => value === null ? null : at(index, value)).filter(Boolean);
    const stroke = order ? "var(--b)" : "var(--a)";
    picture.append(svg("polygon", {points: known.map(one => one.join(",")).join(" "), fill: order ? "none" : "var(--shade)", stroke, "stroke-width": 2, "stroke-dasharray": order ? "4 4" : "none"}));
    for (const [cx, cy] of known) picture.append(svg("circle", {cx, cy, r: 3, fill: stroke, class: "mark"}));
    marks += known.length;
  });
  plot.append(picture);
  marked(figure, plot, marks);
}

// One lane for each entry {label, chapters, color}; a chapter is one closed piece of the lane's path.
function drawLanes(name, lanes, first, last) {
  const {figure, plot, width} = place(name);
  const tall = 34, unit = width / Math.max(1, last - first + 1), thick = Math.max(1, unit * 0.9);
  const picture = svg("svg", {viewBox: "0 0 " + width + " " + (lanes.length * tall + 16), role: "img", "aria-label": figure.querySelector("figcaption").firstChild.data});
  let marks = 0;
  lanes.forEach((lane, order) => {
    const top = order * tall;
    picture.append(
      svg("text", {x: 0, y: top + 13}, lane.label),
      svg("rect", {x: 0, y: top + 18, width, height: 10, fill: "var(--line)", opacity: 0.4}),
      svg("path", {class: "mark", fill: "var(--" + lane.color + ")", d: lane.chapters.map(chapter => "M" + ((chapter - first) * unit).toFixed(2) + " " + (top + 18) + "h" + thick.toFixed(2) + "v10h-" + thick.toFixed(2) + "z").join("")}),
    );
    marks += lane.chapters.length;
  });
  picture.append(...ends(first, last, width, lanes.length * tall + 12));
  picture.addEventListener("click", event => showChapter(first + Math.floor((event.clientX - picture.getBoundingClientRect().left) / picture.getBoundingClientRect().width * (last - first + 1))));
  plot.append(picture);
  marked(figure, plot, marks);
}

function ends(first, last, width, y) {
  return [svg("text", {x: 0, y, class: "soft"}, "第 " + first + " 章"), svg("text", {x: width, y, class: "soft", "text-anchor": "end"}, "第 " + last + " 章")];
}

function drawStorylines(rows, first, last) {
  const lanes = DATA.storylines.map((line, order) => {
    const chapters = rows.filter(row => row.storyline === line.id).map(row => row.chapter);
    return {label: line.name + "　" + chapters.length + " 章" + (line.awake ? "" : "（休眠）"), chapters, color: "abcdef"[order % 6]};
  });
  drawLanes("storylines", lanes.filter(lane => lane.chapters.length), first, last);
}

const MOST_PEOPLE = 20;

function drawPeople(rows, first, last, sought) {
  const chosen = new Set(rows.map(row => row.chapter));
  const lanes = DATA.people
    .filter(one => !sought || one.name.includes(sought) || one.id.includes(sought))
    .map(one => ({one, chapters: one.chapters.filter(chapter => chosen.has(chapter))}))
    .filter(lane => lane.chapters.length)
    .sort((one, other) => other.chapters.length - one.chapters.length)
    .slice(0, MOST_PEOPLE)
    .map(({one, chapters}, order) => ({
      label: one.name + "　" + chapters.length + " 章" + (one.met.length ? "　常和 " + one.met.slice(0, 3).map(met => met.name + " " + met.chapters).join("、") : ""),
      chapters, color: "abcdef"[order % 6],
    }));
  drawLanes("people", lanes, first, last);
}

function drawThreads(state, first, last, most) {
  const {figure, plot, width} = place("threads");
  const reach = Math.max(last, ...DATA.threads.map(one => one.window ? Math.min(one.window[1], last + (last - first + 1)) : last));
  const open = ["overdue", "due", "open"];
  const fitting = DATA.threads.filter(one => last >= first && (state === "all" || one.state === state || (state === "unresolved" && open.includes(one.state))) && touches(one, first, reach));
  const shown = fitting.slice(0, most);
  const tall = 36, unit = width / Math.max(1, reach - first + 1);
  const at = chapter => (chapter - first + 0.5) * unit;
  const picture = svg("svg", {viewBox: "0 0 " + width + " " + (shown.length * tall + 18), role: "img", "aria-label": "伏笔"});
  let marks = 0;
  shown.forEach((one, order) => {
    const top = order * tall, middle = top + 25;
    const late = one.state === "overdue" || one.state === "due";
    const label = svg("text", {x: 0, y: top + 13}, clip(one.description, width) + "　");
    label.append(svg("tspan", late ? {fill: "var(--bad)"} : {class: "soft"}, DATA.thread_states[one.state] + (one.window ? "，计划第 " + one.window[0] + "–" + one.window[1] + " 章收" : "")));
    picture.append(label);
    if (one.window) {
      const from = Math.max(first, one.window[0]), to = Math.min(reach, one.window[1]);
      if (from <= to) picture.append(svg("rect", {x: (from - first) * unit, y: middle - 7, width: Math.max(2, (to - from + 1) * unit), height: 14, fill: late ? "var(--bad)" : "var(--shade)", opacity: late ? 0.25 : 1}));
    }
    const events = one.events.filter(event => event.chapter >= first && event.chapter <= reach);
    const starts = one.events.length ? one.events[0].chapter : one.planted;
    if (starts !== null) {
      const stop = one.resolved !== null ? one.resolved : last;
      picture.append(svg("line", {x1: at(Math.max(first, starts)), x2: at(Math.max(first, Math.min(reach, stop))), y1: middle, y2: middle, stroke: "var(--soft)", "stroke-dasharray": one.resolved === null ? "3 3" : "none"}));
    }
    for (const event of events) {
      const dot = svg("circle", {class: "mark", cx: at(event.chapter), cy: middle, r: 5, fill: {planted: "var(--a)", advanced: "var(--e)", resolved: "var(--c)"}[event.action] || "var(--soft)"});
      dot.append(svg("title", {}, "第 " + event.chapter + " 章 " + (DATA.thread_actions[event.action] || event.action) + (event.detail ? "：" + event.detail : "")));
      dot.addEventListener("click", () => showChapter(event.chapter));
      picture.append(dot);
    }
    marks += events.length;
  });
  picture.append(...ends(first, reach, width, shown.length * tall + 14));
  plot.append(picture);
  figure.dataset.marks = marks;
  figure.dataset.threads = shown.length;
  if (!shown.length) plot.replaceChildren(el("p", {class: "empty"}, "没有这样的伏笔"));
  byId("more-threads").hidden = shown.length === fitting.length;
}

function touches(one, first, reach) {
  const chapters = [...one.events.map(event => event.chapter), ...(one.window || []), ...(one.planted === null ? [] : [one.planted])];
  if (!chapters.length) return true;
  const ongoing = one.resolved === null && one.state !== "dropped";
  return Math.min(...chapters) <= reach && (ongoing || Math.max(...chapters) >= first);
}

function clip(text, width) {
  const most = Math.max(8, Math.floor(width / 13) - 16);
  return text.length > most ? text.slice(0, most - 1) + "…" : text;
}

function drawEdges(rows) {
  const {figure, plot, width} = place("edges");
  const bars = [];
  for (const [head, kinds, key] of [["章首", DATA.starts, "opening"], ["章末", DATA.ends, "ending"]]) {
    for (const kind of kinds) bars.push([head + "　" + kind, rows.filter(row => row[key] === kind).length]);
  }
  const most = Math.max(1, ...bars.map(one => one[1]));
  const picture = svg("svg", {viewBox: "0 0 " + width + " " + bars.length * 24, role: "img", "aria-label": "章首与章末"});
  bars.forEach(([label, number], order) => {
    const y = order * 24;
    picture.append(
      svg("text", {x: 0, y: y + 16}, label),
      svg("rect", {class: "mark", x: 90, y: y + 5, height: 14, width: (width - 140) * number / most, fill: label.startsWith("章首") ? "var(--a)" : "var(--b)"}),
      svg("text", {x: 96 + (width - 140) * number / most, y: y + 16, class: "soft"}, String(number)),
    );
  });
  plot.append(picture);
  marked(figure, plot, bars.reduce((sum, one) => sum + one[1], 0));
}
