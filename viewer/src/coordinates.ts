/**
 * Joint coordinates as people set them: one value per degree of freedom. Joints whose q holds quaternions or
 * (cos, sin) pairs are shown as angles: planar x, y, angle; floating x, y, z, roll, pitch, yaw; spherical roll, pitch, yaw.
 */
import { atan2, axisAngleToQuat, cos, multiplyQuat, sin } from 'clearance/math';
import { type Model, mimicValue } from 'clearance/model';

export interface Coordinate {
  readonly joint: string;
  readonly label: string;
  readonly unit: 'angle' | 'length';
  /** Range of the slider; the limits where the joint has them. */
  readonly lower: number;
  readonly upper: number;
  readonly limited: boolean;
  /** Follows another joint and cannot be set. */
  readonly mimics?: string;
  read(q: ArrayLike<number>): number;
  write(q: Float64Array, value: number): void;
}

const FREE_LENGTH = 2;

export function listCoordinates(model: Model): Coordinate[] {
  const coordinates: Coordinate[] = [];
  for (let j = 1; j < model.jointCount; j++) {
    const joint = model.jointNames[j];
    const at = model.idxQ[j];
    if (model.mimicDrivers[j] > 0) coordinates.push(mimicCoordinate(model, j));
    else if (model.nqs[j] === 1) coordinates.push(plainCoordinate(model, j));
    else if (model.nqs[j] > 0) {
      const { shiftCoordinates, unitCoordinates } = model.jointKinds[j]!;
      coordinates.push(...lengths(joint, ['x', 'y', 'z'].slice(0, shiftCoordinates), at));
      if (unitCoordinates === 2) coordinates.push(directionCoordinate(joint, at + shiftCoordinates));
      if (unitCoordinates === 4) coordinates.push(...rotationCoordinates(joint, at + shiftCoordinates));
    }
  }
  return coordinates;
}

function unitOf(model: Model, joint: number): Coordinate['unit'] {
  return model.jointKinds[joint]!.shiftCoordinates > 0 ? 'length' : 'angle';
}

function plainCoordinate(model: Model, j: number): Coordinate {
  const at = model.idxQ[j];
  const unit = unitOf(model, j);
  const free = unit === 'length' ? FREE_LENGTH : Math.PI;
  const limited = Number.isFinite(model.lower[at]) && Number.isFinite(model.upper[at]);
  return {
    joint: model.jointNames[j],
    label: model.jointNames[j],
    unit,
    lower: limited ? model.lower[at] : -free,
    upper: limited ? model.upper[at] : free,
    limited,
    read: (q) => q[at],
    write: (q, value) => {
      q[at] = value;
    },
  };
}

function mimicCoordinate(model: Model, j: number): Coordinate {
  return {
    joint: model.jointNames[j],
    label: model.jointNames[j],
    unit: unitOf(model, j),
    lower: -Infinity,
    upper: Infinity,
    limited: false,
    mimics: model.jointNames[model.mimicDrivers[j]],
    read: (q) => mimicValue(model, q, j),
    write: () => {},
  };
}

function lengths(joint: string, names: readonly string[], at: number): Coordinate[] {
  return names.map((name, i) => ({
    joint,
    label: `${joint} ${name}`,
    unit: 'length',
    lower: -FREE_LENGTH,
    upper: FREE_LENGTH,
    limited: false,
    read: (q) => q[at + i],
    write: (q, value) => {
      q[at + i] = value;
    },
  }));
}

/** Of a cosine and a sine. */
function directionCoordinate(joint: string, at: number): Coordinate {
  return {
    joint,
    label: `${joint} angle`,
    unit: 'angle',
    lower: -Math.PI,
    upper: Math.PI,
    limited: false,
    read: (q) => atan2(q[at + 1], q[at]),
    write: (q, value) => {
      q[at] = cos(value);
      q[at + 1] = sin(value);
    },
  };
}

function rotationCoordinates(joint: string, at: number): Coordinate[] {
  return ['roll', 'pitch', 'yaw'].map((name, i) => ({
    joint,
    label: `${joint} ${name}`,
    unit: 'angle',
    lower: i === 1 ? -Math.PI / 2 : -Math.PI,
    upper: i === 1 ? Math.PI / 2 : Math.PI,
    limited: false,
    read: (q) => quatToRollPitchYaw([q[at], q[at + 1], q[at + 2], q[at + 3]])[i],
    write: (q, value) => {
      const angles = quatToRollPitchYaw([q[at], q[at + 1], q[at + 2], q[at + 3]]);
      angles[i] = value;
      q.set(rollPitchYawToQuat(angles), at);
    },
  }));
}

/** Turns about the fixed x, y, z axes, in this order, as URDF writes them. */
export function rollPitchYawToQuat([roll, pitch, yaw]: readonly number[]): Float64Array {
  const out = axisAngleToQuat(new Float64Array(4), [1, 0, 0], roll);
  const turn = new Float64Array(4);
  multiplyQuat(out, axisAngleToQuat(turn, [0, 1, 0], pitch), out);
  return multiplyQuat(out, axisAngleToQuat(turn, [0, 0, 1], yaw), out);
}

/** At pitch +-90 degrees, where roll and yaw turn about the same axis, roll is taken as 0. */
export function quatToRollPitchYaw([x, y, z, w]: readonly number[]): [number, number, number] {
  const sine = Math.min(1, Math.max(-1, 2 * (w * y - z * x)));
  if (Math.abs(sine) > 1 - 1e-12) return [0, Math.sign(sine) * (Math.PI / 2), -2 * Math.sign(sine) * atan2(x, w)];
  return [
    atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)),
    atan2(sine, Math.sqrt((1 - sine) * (1 + sine))),
    atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)),
  ];
}
