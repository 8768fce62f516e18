/** A small plot of some curves over one axis, as wide as what it lies in, in colours that tell curves apart on light and dark. */
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { element } from './dom.js';

export interface PanelCurve {
  readonly name: string;
  readonly stroke: () => string;
  readonly dash?: number[];
}

export interface CurvePanel {
  readonly root: HTMLElement;
  /** `shown`: the range of the values' axis, all of them when null; `remark` stands beside the title. */
  show(data: uPlot.AlignedData, shown?: readonly [number, number] | null, remark?: string): void;
  /** For those who do not see it. */
  describe(text: string): void;
  /** A line across all curves at a place of the axis; null: none. */
  mark(at: number | null): void;
}

export interface CurvePanelOptions {
  /** Words of a place of the axis, and of a value. */
  readonly formatAxis?: (at: number) => string;
  readonly formatValue?: (value: number) => string;
  /** A place of the axis was clicked. */
  readonly onPick?: (at: number) => void;
}

/** Okabe and Ito's blue, vermilion and green, lighter where the page is dark; dashes tell two curves apart as well. */
const COLOURS = {
  blue: { light: '#0072b2', dark: '#56b4e9' },
  green: { light: '#009e73', dark: '#2fd0a3' },
  vermilion: { light: '#d55e00', dark: '#ff9a4d' },
} as const;
const HEIGHT = 118;
const FONT = '11px system-ui, sans-serif';
export const DASHES = [5, 3];

const dark = window.matchMedia('(prefers-color-scheme: dark)');
const ink = (): string => (dark.matches ? '#a3abb4' : '#565d65');
const lines = (): string => (dark.matches ? '#363b41' : '#e3e5e7');

/** The colour as it is when something is drawn. */
export const strokeOf = (colour: keyof typeof COLOURS) => (): string =>
  COLOURS[colour][dark.matches ? 'dark' : 'light'];

export function createCurvePanel(
  title: string,
  curves: readonly PanelCurve[],
  { formatAxis = String, formatValue = shortValue, onPick }: CurvePanelOptions = {},
): CurvePanel {
  const box = element('div', { className: 'run-plot', role: 'img', 'aria-label': title });
  const keys = curves.length > 1 ? curves.map(({ name, dash }) => createKey(name, dash !== undefined)) : [];
  const note = element('span', {});
  const root = element(
    'figure',
    { className: 'run-figure' },
    element('figcaption', {}, element('span', {}, title), ...keys, note),
    box,
  );
  let plot: uPlot | null = null;
  let range: readonly [number, number] | null = null;
  let marked: number | null = null;
  const axis = (size: number): uPlot.Axis => ({
    stroke: ink,
    font: FONT,
    size,
    grid: { stroke: lines, width: 1 },
    ticks: { stroke: lines, width: 1, size: 4 },
  });
  const drawMark = (drawn: uPlot): void => {
    if (marked === null) return;
    const { ctx, bbox } = drawn;
    const x = Math.round(drawn.valToPos(marked, 'x', true)) + 0.5;
    ctx.save();
    ctx.strokeStyle = ink();
    ctx.setLineDash([]);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    ctx.restore();
  };
  const create = (data: uPlot.AlignedData): uPlot => {
    const made = new uPlot(
      {
        width: box.clientWidth || 300,
        height: HEIGHT,
        padding: [6, 8, 0, 0],
        legend: { show: false },
        cursor: { show: false },
        scales: { x: { time: false }, y: { range: (_, low, high) => widen(range ?? [low, high]) } },
        axes: [
          { ...axis(24), space: 70, values: (_, ticks) => ticks.map(formatAxis) },
          { ...axis(46), space: 26, values: (_, ticks) => ticks.map(formatValue) },
        ],
        series: [{}, ...curves.map(({ stroke, dash }) => ({ stroke, dash, width: 1.5, points: { show: false } }))],
        hooks: { draw: [drawMark] },
      },
      data,
      box,
    );
    if (onPick) made.over.addEventListener('click', (event) => onPick(made.posToVal(event.offsetX, 'x')));
    return made;
  };
  new ResizeObserver(() => {
    if (plot && box.clientWidth > 0) plot.setSize({ width: box.clientWidth, height: HEIGHT });
  }).observe(box);
  dark.addEventListener('change', () => plot?.redraw());
  return {
    root,
    show(data, shown = null, remark = '') {
      range = shown;
      note.textContent = remark;
      if (plot) plot.setData(data);
      else plot = create(data);
    },
    describe(text) {
      box.setAttribute('aria-label', `${title}: ${text}`);
    },
    mark(at) {
      marked = at;
      plot?.redraw(false);
    },
  };
}

function createKey(name: string, isDashed: boolean): HTMLElement {
  return element('span', { className: isDashed ? 'curve-key dashed' : 'curve-key' }, name);
}

function widen([low, high]: readonly [number, number]): [number, number] {
  const margin = high > low ? 0.06 * (high - low) : 1;
  return [low - margin, high + margin];
}

export function shortValue(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e6) return value.toExponential(0).replace('e+', 'e');
  return size >= 10_000 ? `${Math.round(value / 1000)}k` : String(Number(value.toPrecision(5)));
}
