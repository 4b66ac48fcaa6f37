"use strict";
// Elements of the page, numbers as text, the place of a figure. All text of the novel goes in as text, never as markup.
const DATA = JSON.parse(document.getElementById("data").textContent);
const SVG = "http://www.w3.org/2000/svg";

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
