/**
 * A picture of how a solution went, as SVG: cost, expected fall and gap per iteration on logarithmic scales, and the step taken.
 *
 * Axes: iterations to the right; cost above the least one (left scale), expected fall and gap, each from its largest to
 * smallest value down to 1e-12 of it. Colours are told in the legend. Text only, no script. Cost: linear in the log.
 * Tested by draw-log.test.ts.
 */

import { requireList, requireNumber, requireObject } from '../../math/arguments.js';
import { log as logarithm } from '../../math/scalar.js';
import type { ShootingIteration } from './solve-shooting.js';

const WIDTH = 640;
const HEIGHT = 360;
const LEFT = 60;
const TOP = 30;
const RIGHT = 20;
const BOTTOM = 40;
const LEAST = 1e-12;

/** The log of a result as an SVG document. */
export function drawShootingLog(entries: readonly ShootingIteration[]): string {
  requireList('drawShootingLog', 'entries', entries, 'the log of a result');
  for (const [i, entry] of entries.entries()) {
    requireObject('drawShootingLog', `entries[${i}]`, entry);
    for (const key of ['cost', 'expected', 'gap', 'step'] as const)
      requireNumber('drawShootingLog', `entries[${i}].${key}`, entry[key]);
  }
  const count = entries.length;
  const x = (i: number) => LEFT + ((WIDTH - LEFT - RIGHT) * i) / Math.max(1, count - 1);
  let least = Infinity;
  for (const { cost } of entries) least = Math.min(least, cost);
  const curves = [
    { name: 'cost above the least', color: '#1f77b4', values: entries.map(({ cost }) => cost - least) },
    { name: 'expected fall', color: '#d62728', values: entries.map(({ expected }) => Math.abs(expected)) },
    { name: 'largest gap', color: '#2ca02c', values: entries.map(({ gap }) => gap) },
  ];
  const largest = Math.max(LEAST, ...curves.flatMap(({ values }) => values.filter(Number.isFinite)));
  const decades = (value: number) => logarithm(Math.max(value, LEAST * largest) / largest) / logarithm(10);
  const y = (value: number) => TOP + ((HEIGHT - TOP - BOTTOM) * decades(value)) / -12;
  const parts: string[] = [];
  for (const [i, part] of [1, 1e-3, 1e-6, 1e-9, LEAST].entries()) {
    const at = TOP + ((HEIGHT - TOP - BOTTOM) * i) / 4;
    parts.push(`<line x1="${LEFT}" y1="${at}" x2="${WIDTH - RIGHT}" y2="${at}" stroke="#ddd"/>`);
    const label = (largest * part).toExponential(0);
    parts.push(`<text x="${LEFT - 6}" y="${at + 4}" text-anchor="end">${label}</text>`);
  }
  curves.forEach(({ name, color, values }, i) => {
    const points = values
      .map((value, k) => (value > 0 && Number.isFinite(value) ? `${x(k).toFixed(1)},${y(value).toFixed(1)}` : ''))
      .filter((point) => point !== '')
      .join(' ');
    parts.push(`<polyline points="${points}" fill="none" stroke="${color}" stroke-width="1.5"/>`);
    parts.push(`<text x="${LEFT + 10 + 190 * i}" y="18" fill="${color}">${name}</text>`);
  });
  // Steps stand at the foot: a full bar is a step of 1.
  for (const [k, { step }] of entries.entries()) {
    const height = 20 * step;
    parts.push(
      `<rect x="${(x(k) - 1.5).toFixed(1)}" y="${(HEIGHT - BOTTOM - height).toFixed(1)}" width="3" height="${height.toFixed(1)}" fill="#999"/>`,
    );
  }
  parts.push(`<text x="${LEFT}" y="${HEIGHT - 14}">iteration 0</text>`);
  parts.push(
    `<text x="${WIDTH - RIGHT}" y="${HEIGHT - 14}" text-anchor="end">${Math.max(0, count - 1)}; bars: step taken</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="#fff"/>${parts.join('')}</svg>`;
}
