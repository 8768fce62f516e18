/** Number fields that are read together, with their units. */
import type { Pose } from 'clearance/math';
import { quatToRollPitchYaw, rollPitchYawToQuat } from '../coordinates.js';
import { element } from '../dom.js';

export interface Numbers {
  readonly root: HTMLDivElement;
  show(values: readonly number[], disabled: boolean): void;
}

/** Number fields that are read together; what is no number is refused. */
export function createNumbers(
  prefix: string,
  fields: readonly { readonly name: string; readonly unit: string; readonly step: number }[],
  onChange: (values: readonly number[]) => void,
  onRefuse: () => void,
): Numbers {
  const inputs = fields.map(({ name, step }) => {
    const id = `${prefix}-${name.replace(' ', '-')}`;
    const input = element('input', { type: 'number', id, className: 'number', step: String(step) });
    input.addEventListener('change', () => {
      const isRefused = inputs.some(({ value }) => value.trim() === '' || !Number.isFinite(Number(value)));
      if (isRefused) onRefuse();
      else onChange(inputs.map(({ value }) => Number(value)));
    });
    return input;
  });
  const rows = inputs.map((input, i) =>
    element(
      'div',
      { className: 'pose-field' },
      element('label', { htmlFor: input.id }, fields[i].name),
      input,
      element('span', { className: 'unit' }, fields[i].unit),
    ),
  );
  return {
    root: element('div', { className: 'pose' }, ...rows),
    show(values, disabled) {
      for (const [i, input] of inputs.entries()) {
        input.value = values[i].toFixed(1);
        input.disabled = disabled;
      }
    },
  };
}

const DEGREE = Math.PI / 180;
const FIELDS = ['x', 'y', 'z', 'roll', 'pitch', 'yaw'] as const;

export interface PoseNumbers {
  readonly root: HTMLDivElement;
  show(pose: Pose, disabled: boolean): void;
}

/** Millimetres, and degrees about the fixed x, y, z axes in this order. */
export function createPoseNumbers(prefix: string, onChange: (pose: Pose) => void, onRefuse: () => void): PoseNumbers {
  const numbers = createNumbers(
    prefix,
    FIELDS.map((name, i) => ({ name, unit: i < 3 ? 'mm' : '°', step: i < 3 ? 10 : 5 })),
    (values) => {
      const [qx, qy, qz, qw] = rollPitchYawToQuat(values.slice(3).map((angle) => angle * DEGREE));
      onChange([values[0] / 1000, values[1] / 1000, values[2] / 1000, qx, qy, qz, qw]);
    },
    onRefuse,
  );
  return {
    root: numbers.root,
    show(pose, disabled) {
      const angles = quatToRollPitchYaw(pose.slice(3));
      numbers.show(
        FIELDS.map((_, i) => (i < 3 ? 1000 * pose[i] : angles[i - 3] / DEGREE)),
        disabled,
      );
    },
  };
}
