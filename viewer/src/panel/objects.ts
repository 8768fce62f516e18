/** Objects of the scene and where they stand: choose one, move it by numbers. */
import type { Pose } from 'clearance/math';
import { quatToRollPitchYaw, rollPitchYawToQuat } from '../coordinates.js';
import { element, field, fillSelect, section } from '../dom.js';
import type { WorkspaceObject } from '../workspace.js';

export interface ObjectPanelHandlers {
  onSelect(index: number): void;
  onMove(index: number, pose: Pose): void;
}

export interface ObjectPanel {
  readonly root: HTMLDetailsElement;
  readonly selected: number;
  setObjects(objects: readonly WorkspaceObject[]): void;
  /** Chooses an object, opens the section and tells the handlers. */
  select(index: number): void;
  /** Shows the chosen object's pose again after it was moved elsewhere. */
  refresh(): void;
}

const DEGREE = Math.PI / 180;
const FIELDS = ['x', 'y', 'z', 'roll', 'pitch', 'yaw'] as const;

export function createObjectPanel(handlers: ObjectPanelHandlers): ObjectPanel {
  let objects: readonly WorkspaceObject[] = [];
  const choice = element('select', { id: 'object' });
  const inputs = FIELDS.map((name, i) => {
    const input = element('input', {
      type: 'number',
      id: `object-${name}`,
      className: 'number',
      step: i < 3 ? '10' : '5',
    });
    input.addEventListener('change', () => {
      if (input.value.trim() === '' || inputs.some((field) => !Number.isFinite(Number(field.value)))) return refresh();
      const values = inputs.map((field) => Number(field.value));
      const [qx, qy, qz, qw] = rollPitchYawToQuat(values.slice(3).map((angle) => angle * DEGREE));
      handlers.onMove(choice.selectedIndex, [values[0] / 1000, values[1] / 1000, values[2] / 1000, qx, qy, qz, qw]);
    });
    return input;
  });
  const fields = inputs.map((input, i) =>
    element(
      'div',
      { className: 'pose-field' },
      element('label', { htmlFor: input.id }, FIELDS[i]),
      input,
      element('span', { className: 'unit' }, i < 3 ? 'mm' : '°'),
    ),
  );
  const note = element('p', { className: 'message' });
  const root = section(
    'Objects',
    false,
    field('Object', choice),
    element('div', { className: 'pose' }, ...fields),
    note,
  );
  choice.addEventListener('change', () => {
    refresh();
    handlers.onSelect(choice.selectedIndex);
  });
  root.addEventListener('toggle', () => {
    if (!root.open) handlers.onSelect(-1);
  });

  function refresh(): void {
    const object = objects[choice.selectedIndex];
    if (!object) return;
    const { attachment } = object.scene;
    const angles = quatToRollPitchYaw(object.pose.slice(3));
    inputs.forEach((input, i) => {
      input.value = i < 3 ? (1000 * object.pose[i]).toFixed(1) : (angles[i - 3] / DEGREE).toFixed(1);
      input.disabled = attachment !== null;
    });
    note.textContent = attachment ? `Held by ${attachment.link}; it moves with the robot.` : '';
  }

  return {
    root,
    get selected() {
      return root.open && !root.hidden ? choice.selectedIndex : -1;
    },
    setObjects(next) {
      objects = next;
      fillSelect(
        choice,
        objects.map(({ scene }) => scene.name),
        0,
      );
      root.hidden = objects.length === 0;
      refresh();
    },
    select(index) {
      root.open = true;
      choice.selectedIndex = index;
      refresh();
      handlers.onSelect(index);
    },
    refresh,
  };
}
