/** One line for one coordinate: its name, a slider over its range, a number with its unit. */
import type { Coordinate } from '../coordinates.js';
import { element } from '../dom.js';

export interface JointRow {
  readonly coordinate: Coordinate;
  readonly element: HTMLElement;
  /** Shows the coordinate's value of q. */
  show(q: ArrayLike<number>): void;
}

export interface RowOptions {
  readonly degrees: boolean;
  /** Slider and number go beyond the joint's limits by its range. */
  readonly beyondLimits: boolean;
  /** The user set a value, in the model's units. */
  onSet(coordinate: Coordinate, value: number): void;
  /** What was typed is no number. */
  onRefuse(): void;
}

const DEGREE = Math.PI / 180;
const STEPS = 2000;
/** Pixels a finger moves before it is clear whether it scrolls or slides. */
const UNDECIDED = 8;
/** Letters at the end of a name that are always shown: its last word, if it is no longer than this, or so many. */
const LONGEST_END = 8;
const SHORT_END = 4;

export function createJointRow(coordinate: Coordinate, index: number, options: RowOptions): JointRow {
  const { degrees } = options;
  const isLength = coordinate.unit === 'length';
  const factor = isLength ? 1000 : degrees ? 1 / DEGREE : 1;
  const digits = isLength || degrees ? 1 : 3;
  const unit = isLength ? 'mm' : degrees ? '°' : 'rad';
  const format = (value: number): string => (value * factor).toFixed(digits).replace(/^-(0(\.0*)?)$/, '$1');
  const id = `joint-${index}`;
  if (coordinate.mimics !== undefined) return createMimicRow(coordinate, id, format);
  const { label, limited } = coordinate;
  const margin = options.beyondLimits ? coordinate.upper - coordinate.lower : 0;
  const [lower, upper] = [coordinate.lower - margin, coordinate.upper + margin];
  const slider = element('input', {
    type: 'range',
    id: `${id}-slider`,
    min: String(lower),
    max: String(upper),
    step: String((upper - lower) / STEPS),
    title: limited ? `${format(coordinate.lower)} to ${format(coordinate.upper)} ${unit}` : 'without limits',
    'aria-label': label,
  });
  const step = String(degrees || isLength ? 1 : 0.01);
  const number = element('input', { type: 'number', id, className: 'number', step, 'aria-label': label });
  const isSwipe = watchSwipes(slider);
  slider.addEventListener('input', () => {
    if (!isSwipe()) options.onSet(coordinate, Number(slider.value));
  });
  number.addEventListener('change', () => {
    const value = Number(number.value) / factor;
    if (number.value.trim() === '' || !Number.isFinite(value)) options.onRefuse();
    else options.onSet(coordinate, limited ? Math.min(Math.max(value, lower), upper) : value);
  });
  const name = element('label', { className: 'joint-name', htmlFor: id, title: label }, ...breakName(label));
  const value = element('span', { className: 'joint-value' }, number, element('span', { className: 'unit' }, unit));
  return {
    coordinate,
    element: element('div', { className: 'joint' }, name, slider, value),
    show(q) {
      const now = coordinate.read(q);
      const text = format(now);
      if (document.activeElement !== slider) slider.value = String(now);
      slider.setAttribute('aria-valuetext', `${text} ${unit}`);
      slider.classList.toggle('beyond', limited && (now < coordinate.lower || now > coordinate.upper));
      if (number.value !== text) number.value = text;
    },
  };
}

/** Where a name is too long for its place, what goes is before its end: that is what tells joints of one limb apart. */
function breakName(name: string): HTMLElement[] {
  const words = name.lastIndexOf('_');
  const at = words > 0 && name.length - words <= LONGEST_END ? words : Math.max(0, name.length - SHORT_END);
  return [element('span', {}, name.slice(0, at)), element('span', {}, name.slice(at))];
}

function createMimicRow(coordinate: Coordinate, id: string, format: (value: number) => string): JointRow {
  const output = element('output', { className: 'number', id });
  const name = element('span', { className: 'joint-name', title: coordinate.label }, ...breakName(coordinate.label));
  const note = element('span', { className: 'joint-note' }, `follows ${coordinate.mimics}`);
  return {
    coordinate,
    element: element('div', { className: 'joint mimic' }, name, output, note),
    show(q) {
      output.value = format(coordinate.read(q));
    },
  };
}

/**
 * A finger that lands on a slider to scroll the page sets it first: as long as it is not clear which of the two is meant, the
 * slider keeps its value. Returns whether its value is held back.
 */
function watchSwipes(slider: HTMLInputElement): () => boolean {
  let start: { readonly x: number; readonly y: number; readonly value: string } | null = null;
  const release = (keep: boolean): void => {
    if (!start) return;
    const { value } = start;
    start = null;
    if (keep) slider.dispatchEvent(new Event('input'));
    else slider.value = value;
  };
  slider.addEventListener(
    'pointerdown',
    ({ pointerType, clientX: x, clientY: y }) => {
      if (pointerType === 'touch') start = { x, y, value: slider.value };
    },
    { capture: true },
  );
  slider.addEventListener('pointermove', ({ clientX, clientY }) => {
    if (!start) return;
    const [across, along] = [Math.abs(clientX - start.x), Math.abs(clientY - start.y)];
    if (Math.max(across, along) > UNDECIDED) release(across > along);
  });
  // A tap sets the slider; a swipe that the page took over puts it back.
  slider.addEventListener('pointerup', () => release(true));
  slider.addEventListener('pointercancel', () => release(false));
  return () => start !== null;
}
