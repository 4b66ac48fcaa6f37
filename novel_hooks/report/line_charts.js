// Lines and bars over days and chapters, drawn by uPlot.
const PLOTS = {};
// So far apart may two labels of days be, in seconds: no day is named twice.
const DAYS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 30, 60, 90, 120, 180, 365, 730, 1825].map(days => days * 86400);

function lineChart(name, rows, series, options) {
  const {figure, plot, width} = place(name);
  if (PLOTS[name]) PLOTS[name].destroy();
  delete PLOTS[name];
  const drawn = series.filter(one => !one.guide);
  const marks = drawn.reduce((sum, one) => sum + one.values.filter(value => value !== null).length, 0);
  marked(figure, plot, marks);
  if (!marks) return;
  const x = options.days ? rows.map(row => Date.parse(row.day + "T00:00:00Z") / 1000) : rows.map(row => row.chapter);
  const axis = {stroke: color("soft"), grid: {stroke: color("line"), width: 1}, ticks: {show: false}, font: "12px sans-serif"};
  PLOTS[name] = new uPlot({
    width, height: 220,
    padding: [8, 8, 0, 0],
    legend: {live: true},
    cursor: {drag: {x: true, y: false}, points: {size: 6}},
    tzDate: seconds => uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC"),
    scales: {x: {time: Boolean(options.days), range: (_, low, high) => x.length === 1 ? [x[0] - step(x), x[0] + step(x)] : options.bars ? [low - step(x), high + step(x)] : [low, high]}, y: {range: options.range || ((_, low, high) => [0, high > 0 ? high * 1.08 : 1])}},
    axes: [
      {...axis, size: 30, space: 60, incrs: options.days ? DAYS : [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000], values: options.days ? (_, at) => at.map(dayLabel) : undefined},
      {...axis, size: 54, values: (_, at) => at.map(value => value === null ? "" : compact(value))},
    ],
    series: [
      {label: options.days ? "日期" : "章", value: (_, value) => value === null ? "" : options.days ? dayLabel(value) : "第 " + value + " 章"},
      ...series.map(one => seriesOf(one, options, rows.length)),
    ],
  }, [x, ...series.map(one => one.values)], plot);
  if (!options.days) {
    plot.querySelector(".u-over").addEventListener("click", () => {
      const at = PLOTS[name] && PLOTS[name].cursor.idx;
      if (at !== null && at !== undefined && rows[at]) showChapter(rows[at].chapter);
    });
  }
}

function step(x) { return x.length > 1 ? (x[x.length - 1] - x[0]) / (x.length - 1) / 2 : 0.5 * (x[0] > 1e6 ? 86400 : 1); }

function dayLabel(seconds) {
  const day = new Date(seconds * 1000);
  return (day.getUTCMonth() + 1) + "月" + day.getUTCDate() + "日";
}

function compact(value) { return Math.abs(value) >= 10000 ? value / 10000 + "万" : String(value); }

function seriesOf(one, options, points) {
  const stroke = color(one.color);
  const plain = {label: one.label, stroke, value: (_, value) => value === null ? "—" : one.text ? one.text(value) : count(value)};
  if (one.guide) return {...plain, width: 1, dash: [4, 4], points: {show: false}};
  if (options.bars) return {...plain, width: 0, fill: stroke, paths: uPlot.paths.bars({size: [0.8, 60]}), points: {show: false}};
  return {...plain, width: 1.5, points: {show: points <= 120, size: 5}};
}

function guide(label, value, rows, color_) { return {label, guide: true, color: color_, values: rows.map(() => value)}; }

function drawDays(rows) {
  const days = new Map();
  for (const row of rows) if (row.day !== null) days.set(row.day, (days.get(row.day) || 0) + (row.chars || 0));
  const listed = [...days.keys()].sort().map(day => ({day, chars: days.get(day)}));
  lineChart("days", listed, [{label: "字数", color: "a", values: listed.map(one => one.chars)}], {days: true, bars: true});
}

function drawChars(rows) {
  const [least, most] = DATA.chapter_chars;
  lineChart("chars", rows, [
    {label: "字数", color: "a", values: rows.map(row => row.chars)},
    guide("想要的最少", least, rows, "b"), guide("最多", most, rows, "b"),
  ], {bars: true});
}

function drawScores(rows) {
  const bands = DATA.bands;
  lineChart("scores", rows, [
    {label: "总分", color: "a", values: rows.map(row => row.overall), text: score},
    guide("通过", bands.pass, rows, "c"), guide("润色", bands.polish, rows, "e"),
    guide("修订", bands.revise, rows, "b"), guide("停笔", bands.pause, rows, "bad"),
  ], {range: () => [1, 5]});
}

function drawDrafts(rows) {
  const colors = ["a", "c", "e", "bad"];  // in the order of DATA.gate_kinds
  const drafts = row => row.revisions === null ? null : row.revisions + 1;
  lineChart("drafts", rows, DATA.gate_kinds.map((label, at) => ({label, color: colors[at], values: rows.map(row => row.gate === label ? drafts(row) : null), text: value => value + " 稿"})), {bars: true});
  const counted = DATA.gate_kinds.map(label => label + " " + rows.filter(row => row.gate === label).length);
  byId("decisions").textContent = "柱高是写了几稿。" + counted.join("，");
}

const AMOUNTS = {
  duration_ms: ["用时（分）", row => minutes(row.duration_ms)],
  tokens: ["词元（读、写、缓存）", row => row.tokens],
  cost: ["花费", row => row.cost],
};

function drawWork(rows, key) {
  const [label, value] = AMOUNTS[key];
  lineChart("work", rows, [{label, color: "d", values: rows.map(value)}], {bars: true});
  const time = total(rows.map(row => minutes(row.duration_ms)));
  byId("spent").textContent = "合计：用时 " + (time === null ? "没有记" : (time / 60).toFixed(1) + " 小时") + "，词元 " + count(total(rows.map(row => row.tokens))) + "，花费 " + money(total(rows.map(row => row.cost)));
}

function drawHabits(rows) {
  const known = rows.filter(row => row.habits !== null);
  lineChart("habits", known, DATA.habit_kinds.map((kind, at) => ({label: kind, color: "abcdef"[at % 6], values: known.map(row => row.habits[at]), text: value => value.toFixed(1)})), {});
}
