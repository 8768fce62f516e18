/** The coordinates of the shown robot, one line each: of one group of its SRDF or all, by part of their names. */
import { listGroupJoints } from 'clearance/semantics';
import { type Coordinate, listCoordinates } from '../coordinates.js';
import { element, field, fillSelect, section } from '../dom.js';
import type { WorkspaceRobot } from '../workspace.js';
import { createJointRow, type JointRow } from './joint-row.js';

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
  /** Robot files to choose from beside the one that is shown; empty hides the choice. */
  setFiles(paths: readonly string[], shown: number, onChoose: (path: string) => void): void;
  /** Marks the rows of a joint; null: of none. */
  light(joint: string | null): void;
}

/** Fewer joints need no search. */
const MANY = 12;

export function createJointPanel(handlers: JointPanelHandlers): JointPanel {
  let rows: JointRow[] = [];
  let robot: WorkspaceRobot | null = null;
  let groups: readonly string[] = [];
  const list = element('div', { className: 'joints' });
  const unit = element('select', { id: 'angle-unit', className: 'push-right', 'aria-label': 'Unit of angles' });
  fillSelect(unit, ['degrees', 'radians'], 0);
  const robots = element('select', { id: 'robot' });
  const robotField = field('Robot', robots);
  const files = element('select', { id: 'robot-file' });
  const filesField = field('File', files);
  filesField.hidden = true;
  let onFile: (path: string) => void = () => {};
  let paths: readonly string[] = [];
  files.addEventListener('change', () => onFile(paths[files.selectedIndex]));
  const group = element('select', { id: 'joint-group' });
  const groupField = field('Group', group);
  const filter = element('input', { type: 'search', id: 'joint-filter', placeholder: 'part of a name' });
  const filterField = field('Filter', filter);
  const beyond = element('input', { type: 'checkbox', id: 'beyond-limits' });
  const root = section(
    'Joints',
    true,
    filesField,
    robotField,
    element(
      'div',
      { className: 'toolbar' },
      element('button', { type: 'button', onclick: () => handlers.onNeutral() }, 'Neutral'),
      element('button', { type: 'button', onclick: () => handlers.onRandom() }, 'Random'),
      unit,
    ),
    groupField,
    filterField,
    list,
    element('label', { className: 'check', htmlFor: beyond.id }, beyond, 'Ignore limits'),
  );
  for (const control of [unit, group, beyond]) control.addEventListener('change', build);
  filter.addEventListener('input', filterRows);
  robots.addEventListener('change', () => handlers.onRobot(robots.selectedIndex));

  function build(): void {
    const options = {
      degrees: unit.selectedIndex === 0,
      beyondLimits: beyond.checked,
      onSet: set,
      onRefuse: () => show(robot?.scene.q ?? []),
    };
    const chosen = group.selectedIndex > 0 ? groups[group.selectedIndex - 1] : (robot?.group ?? null);
    const coordinates = robot ? listShown(robot, chosen) : [];
    rows = coordinates.map((coordinate, i) => createJointRow(coordinate, i, options));
    list.replaceChildren(...rows.map((row) => row.element));
    filterField.hidden = rows.length < MANY;
    root.hidden = robot === null || listCoordinates(robot.model).length === 0;
    filterRows();
    if (robot) show(robot.scene.q);
  }

  function filterRows(): void {
    const wanted = filterField.hidden ? '' : filter.value.trim().toLowerCase();
    for (const row of rows) row.element.hidden = !row.coordinate.label.toLowerCase().includes(wanted);
  }

  function set(coordinate: Coordinate, value: number): void {
    if (!robot) return;
    const q = robot.scene.q.slice();
    coordinate.write(q, value);
    handlers.onChange(q);
  }

  function show(q: ArrayLike<number>): void {
    for (const row of rows) row.show(q);
  }

  return {
    root,
    setRobot(next, names, index) {
      robot = next;
      fillSelect(robots, names, index);
      robotField.hidden = names.length < 2;
      groups = (robot?.scene.semantic?.groups ?? []).map(({ name }) => name);
      fillSelect(group, ['All joints', ...groups], Math.max(groups.indexOf(robot?.group ?? '') + 1, 0));
      groupField.hidden = groups.length === 0;
      filter.value = '';
      build();
    },
    show,
    setFiles(next, shown, onChoose) {
      paths = next;
      onFile = onChoose;
      filesField.hidden = paths.length === 0;
      fillSelect(files, paths, shown);
    },
    light(joint) {
      for (const row of rows) row.element.classList.toggle('lit', row.coordinate.joint === joint);
    },
  };
}

/** Those of the group, else all. */
function listShown({ model, scene }: WorkspaceRobot, group: string | null): Coordinate[] {
  const all = listCoordinates(model);
  if (group === null || !scene.semantic?.groups.some(({ name }) => name === group)) return all;
  const joints = listGroupJoints(scene.semantic, scene.description, group);
  return all.filter(({ joint }) => joints.has(joint));
}
