/** Energy over time: kinetic, potential (from where it began) and their sum. */
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { element } from '../dom.js';

export interface EnergySample {
  readonly t: number;
  readonly kinetic: number;
  readonly potential: number;
}

export interface EnergyPlot {
  readonly root: HTMLElement;
  add(sample: EnergySample): void;
  /** Forgets what is later than t. */
  cutAt(t: number): void;
  draw(): void;
}

const MOST = 1500;
const HEIGHT = 118;
const NAMES = ['sum', 'kinetic', 'potential'];
const STROKES = ['#0072b2', '#009e73', '#d55e00'];
/** How their lines look, in the legend. */
const MARKS = ['\u2014', '- -', '\u00b7\u00b7'];
const DASHES: (number[] | undefined)[] = [undefined, [5, 3], [2, 2]];

export function createEnergyPlot(): EnergyPlot {
  const box = element('div', { className: 'run-plot', role: 'img', 'aria-label': 'Energy over time' });
  const keys = NAMES.map((name, i) => {
    const key = element('span', {}, `${MARKS[i]} ${name}`);
    key.style.color = STROKES[i];
    return key;
  });
  const root = element(
    'figure',
    { className: 'run-figure' },
    element('figcaption', {}, element('span', {}, 'Energy, J'), ...keys),
    box,
  );
  let samples: EnergySample[] = [];
  let plot: uPlot | null = null;
  const draw = (): void => {
    const first = samples[0]?.potential ?? 0;
    const data: uPlot.AlignedData = [
      samples.map(({ t }) => t),
      samples.map(({ kinetic, potential }) => kinetic + potential - first),
      samples.map(({ kinetic }) => kinetic),
      samples.map(({ potential }) => potential - first),
    ];
    box.dataset.samples = String(samples.length);
    if (plot) {
      plot.setData(data);
      return;
    }
    const ink = '#7b838b';
    const axis = { stroke: ink, font: '11px system-ui, sans-serif', grid: { stroke: '#8883', width: 1 } };
    plot = new uPlot(
      {
        width: box.clientWidth || 300,
        height: HEIGHT,
        padding: [6, 8, 0, 0],
        legend: { show: false },
        cursor: { show: false },
        scales: { x: { time: false } },
        axes: [
          { ...axis, size: 24 },
          { ...axis, size: 60, values: (_, ticks) => ticks.map((value) => String(Number(value.toPrecision(3)))) },
        ],
        series: [{}, ...STROKES.map((stroke, i) => ({ stroke, dash: DASHES[i], width: 1.5, points: { show: false } }))],
      },
      data,
      box,
    );
  };
  new ResizeObserver(() => {
    if (plot && box.clientWidth > 0) plot.setSize({ width: box.clientWidth, height: HEIGHT });
  }).observe(box);
  return {
    root,
    add(sample) {
      samples.push(sample);
      // Every second one of the past is enough.
      if (samples.length > MOST) samples = samples.filter((_, i) => i % 2 === 0);
    },
    cutAt(t) {
      samples = samples.filter((sample) => sample.t <= t);
    },
    draw,
  };
}
