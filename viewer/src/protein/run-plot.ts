/** The curves of a Monte Carlo run over its steps: energy above, extent and deviation below. */
import { createCurvePanel, DASHES, shortValue, strokeOf } from '../curve-panel.js';
import { element } from '../dom.js';
import type { Standing } from './simulation-run.js';

export interface RunPlot {
  readonly root: HTMLElement;
  /** Samples in the order of their steps, the last of which may be where the run stands between two. */
  show(samples: readonly Standing[]): void;
}

export function createRunPlot(): RunPlot {
  const steps = { formatAxis: formatSteps };
  const panels = [
    createCurvePanel('Energy, kcal/mol', [{ name: 'energy', stroke: strokeOf('blue') }], steps),
    createCurvePanel(
      'Angstrom',
      [
        { name: 'radius of gyration', stroke: strokeOf('green') },
        { name: 'RMSD from the start', stroke: strokeOf('vermilion'), dash: DASHES },
      ],
      steps,
    ),
  ];
  const root = element('div', { className: 'run-plots', hidden: true }, ...panels.map((panel) => panel.root));
  return {
    root,
    show(samples) {
      root.hidden = samples.length === 0;
      if (samples.length === 0) return;
      const shown = thin(samples);
      const steps = shown.map(({ step }) => step);
      const energies = shown.map(({ energy }) => energy);
      const settled = settledRange(energies);
      const [first] = energies;
      const isBeyond = settled !== null && first > settled[1];
      panels[0].show([steps, energies], settled, isBeyond ? `(from ${shortValue(first)}, beyond the scale)` : '');
      panels[1].show([steps, shown.map((s) => s.radiusOfGyration), shown.map((s) => s.deviation)]);
      const last = shown[shown.length - 1];
      panels[0].describe(`${energies[0].toFixed(1)} at first, ${last.energy.toFixed(1)} after ${last.step} steps`);
      panels[1].describe(
        `radius of gyration ${last.radiusOfGyration.toFixed(2)}, RMSD ${last.deviation.toFixed(2)} after ${last.step} steps`,
      );
    },
  };
}

/** More points than pixels show nothing more. */
const MOST_POINTS = 1200;

function thin(samples: readonly Standing[]): readonly Standing[] {
  const stride = Math.ceil(samples.length / MOST_POINTS);
  return stride === 1 ? samples : samples.filter((_, i) => i % stride === 0 || i === samples.length - 1);
}

/**
 * The range of the later energies, when the first ones would flatten them: a start with overlaps can be thousands of times
 * above what follows. Null when all of it is shown.
 */
function settledRange(energies: readonly number[]): readonly [number, number] | null {
  const later = energies.slice(Math.ceil(energies.length / 5));
  if (later.length < 2) return null;
  const [low, high] = [Math.min(...later), Math.max(...later)];
  return Math.max(...energies) - low > 5 * Math.max(high - low, 1) ? [low, high] : null;
}

function formatSteps(steps: number): string {
  if (steps >= 1e6) return `${steps / 1e6}M`;
  return steps >= 1000 ? `${steps / 1000}k` : String(steps);
}
