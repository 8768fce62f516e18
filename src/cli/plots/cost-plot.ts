/** How the cost of each descent fell, and what it missed of the clearances, over its iterations, as an SVG picture. */
import type { PathAttempt } from '../../control/paths/optimise-path.js';
import { drawPanels } from './line-plot.js';

/** Descents that ended sooner stay at their last value. */
export function plotCosts(attempts: readonly PathAttempt[]): string {
  const shown = attempts.filter(({ costs }) => costs.length > 0);
  const length = Math.max(1, ...shown.map(({ costs }) => costs.length));
  const names = shown.map(({ certified }, k) => `path ${k}${certified ? ', certified' : ''}`);
  const rows = (of: 'cost' | 'violation'): number[][] =>
    Array.from({ length }, (_, i) => shown.map(({ costs }) => costs[Math.min(i, costs.length - 1)][of]));
  const panels = [
    { title: 'cost', names, rows: rows('cost') },
    { title: 'missed clearance, m', names, rows: rows('violation') },
  ];
  const axis = Array.from({ length }, (_, i) => i);
  return drawPanels(panels, axis, '');
}
