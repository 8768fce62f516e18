/**
 * What a compiled check is made of: the spheres of each link in the frame that the trace has, with bounds of how far rounding can
 * put them, a ball around each link's spheres, and the pairs of links to compare.
 *
 * Coordinates that do not vary are constants: links that only they move stand still. Tested by compile-sphere-checks.test.ts.
 */
import type { LinkSpheres, SphereModel } from '../../geometry/sphere-model.js';
import { forwardKinematics } from '../../kinematics/forward-kinematics.js';
import { MisuseError } from '../../math/misuse.js';
import { cos, sin } from '../../math/scalar.js';
import { createData, type Model } from '../../model/model.js';
import { type Expression, ExpressionGraph } from '../expression-graph.js';
import type { CellLayout } from '../layout.js';
import { Mechanism } from '../trace-mechanism.js';
import { encloseSpheres } from './enclose-spheres.js';
import { boundJointErrors, boundPointError, type JointErrors } from './rounding.js';
import { placeSpheres, spheresInJoint } from './spheres-in-joint.js';

/** Entries of placements this near to 0 and +-1 count as such; what that moves is part of the errors. */
const SNAP = 1e-9;

export interface CheckedLink {
  readonly name: string;
  readonly joint: number;
  /** x, y, z, radius per sphere in the traced frame of the joint, f64. */
  readonly spheres: Float64Array;
  /** The same in the joint's own frame. */
  readonly inJoint: Float64Array;
  /** The nearest joint up from the link's that varies, 0 for none; the same spheres in its traced frame. */
  readonly anchor: number;
  readonly inAnchor: Float64Array;
  /** What is added to each radius so that rounding loses nothing. */
  readonly errors: Float64Array;
  /** A ball around the spheres, and its error. */
  readonly bound: Float64Array;
  readonly boundError: number;
  /** A ball that holds the bound's centre at all configurations: x, y, z, radius in W. */
  readonly reach: readonly [number, number, number, number];
  readonly isStill: boolean;
}

export interface CheckedCoordinate {
  /** In the model's q. */
  readonly index: number;
  readonly lower: number;
  readonly upper: number;
  /** Turns without limits: differences go the short way. */
  readonly wraps: boolean;
}

/** A joint angle: factor q[coordinate] + offset; or one along whose cosine and sine two coordinates lie. */
export interface CheckedAngle {
  /** Place among the sines and cosines. */
  readonly turn: number;
  /** Of the angle, or of the cosine. */
  readonly coordinate: number;
  /** Of the sine; -1 where the coordinate is the angle. */
  readonly sine: number;
  readonly factor: number;
  readonly offset: number;
}

/** An expression graph in which cells that do not vary are constants. */
export class FrozenGraph extends ExpressionGraph {
  constructor(readonly frozen: ReadonlyMap<number, number>) {
    super();
  }

  override input(cell: number): Expression {
    const value = this.frozen.get(cell);
    return value === undefined ? super.input(cell) : this.constant(value);
  }

  override squareRoot(x: Expression): Expression {
    const value = this.valueOf(x);
    return value >= 0 ? this.constant(Math.sqrt(value)) : super.squareRoot(x);
  }

  override selectPositive(test: Expression, positive: Expression, otherwise: Expression): Expression {
    const value = this.valueOf(test);
    if (Number.isNaN(value)) return super.selectPositive(test, positive, otherwise);
    return value > 0 ? positive : otherwise;
  }
}

export interface SphereRobot {
  readonly model: Model;
  readonly coordinates: readonly CheckedCoordinate[];
  readonly angles: readonly CheckedAngle[];
  /** Coordinates that the trace reads as they are, as places in `coordinates`: shifts, and quaternions. */
  readonly slides: readonly number[];
  /** Coordinates, by place, that together are of a length near one: quaternions, cosines with sines. */
  readonly units: readonly (readonly number[])[];
  /** Straight motions in the coordinates are the robot's motions: not where joints turn by several coordinates. */
  readonly isStraight: boolean;
  readonly frozen: ReadonlyMap<number, number>;
  readonly mechanism: Mechanism;
  /** Largest shift of each joint, metres. */
  readonly shifts: Float64Array;
  /** Per joint. */
  readonly errors: readonly JointErrors[];
  readonly links: readonly CheckedLink[];
  /** Indices into `links`. */
  readonly pairs: readonly (readonly [number, number])[];
}

const STRAIGHT = ['revolute', 'continuous', 'prismatic', 'helical'];
const MOVING = [...STRAIGHT, 'continuous-cos-sin', 'planar', 'floating', 'spherical'];
/** Shifts of joints with several coordinates that have no limits, metres: what lies beyond is never called free. */
const SHIFT_ROOM = 10;

/** What a robot holds, beside its links: spheres that move with one of its frames. */
export interface CarriedSpheres {
  /** Unlike any link's and that of anything else carried. */
  readonly name: string;
  /** Index into the model's frames. */
  readonly frame: number;
  /** x, y, z, radius in that frame, metres; at least one. */
  readonly spheres: Float64Array;
}

export interface SphereRobotRequest {
  readonly carried: readonly CarriedSpheres[];
  readonly spheres: SphereModel;
  readonly pairs: readonly (readonly [string, string])[];
  readonly indices: readonly number[];
  readonly rest: Float64Array;
}

export function createSphereRobot(
  call: string,
  model: Model,
  layout: CellLayout,
  request: SphereRobotRequest,
): SphereRobot {
  const { spheres, indices, rest } = request;
  const place = new Int32Array(model.nq).fill(-1);
  indices.forEach((index, i) => {
    place[index] = i;
  });
  requireWhole(call, model, indices);
  const coordinates = indices.map((index): CheckedCoordinate => {
    const j = findJointOf(model, index);
    const kind = model.jointKinds[j];
    if (kind === null || !MOVING.includes(kind.name)) {
      throw new MisuseError(
        `${call}: joint "${model.jointNames[j]}" of robot "${model.name}", got kind ${kind?.name} among the coordinates that vary, expected ${MOVING.join(', ')}`,
      );
    }
    const isShift = hasSeveral(kind) && index < model.idxQ[j] + kind.shiftCoordinates;
    const room = isShift ? SHIFT_ROOM : Infinity;
    const { lower, upper } = model;
    return {
      index,
      lower: lower[index] === -Infinity ? -room : lower[index],
      upper: upper[index] === Infinity ? room : upper[index],
      wraps: kind.name === 'continuous' && !Number.isFinite(upper[index] - lower[index]),
    };
  });
  const frozen = freezeCells(model, layout, place, rest);
  const graph = new FrozenGraph(frozen);
  const mechanism = new Mechanism(graph, model, layout, { snap: SNAP, movable: false, gravity: [0, 0, 0] });
  const shifts = boundShifts(call, model, place, rest);
  const errors = boundJointErrors(mechanism, shifts, SNAP);
  const data = createData(model);
  forwardKinematics(model, data, rest);
  const rested = data.jointPlacements;
  const context = { errors, shifts, place, rested };
  const links = spheres.links
    .filter(({ levels }) => levels[levels.length - 1].length > 0)
    .map((link) => readLink(call, mechanism, link, context));
  for (const carried of request.carried) links.push(readCarried(mechanism, carried, context));
  const byName = new Map(links.map(({ name }, i) => [name, i]));
  const pairs: [number, number][] = [];
  for (const [a, b] of request.pairs) {
    for (const name of [a, b]) {
      if (!model.linkIndex.has(name) && !byName.has(name))
        throw new MisuseError(`${call}: pairs, got link "${name}", expected links of robot "${model.name}"`);
    }
    const i = byName.get(a);
    const k = byName.get(b);
    if (i !== undefined && k !== undefined) pairs.push([i, k]);
  }
  return { model, coordinates, frozen, mechanism, shifts, errors, links, pairs, ...readMotion(model, layout, place) };
}

/** Whether a coordinate can vary in proofs of pairs that never touch: of a joint with one number, with limits where it slides. */
export function canVary(model: Model, index: number): boolean {
  const j = findJointOf(model, index);
  const kind = model.jointKinds[j]?.name ?? '';
  if (kind === 'prismatic') return model.upper[index] - model.lower[index] < Infinity;
  return kind === 'revolute' || kind === 'continuous';
}

/** Whether these coordinates can vary in compiled checks: unit vectors as a whole, shifts along an axis with limits. */
export function canVaryTogether(model: Model, indices: ArrayLike<number>): boolean {
  const list = Array.from(indices);
  return (
    findPartOfUnit(model, list) < 0 &&
    list.every((index) => {
      const kind = model.jointKinds[findJointOf(model, index)]?.name ?? '';
      if (kind === 'prismatic' || kind === 'helical') return model.upper[index] - model.lower[index] < Infinity;
      return MOVING.includes(kind);
    })
  );
}

const hasSeveral = ({ nq }: { readonly nq: number }): boolean => nq > 1;

/** First coordinates that form unit vectors: joint, place in q, number. */
function* listUnits(model: Model): Generator<{ joint: number; first: number; count: number }> {
  for (let j = 1; j < model.jointCount; j++) {
    const kind = model.jointKinds[j];
    if (kind === null || model.nqs[j] === 0 || kind.unitCoordinates === 0) continue;
    yield { joint: j, first: model.idxQ[j] + model.nqs[j] - kind.unitCoordinates, count: kind.unitCoordinates };
  }
}

/** A joint of whose unit vector only a part varies; -1 where there is none. */
function findPartOfUnit(model: Model, indices: readonly number[]): number {
  for (const { joint, first, count } of listUnits(model)) {
    const varying = indices.filter((index) => index >= first && index < first + count).length;
    if (varying > 0 && varying < count) return joint;
  }
  return -1;
}

function requireWhole(call: string, model: Model, indices: readonly number[]): void {
  const j = findPartOfUnit(model, indices);
  if (j < 0) return;
  throw new MisuseError(
    `${call}: joint "${model.jointNames[j]}" of robot "${model.name}", got some of the coordinates of its rotation among those that vary, expected all or none`,
  );
}

function findJointOf(model: Model, index: number): number {
  for (let j = 1; j < model.jointCount; j++)
    if (model.nqs[j] > 0 && index >= model.idxQ[j] && index < model.idxQ[j] + model.nqs[j]) return j;
  return 0;
}

/** Cells of coordinates, sines and cosines that do not vary. */
function freezeCells(model: Model, layout: CellLayout, place: Int32Array, rest: Float64Array): Map<number, number> {
  const frozen = new Map<number, number>();
  for (let i = 0; i < model.nq; i++) if (place[i] < 0) frozen.set(layout.q.start + i, rest[i]);
  for (let j = 1; j < model.jointCount; j++) {
    const turn = layout.turns[j];
    const at = model.idxQ[j];
    if (turn < 0 || place[turnCoordinate(model, layout, j)] >= 0) continue;
    let c: number;
    let s: number;
    if (turn < layout.angles.count) {
      const angle = model.mimicDrivers[j] > 0 ? model.mimicMultipliers[j] * rest[at] + model.mimicOffsets[j] : rest[at];
      c = cos(angle);
      s = sin(angle);
    } else {
      const shift = model.jointKinds[j]?.shiftCoordinates ?? 0;
      const length = Math.sqrt(rest[at + shift] ** 2 + rest[at + shift + 1] ** 2);
      c = length > 0 ? rest[at + shift] / length : 1;
      s = length > 0 ? rest[at + shift + 1] / length : 0;
    }
    frozen.set(layout.cosines.start + turn, c);
    frozen.set(layout.sines.start + turn, s);
  }
  return frozen;
}

/** The first coordinate that a joint turns by. */
function turnCoordinate(model: Model, layout: CellLayout, j: number): number {
  const isCircle = layout.turns[j] >= layout.angles.count;
  return model.idxQ[j] + (isCircle ? (model.jointKinds[j]?.shiftCoordinates ?? 0) : 0);
}

/** Metres per radian of a helical joint, from its motion subspace; that of one that mimics is scaled. */
export function pitchOf(model: Model, j: number): number {
  const mimics = model.mimicDrivers[j] > 0;
  const at = 6 * (mimics ? j : model.idxV[j]);
  const [x, y, z] = (mimics ? model.mimicSubspaces : model.motionSubspaces).subarray(at, at + 3);
  return Math.sqrt(x * x + y * y + z * z) / (mimics ? Math.abs(model.mimicMultipliers[j]) : 1);
}

/** Largest shift of each joint along its axis or in its plane. */
function boundShifts(call: string, model: Model, place: Int32Array, rest: Float64Array): Float64Array {
  const shifts = new Float64Array(model.jointCount);
  for (let j = 1; j < model.jointCount; j++) {
    const kind = model.jointKinds[j];
    const at = model.idxQ[j];
    if (kind === null) continue;
    if (hasSeveral(kind) && model.nqs[j] > 0) {
      let sum = 0;
      for (let i = at; i < at + kind.shiftCoordinates; i++) {
        const most = (x: number): number => (Number.isFinite(x) ? Math.abs(x) : SHIFT_ROOM);
        sum += place[i] < 0 ? rest[i] ** 2 : Math.max(most(model.lower[i]), most(model.upper[i])) ** 2;
      }
      shifts[j] = Math.sqrt(sum);
      continue;
    }
    const perUnit = kind.name === 'helical' ? pitchOf(model, j) : 1;
    if (place[at] < 0) {
      for (let i = 0; i < kind.shiftCoordinates; i++) shifts[j] += Math.abs(rest[at + i]);
      if (kind.name === 'prismatic' || kind.name === 'helical') shifts[j] = perUnit * (Math.abs(rest[at]) + 1);
      continue;
    }
    if (kind.name !== 'prismatic' && kind.name !== 'helical') continue;
    const mimics = model.mimicDrivers[j] > 0;
    const factor = mimics ? Math.abs(model.mimicMultipliers[j]) : 1;
    const offset = mimics ? Math.abs(model.mimicOffsets[j]) : 0;
    shifts[j] = perUnit * (factor * Math.max(Math.abs(model.lower[at]), Math.abs(model.upper[at])) + offset);
    if (!Number.isFinite(shifts[j])) {
      throw new MisuseError(
        `${call}: joint "${model.jointNames[j]}" of robot "${model.name}", got a shift without limits, expected limits`,
      );
    }
  }
  return shifts;
}

interface LinkContext {
  readonly errors: readonly JointErrors[];
  readonly shifts: Float64Array;
  readonly place: Int32Array;
  /** X_WJ of every joint while the coordinates that vary rest. */
  readonly rested: Float64Array;
}

function createLink(
  name: string,
  joint: number,
  inJoint: Float64Array,
  mechanism: Mechanism,
  context: LinkContext,
): CheckedLink {
  const spheres = toTraced(mechanism, joint, inJoint);
  const errors = new Float64Array(spheres.length / 4);
  const errorOf = (x: number, y: number, z: number): number =>
    boundPointError(context.errors[joint], Math.sqrt(x * x + y * y + z * z));
  for (let i = 0; i < errors.length; i++) errors[i] = errorOf(spheres[4 * i], spheres[4 * i + 1], spheres[4 * i + 2]);
  const bound = encloseSpheres(spheres);
  const anchor = findAnchor(mechanism.model, joint, context.place);
  const inAnchor =
    anchor === joint ? spheres : toTraced(mechanism, anchor, shiftFrame(inJoint, context.rested, joint, anchor));
  return {
    ...{ name, joint, spheres, inJoint, anchor, inAnchor },
    errors,
    bound,
    boundError: errorOf(bound[0], bound[1], bound[2]),
    ...boundReach(mechanism, joint, bound, context),
  };
}

function readLink(call: string, mechanism: Mechanism, link: LinkSpheres, context: LinkContext): CheckedLink {
  const { model } = mechanism;
  const index = model.linkIndex.get(link.link);
  if (index === undefined)
    throw new MisuseError(`${call}: spheres, got link "${link.link}", expected links of robot "${model.name}"`);
  return createLink(link.link, model.linkJoints[index], spheresInJoint(model, index, link), mechanism, context);
}

function readCarried(
  mechanism: Mechanism,
  { name, frame, spheres }: CarriedSpheres,
  context: LinkContext,
): CheckedLink {
  const { model } = mechanism;
  return createLink(name, model.frameJoints[frame], placeSpheres(model, frame, spheres), mechanism, context);
}

/** Spheres of a joint's frame in its traced frame. */
function toTraced(mechanism: Mechanism, joint: number, spheres: Float64Array): Float64Array {
  const R = mechanism.joints[joint].toModel;
  if (R === null) return spheres;
  const out = Float64Array.from(spheres);
  for (let i = 0; i < spheres.length; i += 4)
    for (let r = 0; r < 3; r++)
      out[i + r] = R[3 * r] * spheres[i] + R[3 * r + 1] * spheres[i + 1] + R[3 * r + 2] * spheres[i + 2];
  return out;
}

/** Up from a joint, past those of at most one coordinate that do not vary. */
function findAnchor(model: Model, joint: number, place: Int32Array): number {
  let j = joint;
  while (j > 0 && model.nqs[j] <= 1 && !doesVary(model, j, place)) j = model.parents[j];
  return j;
}

/** Spheres of joint `from` in the frame of joint `to`, as they are at rest. */
function shiftFrame(spheres: Float64Array, rested: Float64Array, from: number, to: number): Float64Array {
  const A = rested.subarray(12 * from, 12 * from + 12);
  const B = rested.subarray(12 * to, 12 * to + 12);
  const out = Float64Array.from(spheres);
  for (let i = 0; i < spheres.length; i += 4) {
    const d = [0, 1, 2].map(
      (r) =>
        A[3 * r] * spheres[i] + A[3 * r + 1] * spheres[i + 1] + A[3 * r + 2] * spheres[i + 2] + A[9 + r] - B[9 + r],
    );
    for (let r = 0; r < 3; r++) out[i + r] = B[r] * d[0] + B[3 + r] * d[1] + B[6 + r] * d[2];
  }
  return out;
}

/** The ball about the first joint that moves, which holds still, or about the joint itself where none does. */
function boundReach(
  mechanism: Mechanism,
  joint: number,
  bound: Float64Array,
  { shifts, place, rested }: LinkContext,
): Pick<CheckedLink, 'reach' | 'isStill'> {
  const { model } = mechanism;
  const isMoving = (j: number): boolean => doesVary(model, j, place);
  const chain = [...model.supports[joint]];
  const first = chain.findIndex(isMoving);
  const still = first < 0 ? joint : chain[first];
  const p = rested.subarray(12 * still + 9, 12 * still + 12);
  const toBound = Math.sqrt(bound[0] ** 2 + bound[1] ** 2 + bound[2] ** 2);
  let radius = toBound;
  if (first >= 0) {
    radius += 2 * shifts[still];
    for (const j of chain.slice(first + 1)) {
      const at = 12 * j + 9;
      const X = model.placements;
      radius += Math.sqrt(X[at] ** 2 + X[at + 1] ** 2 + X[at + 2] ** 2) + shifts[j];
    }
  }
  return { reach: [p[0], p[1], p[2], radius], isStill: first < 0 };
}

/** Whether a joint moves with what varies. */
function doesVary(model: Model, j: number, place: Int32Array): boolean {
  const at = model.idxQ[j];
  if (model.mimicDrivers[j] > 0) return place[at] >= 0;
  return model.nvs[j] > 0 && place.subarray(at, at + model.nqs[j]).some((x) => x >= 0);
}

function readMotion(
  model: Model,
  layout: CellLayout,
  place: Int32Array,
): Pick<SphereRobot, 'angles' | 'slides' | 'units' | 'isStraight'> {
  const angles: CheckedAngle[] = [];
  const slides = new Set<number>();
  let isStraight = true;
  for (let j = 1; j < model.jointCount; j++) {
    const kind = model.jointKinds[j];
    if (kind === null || !doesVary(model, j, place)) continue;
    if (!STRAIGHT.includes(kind.name)) isStraight = false;
    const mimics = model.mimicDrivers[j] > 0;
    const factor = mimics ? model.mimicMultipliers[j] : 1;
    const offset = mimics ? model.mimicOffsets[j] : 0;
    if (layout.turns[j] >= 0) {
      const first = turnCoordinate(model, layout, j);
      const coordinate = place[first];
      const sine = layout.turns[j] < layout.angles.count ? -1 : place[first + 1];
      if (coordinate >= 0) angles.push({ turn: layout.turns[j], coordinate, sine, factor, offset });
    }
    if (kind.name === 'prismatic' || kind.name === 'helical') slides.add(place[model.idxQ[j]]);
    const isQuaternion = kind.unitCoordinates === 4;
    const count = hasSeveral(kind) ? (isQuaternion ? model.nqs[j] : kind.shiftCoordinates) : 0;
    for (const x of place.subarray(model.idxQ[j], model.idxQ[j] + count)) if (x >= 0) slides.add(x);
  }
  const units: number[][] = [];
  for (const { first, count } of listUnits(model))
    if (place[first] >= 0) units.push([...place.subarray(first, first + count)]);
  return { angles, slides: [...slides], units, isStraight };
}
