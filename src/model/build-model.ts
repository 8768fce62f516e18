/**
 * Builds the frozen Model of a robot description.
 *
 * Method: 1. resolve links and joints into trees (`resolve-tree.ts`) and mimic chains (`resolve-mimic.ts`), reporting
 * faults as issues; 2. walk depth first, children in file order, giving each moving joint a number and merging fixed ones
 * into the body before them; 3. write the flat arrays of `model.ts`.
 * Source of the merging rule: Featherstone 2008, section 2.13 (sum of inertias, parallel axes), doi:10.1007/978-1-4899-7560-7.
 * Cost: linear in links and joints; no recursion.
 * Fails: numbers that are not finite, or an origin that is no rotation, throw a RangeError naming the element.
 * Tested by build-model.test.ts and test/oracle/forward-kinematics.test.ts.
 */

import { type Fields, numbers, oneOf, requireOptions } from '../math/arguments.js';
import { addPointInertiaAt, describeImpossibleInertia, expandSymmetric, rotateInertia } from '../math/inertia.js';
import { determinantMat3 } from '../math/mat3.js';
import { MisuseError } from '../math/misuse.js';
import { createTransform, multiplyTransform, transformPoint } from '../math/transform.js';
import { normalizeVec3 } from '../math/vec3.js';
import type { InertialDescription, JointDescription, ModelDescription } from './description.js';
import { findUnwrappedDrivers, narrowDrivers, type Range } from './follower-limits.js';
import type { ModelIssue } from './issue.js';
import { findJointKind, hasRange, selectJointKind } from './joints/index.js';
import type { JointKind } from './joints/joint-kind.js';
import { listParts } from './lay-out-parts.js';
import { type Frame, type Model, Shortcut } from './model.js';
import { requireDescription } from './require-description.js';
import { type ResolvedMimic, resolveMimics } from './resolve-mimic.js';
import { resolveTree } from './resolve-tree.js';

const OPTIONS: Fields = {
  base: oneOf('fixed', 'floating', 'planar'),
  mimic: oneOf('honour', 'ignore'),
  continuous: oneOf('angle', 'cos-sin'),
  basePlacement: numbers,
};

export interface BuildModelOptions {
  /** `floating` and `planar` put a joint named `root_joint` first. Default `fixed`. */
  readonly base?: 'fixed' | 'floating' | 'planar';
  /** `ignore` leaves every mimic joint free. Default `honour`. */
  readonly mimic?: 'honour' | 'ignore';
  /** Coordinates of continuous joints: one angle, or cosine and sine. Joints that mimic or are mimicked keep the angle. */
  readonly continuous?: 'angle' | 'cos-sin';
  /** X_WB, where the base stands. Default identity. */
  readonly basePlacement?: ArrayLike<number>;
}

export interface BuiltModel {
  readonly model: Model;
  readonly issues: readonly ModelIssue[];
}

/** A joint being collected, and where its numbers go. */
interface PendingJoint {
  readonly name: string;
  readonly parent: number;
  readonly kind: JointKind | null;
  readonly description: JointDescription | null;
  readonly placement: Float64Array;
  readonly axis: Float64Array;
  readonly mimic: ResolvedMimic | null;
  /** Its position range where followers narrow it. */
  readonly range: Range | null;
  /** Parts of the same composite joint that follow. */
  readonly partsAfter: number;
  readonly inertials: { readonly X_JL: Float64Array; readonly inertial: InertialDescription }[];
}

const IDENTITY = createTransform();
/** Joints of a Model have constant subspaces: none reads q. */
const ANY_Q = new Float64Array(0);

export function buildModel(description: ModelDescription, options: BuildModelOptions = {}): BuiltModel {
  requireOptions('buildModel', options, OPTIONS);
  requireDescription('buildModel', description);
  const base = options.base ?? 'fixed';
  const basePlacement = createTransform();
  if (options.basePlacement) {
    checkTransform(options.basePlacement, 'basePlacement');
    basePlacement.set(options.basePlacement as Float64Array);
  }
  checkNumbers(description);
  const issues: ModelIssue[] = [];
  const tree = resolveTree(description, issues);
  reportImpossibleInertias(description, issues);
  const usedJoints = tree.children.flat();
  const mimics = options.mimic === 'ignore' ? new Map<string, ResolvedMimic>() : resolveMimics(usedJoints, issues);
  const jointNames = new Set(usedJoints.map((joint) => joint.name));
  const ranges = narrowDrivers(usedJoints, mimics, issues);
  const unwrapped = findUnwrappedDrivers(usedJoints, mimics, ranges);
  const drivers = new Set([...mimics.values()].map((mimic) => mimic.driver));

  const joints: PendingJoint[] = [createPending({ name: 'universe', parent: -1, kind: null })];
  const frames: Frame[] = [];
  const framePlacements: Float64Array[] = [];
  const linkJoints = new Int32Array(tree.links.length);
  const linkFrames = new Int32Array(tree.links.length);

  let root = 0;
  if (base !== 'fixed') {
    if (usedJoints.some((joint) => joint.name === 'root_joint')) {
      issues.push({
        severity: 'warning',
        code: 'root-joint-name',
        element: 'joint "root_joint"',
        message: `the ${base} base joint is called root_joint too; the name means the base, rename the joint in the file`,
      });
    }
    root = 1;
    joints.push(createPending({ name: 'root_joint', parent: 0, kind: selectJointKind(base, 'angle') }));
    frames.push({ name: 'root_joint', kind: 'joint', joint: root, link: tree.roots[0] ?? -1 });
    framePlacements.push(createTransform());
  }

  // Depth first with an explicit stack; pushed in reverse so that the first child in file order is taken first.
  interface Visit {
    readonly link: number;
    readonly joint: JointDescription | null;
    readonly carrier: number;
    readonly X_JP: Float64Array;
  }
  const stack: Visit[] = [];
  for (const link of [...tree.roots].reverse()) {
    stack.push({ link, joint: null, carrier: root, X_JP: createTransform() });
  }
  while (stack.length > 0) {
    const visit = stack.pop() as Visit;
    let carrier = visit.carrier;
    let X_JL = visit.X_JP;
    if (visit.joint) {
      const joint = visit.joint;
      const mimic = mimics.get(joint.name) ?? null;
      const angle = options.continuous !== 'cos-sin' || mimic !== null || drivers.has(joint.name);
      const held = mimic !== null && mimic.driver === null;
      X_JL = multiplyTransform(createTransform(), visit.X_JP, joint.origin);
      if (held) {
        const kind = selectJointKind(joint.type, 'angle');
        X_JL = holdAt(X_JL, kind, readAxis(joint, null), mimic.offset);
      } else if (joint.type !== 'fixed') {
        const parts = listParts(joint, (name) => jointNames.has(name));
        parts.forEach((part, k) => {
          const pending = createPending({
            name: part.name,
            parent: carrier,
            // A full turn of what others follow by halves is another placement: it counts turns, as a revolute joint does.
            kind: unwrapped.has(part.name)
              ? selectJointKind(part.type, 'turns', part.pitch)
              : selectJointKind(part.type, angle ? 'angle' : 'cos-sin', part.pitch),
            range: ranges.get(part.name) ?? null,
            description: part,
            placement: part === joint ? X_JL : multiplyTransform(createTransform(), X_JL, part.origin),
            axis: readAxis(part, issues),
            mimic,
            partsAfter: parts.length - 1 - k,
          });
          carrier = joints.push(pending) - 1;
          X_JL = createTransform();
        });
      }
      frames.push({ name: joint.name, kind: 'joint', joint: carrier, link: visit.link });
      framePlacements.push(X_JL);
    }
    linkJoints[visit.link] = carrier;
    linkFrames[visit.link] = frames.length;
    const link = tree.links[visit.link];
    frames.push({ name: link.name, kind: 'link', joint: carrier, link: visit.link });
    framePlacements.push(X_JL);
    if (link.inertial) joints[carrier].inertials.push({ X_JL, inertial: link.inertial });
    for (const child of [...tree.children[visit.link]].reverse()) {
      stack.push({ link: tree.linkIndex.get(child.child) as number, joint: child, carrier, X_JP: X_JL });
    }
  }

  const model: Model = {
    name: description.name,
    ...layOutJoints(joints, issues),
    ...mergeInertias(joints),
    frameCount: frames.length,
    frames: Object.freeze(frames.map((frame) => Object.freeze(frame))),
    frameJoints: Int32Array.from(frames, (frame) => frame.joint),
    framePlacements: concatenate(framePlacements),
    framesAtJoint: Uint8Array.from(framePlacements, (X) => (X.every((x, i) => x === IDENTITY[i]) ? 1 : 0)),
    linkCount: tree.links.length,
    linkNames: Object.freeze(tree.links.map((link) => link.name)),
    linkJoints,
    linkFrames,
    linkIndex: tree.linkIndex,
    basePlacement,
  };
  return { model: Object.freeze(model), issues };
}

/** Kept as they are: kinematics and collisions do not read them. */
function reportImpossibleInertias({ links }: ModelDescription, issues: ModelIssue[]): void {
  for (const { name, inertial } of links) {
    const reason = inertial && describeImpossibleInertia(inertial.mass, inertial.inertia);
    if (!reason) continue;
    issues.push({
      severity: 'warning',
      code: 'impossible-inertia',
      element: `link "${name}"`,
      message: `${reason}; no body is like that, correct its inertial: dynamics computes with it as it is, and its results mean nothing`,
    });
  }
}

function createPending(joint: Pick<PendingJoint, 'name' | 'parent' | 'kind'> & Partial<PendingJoint>): PendingJoint {
  return {
    description: null,
    placement: createTransform(),
    axis: Float64Array.of(0, 0, 1),
    mimic: null,
    range: null,
    partsAfter: 0,
    inertials: [],
    ...joint,
  };
}

/** The placement of a one-coordinate joint stuck at a value. */
function holdAt(X_JP: Float64Array, kind: JointKind, axis: Float64Array, value: number): Float64Array {
  const X_PM = createTransform();
  kind.place(X_PM, 0, axis, 0, Float64Array.of(value), 0);
  return multiplyTransform(createTransform(), X_JP, X_PM);
}

/** Unit axis; a zero axis on a joint that needs one is reported and replaced by x. */
function readAxis(joint: JointDescription, issues: ModelIssue[] | null): Float64Array {
  const axis = normalizeVec3(new Float64Array(3), joint.axis);
  if (axis[0] === 0 && axis[1] === 0 && axis[2] === 0) {
    axis[0] = 1;
    if (findJointKind(joint.type)?.usesAxis !== false) {
      issues?.push({
        severity: 'error',
        code: 'zero-axis',
        element: `joint "${joint.name}"`,
        message: 'its axis has length zero; the x axis is used',
      });
    }
  }
  return axis;
}

type JointArrays = Pick<
  Model,
  | 'nq'
  | 'nv'
  | 'jointCount'
  | 'jointNames'
  | 'jointKinds'
  | 'jointDescriptions'
  | 'shortcuts'
  | 'parents'
  | 'subtreeEnds'
  | 'supports'
  | 'placements'
  | 'axes'
  | 'wholeJoints'
  | 'idxQ'
  | 'idxV'
  | 'nqs'
  | 'nvs'
  | 'motionSubspaces'
  | 'mimicDrivers'
  | 'mimicMultipliers'
  | 'mimicOffsets'
  | 'mimicSubspaces'
  | 'lower'
  | 'upper'
  | 'velocityLimits'
  | 'effortLimits'
  | 'jointIndex'
>;

function layOutJoints(joints: readonly PendingJoint[], issues: ModelIssue[]): JointArrays {
  const count = joints.length;
  const jointIndex = new Map<string, number>();
  const idxQ = new Int32Array(count);
  const idxV = new Int32Array(count);
  const nqs = new Int32Array(count);
  const nvs = new Int32Array(count);
  const mimicDrivers = new Int32Array(count);
  const mimicMultipliers = new Float64Array(count);
  const mimicOffsets = new Float64Array(count);
  const mimicSubspaces = new Float64Array(6 * count);
  const subtreeEnds = new Int32Array(count);
  let nq = 0;
  let nv = 0;
  for (let j = 1; j < count; j++) {
    const joint = joints[j];
    if (!jointIndex.has(joint.name)) jointIndex.set(joint.name, j);
    if (joint.kind === null || joint.mimic) continue;
    idxQ[j] = nq;
    idxV[j] = nv;
    nqs[j] = joint.kind.nq;
    nvs[j] = joint.kind.nv;
    nq += joint.kind.nq;
    nv += joint.kind.nv;
  }
  for (let j = count - 1; j >= 0; j--) {
    subtreeEnds[j] = Math.max(subtreeEnds[j], j + 1);
    if (j > 0) {
      const parent = joints[j].parent;
      subtreeEnds[parent] = Math.max(subtreeEnds[parent], subtreeEnds[j]);
    }
  }
  const axes = new Float64Array(3 * count);
  const placements = new Float64Array(12 * count);
  const motionSubspaces = new Float64Array(6 * nv);
  const lower = new Float64Array(nq).fill(Number.NEGATIVE_INFINITY);
  const upper = new Float64Array(nq).fill(Number.POSITIVE_INFINITY);
  const velocityLimits = new Float64Array(nv).fill(Number.POSITIVE_INFINITY);
  const effortLimits = new Float64Array(nv).fill(Number.POSITIVE_INFINITY);
  joints.forEach((joint, j) => {
    axes.set(joint.axis, 3 * j);
    placements.set(joint.placement, 12 * j);
    if (joint.kind === null) return;
    if (joint.mimic) {
      const driver = jointIndex.get(joint.mimic.driver as string) as number;
      mimicDrivers[j] = driver;
      mimicMultipliers[j] = joint.mimic.multiplier;
      mimicOffsets[j] = joint.mimic.offset;
      idxQ[j] = idxQ[driver];
      idxV[j] = idxV[driver];
      joint.kind.writeSubspace(mimicSubspaces, 6 * j, axes, 3 * j, ANY_Q, 0);
      for (let i = 6 * j; i < 6 * j + 6; i++) mimicSubspaces[i] *= joint.mimic.multiplier;
    } else {
      joint.kind.writeSubspace(motionSubspaces, 6 * idxV[j], axes, 3 * j, ANY_Q, 0);
      if (joint.description) writeLimits(joint, idxQ[j], idxV[j]);
    }
  });

  function writeLimits(joint: PendingJoint, iq: number, iv: number): void {
    const { limits, type } = joint.description as JointDescription;
    const kind = joint.kind as JointKind;
    if (kind.nq === 1 && hasRange(findJointKind(type))) {
      let from = limits?.lower ?? Number.NEGATIVE_INFINITY;
      let to = limits?.upper ?? Number.POSITIVE_INFINITY;
      if (from > to) {
        issues.push({
          severity: 'error',
          code: 'limits-reversed',
          element: `joint "${joint.name}"`,
          message: `its lower limit ${from} is above its upper limit ${to}; they are exchanged`,
        });
        [from, to] = [to, from];
      }
      lower[iq] = from;
      upper[iq] = to;
    }
    if (joint.range) {
      lower[iq] = joint.range.lower;
      upper[iq] = joint.range.upper;
    }
    for (let i = iv; i < iv + kind.nv; i++) {
      velocityLimits[i] = limits?.velocity ?? Number.POSITIVE_INFINITY;
      effortLimits[i] = limits?.effort ?? Number.POSITIVE_INFINITY;
    }
  }

  return {
    nq,
    nv,
    jointCount: count,
    jointNames: Object.freeze(joints.map((joint) => joint.name)),
    jointKinds: Object.freeze(joints.map((joint) => joint.kind)),
    jointDescriptions: Object.freeze(joints.map((joint) => joint.description)),
    shortcuts: Uint8Array.from(joints, selectShortcut),
    parents: Int32Array.from(joints, (joint) => Math.max(0, joint.parent)),
    subtreeEnds,
    supports: createSupports(joints),
    placements,
    axes,
    wholeJoints: Int32Array.from(joints, (joint, j) => j + joint.partsAfter),
    idxQ,
    idxV,
    nqs,
    nvs,
    motionSubspaces,
    mimicDrivers,
    mimicMultipliers,
    mimicOffsets,
    mimicSubspaces,
    lower,
    upper,
    velocityLimits,
    effortLimits,
    jointIndex,
  };
}

/** Above this many numbers in all lists together (a chain of some 2,800 joints) each is made when it is first asked for. */
const MOST_SUPPORTS = 4_000_000;

/** Joints from the root to each joint: quadratic in a chain's length, which nobody asks for in full. */
function createSupports(joints: readonly PendingJoint[]): readonly Int32Array[] {
  const depths = new Int32Array(joints.length);
  let total = 0;
  for (let j = 1; j < joints.length; j++) {
    depths[j] = depths[joints[j].parent] + 1;
    total += depths[j];
  }
  const list = (j: number): Int32Array => {
    const support = new Int32Array(depths[j]);
    for (let at = j; at > 0; at = joints[at].parent) support[depths[at] - 1] = at;
    return support;
  };
  if (total <= MOST_SUPPORTS) return Object.freeze(joints.map((_, j) => list(j)));
  const supports: Int32Array[] = new Array(joints.length);
  for (let j = 0; j < joints.length; j++) {
    let made: Int32Array | undefined;
    Object.defineProperty(supports, j, {
      enumerable: true,
      get: () => {
        made ??= list(j);
        return made;
      },
    });
  }
  return Object.freeze(supports);
}

function selectShortcut(joint: PendingJoint): number {
  if (joint.kind?.motion === 'translation') return Shortcut.Shift;
  if (joint.kind?.motion !== 'rotation') return Shortcut.General;
  const [x, y, z] = joint.axis;
  if (x === 1) return Shortcut.TurnX;
  if (y === 1) return Shortcut.TurnY;
  if (z === 1) return Shortcut.TurnZ;
  return Shortcut.Turn;
}

/** Sums what fixed links carry: total mass, common centre of mass, inertia about it in the joint's axes. */
function mergeInertias(joints: readonly PendingJoint[]): Pick<Model, 'masses' | 'centersOfMass' | 'inertias'> {
  const masses = new Float64Array(joints.length);
  const centersOfMass = new Float64Array(3 * joints.length);
  const inertias = new Float64Array(9 * joints.length);
  const X_JC = createTransform();
  const turned = new Float64Array(9);
  const center = new Float64Array(3);
  joints.forEach((joint, j) => {
    const parts = joint.inertials.map(({ X_JL, inertial }) => {
      multiplyTransform(X_JC, X_JL, inertial.origin);
      rotateInertia(turned, X_JC, expandSymmetric(turned, inertial.inertia));
      transformPoint(center, X_JL, [inertial.origin[9], inertial.origin[10], inertial.origin[11]]);
      return { mass: inertial.mass, center: [center[0], center[1], center[2]], inertia: Float64Array.from(turned) };
    });
    let mass = 0;
    for (const part of parts) mass += part.mass;
    masses[j] = mass;
    if (mass !== 0) {
      for (const part of parts) {
        for (let i = 0; i < 3; i++) centersOfMass[3 * j + i] += (part.mass / mass) * part.center[i];
      }
    }
    for (const part of parts) {
      for (let i = 0; i < 9; i++) inertias[9 * j + i] += part.inertia[i];
      const [x, y, z] = part.center.map((value, i) => value - centersOfMass[3 * j + i]);
      addPointInertiaAt(inertias, 9 * j, part.mass, x, y, z);
    }
  });
  return { masses, centersOfMass, inertias };
}

function concatenate(placements: readonly Float64Array[]): Float64Array {
  const out = new Float64Array(12 * placements.length);
  placements.forEach((placement, i) => {
    out.set(placement, 12 * i);
  });
  return out;
}

/** NaN, infinities and origins that are no rigid placement are misuse: no file reader lets them through. */
function checkNumbers(description: ModelDescription): void {
  for (const joint of description.joints) {
    const element = `joint "${joint.name}"`;
    checkJoint(joint, element);
    joint.parts?.forEach((part, k) => {
      checkJoint(part, `part ${k + 1} of ${element}`);
    });
    const numbers = [...(joint.secondAxis ?? []), joint.mimic?.multiplier ?? 0, joint.mimic?.offset ?? 0];
    if (!numbers.every(Number.isFinite)) {
      throw new MisuseError(`buildModel: second axis and mimic of ${element}, got ${numbers}, expected finite numbers`);
    }
  }
  for (const link of description.links) {
    if (!link.inertial) continue;
    checkTransform(link.inertial.origin, `inertial origin of link "${link.name}"`);
    const numbers = [link.inertial.mass, ...link.inertial.inertia];
    if (!numbers.every(Number.isFinite)) {
      throw new MisuseError(`buildModel: inertial of link "${link.name}", got ${numbers}, expected finite numbers`);
    }
  }
}

function checkJoint({ origin, axis, pitch, limits }: Partial<JointDescription>, element: string): void {
  if (origin) checkTransform(origin, `origin of ${element}`);
  const numbers = [...(axis ?? []), pitch ?? 0];
  if (!numbers.every(Number.isFinite)) {
    throw new MisuseError(`buildModel: axis and pitch of ${element}, got ${numbers}, expected finite numbers`);
  }
  for (const [name, value] of Object.entries(limits ?? {})) {
    if (Number.isNaN(value))
      throw new MisuseError(`buildModel: limit ${name} of ${element}, got NaN, expected a number`);
  }
}

function checkTransform(X: ArrayLike<number>, what: string): void {
  if (X.length !== 12) throw new MisuseError(`buildModel: ${what}, got ${X.length} numbers, expected 12`);
  let error = Math.abs(determinantMat3(X) - 1);
  for (let r = 0; r < 3; r++) {
    for (let s = 0; s < 3; s++) {
      const dot = X[3 * r] * X[3 * s] + X[3 * r + 1] * X[3 * s + 1] + X[3 * r + 2] * X[3 * s + 2];
      error = Math.max(error, Math.abs(dot - (r === s ? 1 : 0)));
    }
  }
  if (!(error < 1e-6) || !Number.isFinite(X[9] + X[10] + X[11])) {
    throw new MisuseError(
      `buildModel: ${what}, got [${Array.from(X)}], expected a rotation matrix and a finite position`,
    );
  }
}
