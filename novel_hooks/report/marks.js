"use strict";
// Elements, numbers and colours. All text of the novel goes in as text, never as markup.
const DATA = JSON.parse(document.getElementById("data").textContent);
const SVG = "http://www.w3.org/2000/svg";
const DECISIONS = {pass: "通过", polish: "润色后通过", revise: "修订", pause_for_user: "等作者决定", pause_for_user_force_rewrite: "建议重写"};
const STATES = {overdue: "超期没收", due: "该收没收", open: "在途", planned: "计划中", resolved: "已收", dropped: "已放下"};
const ACTIONS = {planted: "埋下", advanced: "推进", resolved: "收"};

function byId(id) { return document.getElementById(id); }

function el(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

function svg(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

function color(name) {
  return getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
}

function count(value) { return value === null ? "没有记" : Number(value).toLocaleString("zh-CN"); }

function score(value) { return value === null ? "没有记" : (Math.floor(value * 100 + 1e-9) / 100).toFixed(2); }

function money(value) { return value === null ? "没有记" : value.toFixed(2) + (DATA.currency ? " " + DATA.currency : ""); }

function minutes(milliseconds) { return milliseconds === null ? null : Math.round(milliseconds / 6000) / 10; }

function mean(values) {
  const known = values.filter(value => value !== null && value !== undefined);
  return known.length ? known.reduce((sum, value) => sum + value, 0) / known.length : null;
}

function total(values) {
  const known = values.filter(value => value !== null);
  return known.length ? known.reduce((sum, value) => sum + value, 0) : null;
}

// What the judges said of a chapter, in one line.
function judged(row) {
  if (row.adopted) return "搬进来的，没有评审";
  return (row.overall === null ? "没有评分" : score(row.overall) + " 分") + "，" + verdict(row);
}

function verdict(row) {
  if (row.adopted) return "搬进来的";
  if (row.forced) return "勉强放行";
  if (row.accepted) return "作者接受";
  return DECISIONS[row.decision] || "没有记";
}

// A figure's own place to draw in, emptied; the number of marks in it is kept on the figure.
function place(name) {
  const figure = document.querySelector('[data-chart="' + name + '"]');
  const plot = figure.querySelector(".plot");
  plot.replaceChildren();
  return {figure, plot, width: Math.max(240, plot.clientWidth)};
}

function marked(figure, plot, marks) {
  figure.dataset.marks = marks;
  if (!marks) plot.replaceChildren(el("p", {class: "empty"}, "没有可画的"));
}
