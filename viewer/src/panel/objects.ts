/** Objects of the scene: add, choose, move, turn, resize by handles or by numbers, duplicate, delete. */
import type { Shape } from 'clearance/geometry';
import type { Pose } from 'clearance/math';
import { element, field, fillSelect, section } from '../dom.js';
import { ADDED_KINDS, type AddedKind, isSized, listSizes, withSizes } from '../object-shapes.js';
import type { ObjectGizmoMode } from '../stage/gizmo.js';
import type { WorkspaceObject } from '../workspace.js';
import { createNumbers, createPoseNumbers, type Numbers } from './numbers.js';

export interface ObjectPanelHandlers {
  /** -1: none. */
  onSelect(index: number): void;
  onMove(index: number, pose: Pose): void;
  onReshape(index: number, shape: Shape): void;
  onMode(mode: ObjectGizmoMode): void;
  onSnap(snaps: boolean): void;
  onAdd(kind: AddedKind): void;
  onDuplicate(index: number): void;
  onDelete(index: number): void;
  /** Into the tool's hand, or out of it. */
  onHold(index: number): void;
}

export interface ObjectPanel {
  readonly root: HTMLDetailsElement;
  /** -1: none. */
  readonly selected: number;
  setObjects(objects: readonly WorkspaceObject[], hasTool?: boolean): void;
  /** Chooses an object and tells the handlers; -1: none. */
  select(index: number): void;
  /** Shows the chosen object's pose and sizes again after it was changed elsewhere. */
  refresh(): void;
}

const MODES: readonly (readonly [ObjectGizmoMode, string])[] = [
  ['translate', 'Move'],
  ['rotate', 'Turn'],
  ['scale', 'Resize'],
];

export function createObjectPanel(handlers: ObjectPanelHandlers): ObjectPanel {
  let objects: readonly WorkspaceObject[] = [];
  let mode: ObjectGizmoMode = 'translate';
  let hasTool = false;
  const choice = element('select', { id: 'object' });
  const at = (): number => Math.max(choice.selectedIndex - 1, -1);
  const add = ADDED_KINDS.map((kind) =>
    element(
      'button',
      { type: 'button', id: `add-${kind}`, 'aria-label': `Add ${kind}`, onclick: () => handlers.onAdd(kind) },
      kind[0].toUpperCase() + kind.slice(1),
    ),
  );
  const modes = MODES.map(([kind, name]) => {
    const pressed = String(kind === mode);
    const button = element('button', { type: 'button', id: `object-${kind}`, 'aria-pressed': pressed }, name);
    button.addEventListener('click', () => setMode(kind));
    return button;
  });
  const duplicate = element('button', { type: 'button', onclick: () => handlers.onDuplicate(at()) }, 'Duplicate');
  const remove = element('button', { type: 'button', onclick: () => handlers.onDelete(at()) }, 'Delete');
  const hold = element(
    'button',
    { type: 'button', id: 'object-hold', onclick: () => handlers.onHold(at()) },
    'Attach to tool',
  );
  const pose = createPoseNumbers('object', (next) => handlers.onMove(at(), next), refresh);
  const sizes = element('div', { className: 'pose' });
  const note = element('p', { className: 'message' });
  const tools = element('div', { className: 'toolbar' }, ...modes, duplicate, hold, remove);
  const snap = element('input', { type: 'checkbox', id: 'object-snap' });
  snap.addEventListener('change', () => handlers.onSnap(snap.checked));
  const snapping = element('label', { className: 'check', htmlFor: snap.id }, snap, 'Snap to the grid, and to 15°');
  const own = element('div', { className: 'object-own' }, tools, snapping, pose.root, sizes, note);
  const adders = element('div', { className: 'toolbar adders' }, element('span', { className: 'unit' }, 'Add'), ...add);
  const root = section('Objects', true, adders, field('Object', choice), own);
  choice.addEventListener('change', () => {
    refresh();
    handlers.onSelect(at());
  });

  function setMode(next: ObjectGizmoMode): void {
    mode = next;
    for (const [i, button] of modes.entries()) button.setAttribute('aria-pressed', String(MODES[i][0] === mode));
    handlers.onMode(mode);
  }

  function refresh(): void {
    const object = objects[at()];
    own.hidden = !object;
    if (!object) return;
    const { attachment, body } = object.scene;
    const [{ shape }] = body.parts;
    pose.show(object.pose, attachment !== null);
    note.textContent = attachment ? describeHold(attachment) : '';
    hold.textContent = attachment ? 'Detach' : 'Attach to tool';
    hold.hidden = !hasTool && !attachment;
    hold.disabled = shape.type === 'halfspace';
    const canResize = isSized(shape) && attachment === null;
    modes[2].disabled = !canResize;
    if (mode === 'scale' && !canResize) setMode('translate');
    remove.disabled = duplicate.disabled = attachment !== null;
    showSizes(canResize ? shape : null);
  }

  let shownSizes = '';
  let sizeFields: Numbers | null = null;
  function showSizes(shape: Shape | null): void {
    const list = shape ? listSizes(shape) : [];
    const names = list.map(({ name }) => name);
    if (names.join() !== shownSizes) {
      shownSizes = names.join();
      const fields = names.map((name) => ({ name, unit: 'mm', step: 10 }));
      sizeFields = createNumbers(
        'object',
        fields,
        (values) => {
          const [{ shape: now }] = objects[at()].scene.body.parts;
          const metres = values.map((value) => value / 1000);
          if (isSized(now) && metres.every((size) => size > 0)) handlers.onReshape(at(), withSizes(now, metres));
          else refresh();
        },
        refresh,
      );
      sizes.replaceChildren(...sizeFields.root.childNodes);
    }
    sizeFields?.show(
      list.map(({ value }) => 1000 * value),
      false,
    );
  }

  return {
    root,
    get selected() {
      return at();
    },
    setObjects(next, canHold = hasTool) {
      hasTool = canHold;
      const kept = objects[at()];
      objects = next;
      fillSelect(choice, ['None', ...objects.map(({ scene }) => scene.name)], kept ? objects.indexOf(kept) + 1 : 0);
      refresh();
    },
    select(index) {
      choice.selectedIndex = index + 1;
      refresh();
      handlers.onSelect(index);
    },
    refresh,
  };
}

function describeHold({ link, touchLinks }: NonNullable<WorkspaceObject['scene']['attachment']>): string {
  const others = [...touchLinks].filter((name) => name !== link);
  const may = others.length > 0 ? ` It may touch ${others.join(', ')}.` : '';
  return `Held by ${link}; it moves with the robot.${may}`;
}
