/** Curves over a common axis as an SVG picture: one panel above the other, limits dashed. */

const WIDTH = 960;
const PANEL = 220;
const LEFT = 70;
const RIGHT = 170;
const GAP = 34;
/** Points per curve at most. */
const MOST_POINTS = 1500;
/** Okabe and Ito's colours, which those who see few colours can tell apart. */
export const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#000000', '#8c6d00'];

export interface Panel {
  readonly title: string;
  readonly names: readonly string[];
  /** One row per point on the axis, one value per name. */
  readonly rows: readonly (readonly number[])[];
  /** One per name, drawn on both sides of 0. */
  readonly limits?: ArrayLike<number> | null;
}

/** `axis`: values in rising order, one per row of each panel; `unit` is written behind its numbers. */
export function drawPanels(panels: readonly Panel[], axis: readonly number[], unit: string): string {
  const height = panels.length * (PANEL + GAP) + GAP;
  const body = panels.map((panel, i) => drawPanel(panel, axis, unit, GAP + i * (PANEL + GAP))).join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12"><rect width="${WIDTH}" height="${height}" fill="white"/>${body}</svg>\n`;
}

function drawPanel(
  { title, names, rows, limits = null }: Panel,
  times: readonly number[],
  unit: string,
  top: number,
): string {
  const right = WIDTH - RIGHT;
  const end = times[times.length - 1] || 1;
  let low = Infinity;
  let high = -Infinity;
  for (const row of rows) {
    for (const value of row) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  // Limits that are near enough to say something belong into the picture.
  const reach = 2 * Math.max(Math.abs(low), Math.abs(high));
  const shown = limits ? [...new Set(Array.from(limits))].filter((limit) => limit <= reach) : [];
  low = Math.min(low, ...shown.map((limit) => -limit));
  high = Math.max(high, ...shown);
  const margin = high > low ? 0.05 * (high - low) : 1;
  low -= margin;
  high += margin;
  const x = (time: number): number => LEFT + ((right - LEFT) * time) / end;
  const y = (value: number): number => top + (PANEL * (high - value)) / (high - low);
  const parts = [`<rect x="${LEFT}" y="${top}" width="${right - LEFT}" height="${PANEL}" fill="none" stroke="#999"/>`];
  parts.push(`<text x="${LEFT}" y="${top - 6}" font-weight="bold">${title}</text>`);
  for (const tick of chooseTicks(low, high))
    parts.push(
      `<line x1="${LEFT}" x2="${right}" y1="${round(y(tick))}" y2="${round(y(tick))}" stroke="#eee"/><text x="${LEFT - 6}" y="${round(y(tick) + 4)}" text-anchor="end">${label(tick)}</text>`,
    );
  for (const tick of chooseTicks(0, end))
    parts.push(
      `<text x="${round(x(tick))}" y="${top + PANEL + 14}" text-anchor="middle">${label(tick)} ${unit}</text>`,
    );
  const stride = Math.max(1, Math.ceil(times.length / MOST_POINTS));
  for (const [k, name] of names.entries()) {
    const colour = COLOURS[k % COLOURS.length];
    const limit = limits?.[k];
    if (limit !== undefined && limit <= reach)
      for (const value of [limit, -limit])
        parts.push(
          `<line x1="${LEFT}" x2="${right}" y1="${round(y(value))}" y2="${round(y(value))}" stroke="${colour}" stroke-dasharray="5 4" opacity="0.6"/>`,
        );
    const points: string[] = [];
    for (let i = 0; i < times.length; i += stride) points.push(`${round(x(times[i]))},${round(y(rows[i][k]))}`);
    const last = times.length - 1;
    points.push(`${round(x(times[last]))},${round(y(rows[last][k]))}`);
    parts.push(`<polyline points="${points.join(' ')}" fill="none" stroke="${colour}" stroke-width="1.5"/>`);
    if (14 * k < PANEL)
      parts.push(`<text x="${right + 10}" y="${top + 12 + 14 * k}" fill="${colour}">${escapeXml(name)}</text>`);
  }
  return parts.join('');
}

/** About five round numbers between the bounds. */
function chooseTicks(low: number, high: number): number[] {
  const raw = (high - low) / 5;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * (raw / power > 5 ? 10 : raw / power > 2 ? 5 : raw / power > 1 ? 2 : 1);
  const ticks: number[] = [];
  for (let n = Math.ceil(low / step); n * step <= high; n++) ticks.push(n * step);
  return ticks;
}

const round = (value: number): string => value.toFixed(1);
const label = (value: number): string => String(Number(value.toPrecision(6)));

export function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
}
