/** Line charts as SVG text: scales and paths from d3, the rest written out, so that no DOM is needed. */
import { scaleLinear, scaleLog } from 'd3-scale';
import { line } from 'd3-shape';

const colors = ['#1b6ca8', '#c8553d', '#588157', '#7b4b94', '#b08900', '#3a3a3a', '#00a5a5', '#e377c2', '#e08214'];
const escapeText = (text) =>
  String(text).replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]);
const shorten = (value) => (value >= 1e6 ? `${value / 1e6}M` : value >= 1e3 ? `${value / 1e3}k` : String(value));

/**
 * @param chart { title, xLabel, yLabel, xLog?, yLog?, series: [{ name, points: [[x, y], ...] }] }; on a logarithmic axis
 *   values must be positive, others are left out
 * @returns SVG document
 */
export function lineChart({ title, xLabel, yLabel, xLog = true, yLog = true, series }) {
  const [width, height, left, right, top, bottom] = [720, 440, 76, 190, 44, 56];
  const drawn = series
    .map(({ name, points }) => ({
      name,
      points: points.filter(([x, y]) => Number.isFinite(x + y) && (!xLog || x > 0) && (!yLog || y > 0)),
    }))
    .filter(({ points }) => points.length > 0);
  const all = drawn.flatMap(({ points }) => points);
  const range = (k, isLog) => {
    const values = all.map((point) => point[k]);
    const [low, high] = [Math.min(...values), Math.max(...values)];
    return isLog ? [low / 1.2, high * 1.2] : [Math.min(0, low), high * 1.05 || 1];
  };
  const scale = (isLog, domain, to) => (isLog ? scaleLog(domain, to) : scaleLinear(domain, to).nice());
  const x = scale(xLog, range(0, xLog), [left, width - right]);
  const y = scale(yLog, range(1, yLog), [height - bottom, top]);
  const path = line()
    .x((point) => x(point[0]).toFixed(1))
    .y((point) => y(point[1]).toFixed(1));
  const decades = (ticks) => {
    const powers = ticks.filter((value) => Math.abs(Math.log10(value) % 1) < 1e-9);
    return powers.length > 1 ? powers : ticks.filter((_, i) => i % 2 === 0).slice(0, 10);
  };
  const ticksOf = (axis, isLog) => (isLog ? decades(axis.ticks()) : axis.ticks(7));
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">`,
    `<rect width="${width}" height="${height}" fill="white"/>`,
    `<text x="${left}" y="24" font-size="15" font-weight="bold">${escapeText(title)}</text>`,
  ];
  for (const value of ticksOf(x, xLog)) {
    const at = x(value).toFixed(1);
    parts.push(
      `<line x1="${at}" x2="${at}" y1="${top}" y2="${height - bottom}" stroke="#e3e3e3"/>`,
      `<text x="${at}" y="${height - bottom + 18}" text-anchor="middle">${shorten(value)}</text>`,
    );
  }
  for (const value of ticksOf(y, yLog)) {
    const at = y(value).toFixed(1);
    parts.push(
      `<line x1="${left}" x2="${width - right}" y1="${at}" y2="${at}" stroke="#e3e3e3"/>`,
      `<text x="${left - 8}" y="${Number(at) + 4}" text-anchor="end">${shorten(value)}</text>`,
    );
  }
  parts.push(
    `<text x="${(left + width - right) / 2}" y="${height - 14}" text-anchor="middle">${escapeText(xLabel)}</text>`,
    `<text transform="translate(18 ${(top + height - bottom) / 2}) rotate(-90)" text-anchor="middle">${escapeText(yLabel)}</text>`,
  );
  drawn.forEach(({ name, points }, i) => {
    const color = colors[i % colors.length];
    parts.push(`<path d="${path(points)}" fill="none" stroke="${color}" stroke-width="2"/>`);
    for (const [px, py] of points) {
      parts.push(`<circle cx="${x(px).toFixed(1)}" cy="${y(py).toFixed(1)}" r="3" fill="${color}"/>`);
    }
    const at = top + 10 + 20 * i;
    parts.push(
      `<line x1="${width - right + 14}" x2="${width - right + 34}" y1="${at}" y2="${at}" stroke="${color}" stroke-width="2"/>`,
      `<text x="${width - right + 40}" y="${at + 4}">${escapeText(name)}</text>`,
    );
  });
  return `${parts.join('\n')}\n</svg>\n`;
}

/** Slope of log y over log x, least squares. */
export function fitExponent(points) {
  const logs = points.filter(([x, y]) => x > 0 && y > 0).map(([x, y]) => [Math.log(x), Math.log(y)]);
  const mean = (k) => logs.reduce((sum, point) => sum + point[k], 0) / logs.length;
  const [mx, my] = [mean(0), mean(1)];
  const top = logs.reduce((sum, [x, y]) => sum + (x - mx) * (y - my), 0);
  return top / logs.reduce((sum, [x]) => sum + (x - mx) ** 2, 0);
}
