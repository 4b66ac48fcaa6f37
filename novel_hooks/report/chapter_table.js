// The table of all chapters, with the marks that stand out, and the card of one chapter.
const BY_CHAPTER = new Map(DATA.chapters.map(row => [row.chapter, row]));

// What the judges said of a chapter, in one line.
function judged(row) {
  return row.adopted ? row.gate : (row.overall === null ? "没有评分" : score(row.overall) + " 分") + "，" + row.gate;
}

function links(row) {
  const name = "chapter-" + String(row.chapter).padStart(3, "0");
  const listed = [];
  if (row.text) listed.push(el("a", {href: "../chapters/" + name + ".md"}, "正文"));
  if (row.evaluated) listed.push(el("a", {href: "../evaluations/" + name + "-eval.json"}, "评审"));
  return listed;
}

function fillTable() {
  const sought = byId("search").value.trim();
  const rows = shown.rows.filter(row => !sought || (row.title || "").includes(sought) || String(row.chapter) === sought).reverse();
  byId("rows").replaceChildren(...rows.slice(0, shown.table).map(row => {
    const low = row.forced || (row.overall !== null && row.overall < DATA.bands.polish);
    const cells = [String(row.chapter), row.title || "", count(row.chars), score(row.overall), row.gate, row.revisions === null ? "没有记" : String(row.revisions)];
    const line = el("tr", {}, ...cells.map(text => el("td", {}, text)), el("td", {}, ...links(row).flatMap(link => [link, " "])));
    if (low) line.children[3].className = "low";
    line.addEventListener("click", event => { if (event.target.tagName !== "A") showChapter(row.chapter); });
    return line;
  }));
  byId("more-rows").hidden = rows.length <= shown.table;
}

function showChapter(chapter) {
  const row = BY_CHAPTER.get(chapter), card = byId("chapter");
  if (!row) return;
  const close = el("button", {type: "button"}, "关上");
  close.addEventListener("click", () => { card.hidden = true; });
  const scores = DATA.dimensions.map((name, at) => row.scores[at] === null ? null : name + " " + row.scores[at]).filter(Boolean);
  card.replaceChildren(
    close,
    el("strong", {}, "第 " + row.chapter + " 章 " + (row.title || "")),
    el("p", {}, count(row.chars) + " 字，" + judged(row) + (row.revisions ? "，修订 " + row.revisions + " 次" : "") + (row.day ? "，" + row.day : "")),
    el("p", {}, scores.join("　")),
    el("p", {}, ...links(row)),
  );
  card.hidden = false;
}
