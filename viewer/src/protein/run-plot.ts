/** The curves of a Monte Carlo run over its steps: energy above, extent and deviation below. */
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { element } from '../dom.js';
import type { Standing } from './simulation-run.js';

export interface RunPlot {
  readonly root: HTMLElement;
  /** Samples in the order of their steps, the last of which may be where the run stands between two. */
  show(samples: readonly Standing[]): void;
}

/** Okabe and Ito's blue, vermilion and green, lighter where the page is dark; dashes tell two curves apart as well. */
const CURVES = {
  energy: { light: '#0072b2', dark: '#56b4e9' },
  extent: { light: '#009e73', dark: '#2fd0a3' },
  deviation: { light: '#d55e00', dark: '#ff9a4d' },
} as const;
const DASHES = [5, 3];
const HEIGHT = 118;
const FONT = '11px system-ui, sans-serif';

export function createRunPlot(): RunPlot {
  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  const colorOf = (curve: keyof typeof CURVES) => () => CURVES[curve][dark.matches ? 'dark' : 'light'];
  const ink = () => (dark.matches ? '#a3abb4' : '#565d65');
  const lines = () => (dark.matches ? '#363b41' : '#e3e5e7');
  const panels = [
    createPanel('Energy, kcal/mol', [{ name: 'energy', stroke: colorOf('energy') }]),
    createPanel('Angstrom', [
      { name: 'radius of gyration', stroke: colorOf('extent') },
      { name: 'RMSD from the start', stroke: colorOf('deviation'), dash: DASHES },
    ]),
  ];
  const root = element('div', { className: 'run-plots', hidden: true }, ...panels.map((panel) => panel.root));

  interface Curve {
    readonly name: string;
    readonly stroke: () => string;
    readonly dash?: number[];
  }

  function createPanel(title: string, curves: readonly Curve[]) {
    const box = element('div', { className: 'run-plot', role: 'img', 'aria-label': title });
    const keys = curves.length > 1 ? curves.map(({ name, dash }) => createKey(name, dash !== undefined)) : [];
    const note = element('span', {});
    const panelRoot = element(
      'figure',
      { className: 'run-figure' },
      element('figcaption', {}, element('span', {}, title), ...keys, note),
      box,
    );
    let plot: uPlot | null = null;
    let range: readonly [number, number] | null = null;
    const axis = (size: number): uPlot.Axis => ({
      stroke: ink,
      font: FONT,
      size,
      grid: { stroke: lines, width: 1 },
      ticks: { stroke: lines, width: 1, size: 4 },
    });
    const create = (data: uPlot.AlignedData): uPlot =>
      new uPlot(
        {
          width: box.clientWidth || 300,
          height: HEIGHT,
          padding: [6, 8, 0, 0],
          legend: { show: false },
          cursor: { show: false },
          scales: { x: { time: false }, y: { range: (_, low, high) => widen(range ?? [low, high]) } },
          axes: [
            { ...axis(24), space: 70, values: (_, ticks) => ticks.map(formatSteps) },
            { ...axis(46), space: 26, values: (_, ticks) => ticks.map(formatValue) },
          ],
          series: [{}, ...curves.map(({ stroke, dash }) => ({ stroke, dash, width: 1.5, points: { show: false } }))],
        },
        data,
        box,
      );
    new ResizeObserver(() => {
      if (plot && box.clientWidth > 0) plot.setSize({ width: box.clientWidth, height: HEIGHT });
    }).observe(box);
    dark.addEventListener('change', () => plot?.redraw());
    return {
      root: panelRoot,
      /** `shown`: the range of the values' axis, all of them when null; `remark` stands beside the title. */
      show(data: uPlot.AlignedData, shown: readonly [number, number] | null = null, remark = ''): void {
        range = shown;
        note.textContent = remark;
        if (plot) plot.setData(data);
        else plot = create(data);
      },
      describe(text: string): void {
        box.setAttribute('aria-label', `${title}: ${text}`);
      },
    };
  }

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
      panels[0].show([steps, energies], settled, isBeyond ? `(from ${formatValue(first)}, beyond the scale)` : '');
      panels[1].show([steps, shown.map((s) => s.radiusOfGyration), shown.map((s) => s.deviation)]);
      const last = shown[shown.length - 1];
      panels[0].describe(`${energies[0].toFixed(1)} at first, ${last.energy.toFixed(1)} after ${last.step} steps`);
      panels[1].describe(
        `radius of gyration ${last.radiusOfGyration.toFixed(2)}, RMSD ${last.deviation.toFixed(2)} after ${last.step} steps`,
      );
    },
  };
}

function createKey(name: string, isDashed: boolean): HTMLElement {
  return element('span', { className: isDashed ? 'curve-key dashed' : 'curve-key' }, name);
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

function widen([low, high]: readonly [number, number]): [number, number] {
  const margin = high > low ? 0.06 * (high - low) : 1;
  return [low - margin, high + margin];
}

function formatValue(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e6) return value.toExponential(0).replace('e+', 'e');
  return size >= 10_000 ? `${Math.round(value / 1000)}k` : String(Number(value.toPrecision(5)));
}

function formatSteps(steps: number): string {
  if (steps >= 1e6) return `${steps / 1e6}M`;
  return steps >= 1000 ? `${steps / 1000}k` : String(steps);
}
