/** A slider and a number for every coordinate of the shown robot, with its limits. */
import { listGroupJoints } from 'clearance/semantics';
import { type Coordinate, listCoordinates } from '../coordinates.js';
import { element, field, fillSelect, section } from '../dom.js';
import type { WorkspaceRobot } from '../workspace.js';

export interface JointPanelHandlers {
  /** The user set new values. */
  onChange(q: Float64Array): void;
  onNeutral(): void;
  onRandom(): void;
  onRobot(index: number): void;
}

export interface JointPanel {
  readonly root: HTMLDetailsElement;
  /** Rows for this robot; `index` is its place among `names`. */
  setRobot(robot: WorkspaceRobot | null, names: readonly string[], index: number): void;
  show(q: ArrayLike<number>): void;
}

interface Row {
  readonly coordinate: Coordinate;
  readonly number: HTMLInputElement | HTMLOutputElement;
  readonly slider: HTMLInputElement | null;
  readonly element: HTMLElement;
}

const DEGREE = Math.PI / 180;
/** Pixels a finger moves before it is clear whether it scrolls or slides. */
const UNDECIDED = 8;

/** Those of the group that was asked for, else all. */
function listShown({ model, scene, group }: WorkspaceRobot): Coordinate[] {
  const all = listCoordinates(model);
  if (group === null || !scene.semantic?.groups.some(({ name }) => name === group)) return all;
  const joints = listGroupJoints(scene.semantic, scene.description, group);
  return all.filter(({ joint }) => joints.has(joint));
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

export function createJointPanel(handlers: JointPanelHandlers): JointPanel {
  let degrees = true;
  let rows: Row[] = [];
  let robot: WorkspaceRobot | null = null;
  const list = element('div', { className: 'joints' });
  const unit = element('select', { id: 'angle-unit', className: 'push-right', 'aria-label': 'Unit of angles' });
  fillSelect(unit, ['degrees', 'radians'], 0);
  const robots = element('select', { id: 'robot' });
  const robotField = field('Robot', robots);
  const root = section(
    'Joints',
    true,
    robotField,
    element(
      'div',
      { className: 'toolbar' },
      element('button', { type: 'button', onclick: () => handlers.onNeutral() }, 'Neutral'),
      element('button', { type: 'button', onclick: () => handlers.onRandom() }, 'Random'),
      unit,
    ),
    list,
  );
  unit.addEventListener('change', () => {
    degrees = unit.selectedIndex === 0;
    build();
  });
  robots.addEventListener('change', () => handlers.onRobot(robots.selectedIndex));

  const factorOf = ({ unit: kind }: Coordinate): number => (kind === 'length' ? 1000 : degrees ? 1 / DEGREE : 1);
  const digitsOf = ({ unit: kind }: Coordinate): number => (kind === 'length' ? 1 : degrees ? 1 : 3);
  const unitOf = ({ unit: kind }: Coordinate): string => (kind === 'length' ? 'mm' : degrees ? '°' : 'rad');
  const format = (coordinate: Coordinate, value: number): string =>
    (value * factorOf(coordinate)).toFixed(digitsOf(coordinate)).replace(/^-(0(\.0*)?)$/, '$1');

  function build(): void {
    rows = robot ? listShown(robot).map(createRow) : [];
    list.replaceChildren(...rows.map((row) => row.element));
    root.hidden = rows.length === 0;
    if (robot) show(robot.scene.q);
  }

  function createRow(coordinate: Coordinate, index: number): Row {
    const id = `joint-${index}`;
    const { label, lower, upper, mimics } = coordinate;
    if (mimics !== undefined) {
      const output = element('output', { className: 'number', id });
      const name = element('span', { className: 'joint-name' }, label);
      const note = element('span', { className: 'joint-note' }, `follows ${mimics}`);
      return {
        coordinate,
        number: output,
        slider: null,
        element: element('div', { className: 'joint mimic' }, name, output, note),
      };
    }
    const slider = element('input', {
      type: 'range',
      id: `${id}-slider`,
      min: String(lower),
      max: String(upper),
      step: String((upper - lower) / 2000),
      'aria-label': label,
    });
    const number = element('input', {
      type: 'number',
      id,
      className: 'number',
      step: String(degrees || coordinate.unit === 'length' ? 1 : 0.01),
    });
    const isSwipe = watchSwipes(slider);
    slider.addEventListener('input', () => {
      if (!isSwipe()) set(coordinate, Number(slider.value));
    });
    number.addEventListener('change', () => {
      const value = Number(number.value) / factorOf(coordinate);
      if (number.value.trim() === '' || !Number.isFinite(value)) show(robot?.scene.q ?? []);
      else set(coordinate, coordinate.limited ? Math.min(Math.max(value, lower), upper) : value);
    });
    const range = coordinate.limited ? [format(coordinate, lower), format(coordinate, upper)] : ['free', 'free'];
    const row = element(
      'div',
      { className: 'joint' },
      element('label', { className: 'joint-name', htmlFor: id }, label),
      element('span', { className: 'joint-value' }, number, element('span', { className: 'unit' }, unitOf(coordinate))),
      element(
        'span',
        { className: 'joint-range' },
        element('span', { className: 'joint-limit', 'aria-hidden': 'true' }, range[0]),
        slider,
        element('span', { className: 'joint-limit', 'aria-hidden': 'true' }, range[1]),
      ),
    );
    return { coordinate, number, slider, element: row };
  }

  function set(coordinate: Coordinate, value: number): void {
    if (!robot) return;
    const q = robot.scene.q.slice();
    coordinate.write(q, value);
    handlers.onChange(q);
  }

  function show(q: ArrayLike<number>): void {
    for (const { coordinate, number, slider } of rows) {
      const value = coordinate.read(q);
      const text = format(coordinate, value);
      if (slider) {
        if (document.activeElement !== slider) slider.value = String(value);
        slider.setAttribute('aria-valuetext', `${text} ${unitOf(coordinate)}`);
      }
      if (number.value !== text) number.value = text;
    }
  }

  return {
    root,
    setRobot(next, names, index) {
      robot = next;
      fillSelect(robots, names, index);
      robotField.hidden = names.length < 2;
      build();
    },
    show,
  };
}
