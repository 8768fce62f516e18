/** Groups of horizontal bars on a logarithmic axis as an SVG picture: quantities that lie orders of magnitude apart. */
import { COLOURS, escapeXml } from './line-plot.js';

const WIDTH = 760;
const LEFT = 230;
const RIGHT = 90;
const TOP = 64;
const BAR = 16;
const GAP = 12;

export interface BarGroup {
  readonly name: string;
  /** One per series; what is not positive has no bar. */
  readonly values: readonly number[];
}

export interface BarPlot {
  readonly title: string;
  readonly unit: string;
  readonly series: readonly string[];
  readonly groups: readonly BarGroup[];
}

export function drawBars({ title, unit, series, groups }: BarPlot): string {
  const positive = groups.flatMap(({ values }) => values.filter((value) => value > 0));
  const low = Math.floor(Math.log10(Math.min(1, ...positive)));
  const high = Math.ceil(Math.log10(Math.max(1, ...positive) * 1.05));
  const right = WIDTH - RIGHT;
  const x = (value: number): number => LEFT + ((right - LEFT) * (Math.log10(value) - low)) / (high - low);
  const height = TOP + groups.length * (series.length * BAR + GAP) + 40;
  const bottom = height - 40;
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12">`,
    `<rect width="${WIDTH}" height="${height}" fill="white"/>`,
    `<text x="16" y="24" font-size="15" font-weight="bold">${escapeXml(title)}</text>`,
  ];
  series.forEach((name, i) => {
    const at = LEFT + 150 * i;
    parts.push(
      `<rect x="${at}" y="${TOP - 24}" width="12" height="12" fill="${COLOURS[i]}"/>`,
      `<text x="${at + 18}" y="${TOP - 13}">${escapeXml(name)}</text>`,
    );
  });
  for (let power = low; power <= high; power++) {
    const at = x(10 ** power).toFixed(1);
    parts.push(
      `<line x1="${at}" x2="${at}" y1="${TOP}" y2="${bottom}" stroke="#ddd"/>`,
      `<text x="${at}" y="${bottom + 16}" text-anchor="middle">${Number((10 ** power).toPrecision(1))} ${escapeXml(unit)}</text>`,
    );
  }
  groups.forEach(({ name, values }, group) => {
    const top = TOP + GAP / 2 + group * (series.length * BAR + GAP);
    const middle = top + (series.length * BAR) / 2 + 4;
    parts.push(`<text x="${LEFT - 10}" y="${middle}" text-anchor="end">${escapeXml(name)}</text>`);
    values.forEach((value, i) => {
      if (!(value > 0)) return;
      const y = top + i * BAR;
      parts.push(
        `<rect x="${LEFT}" y="${y}" width="${(x(value) - LEFT).toFixed(1)}" height="${BAR - 2}" fill="${COLOURS[i]}"/>`,
        `<text x="${(x(value) + 6).toFixed(1)}" y="${y + BAR - 4}">${Number(value.toPrecision(3))}</text>`,
      );
    });
  });
  return `${parts.join('\n')}\n</svg>\n`;
}
