/** Reads the reference models and samples of the dynamics oracle and rebuilds them as model descriptions. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { setIdentityTransform } from '../../src/math/transform.js';
import type {
  InertialDescription,
  JointDescription,
  JointPartDescription,
  LinkDescription,
  ModelDescription,
} from '../../src/model/description.js';
import { sharedPath } from '../shared.js';

export interface OracleJoint {
  readonly name: string;
  readonly parent: number;
  readonly type: string;
  readonly idx_q: number;
  readonly nq: number;
  readonly idx_v: number;
  readonly nv: number;
  readonly axis?: [number, number, number];
  readonly placement: number[];
  readonly mass: number;
  readonly lever: number[];
  readonly inertia: number[];
  readonly mimicBase?: string;
  readonly mimicOfIdxQ?: number;
  readonly scaling?: number;
  readonly offset?: number;
}
export interface OracleModel {
  readonly name: string;
  readonly urdf?: string;
  readonly root: 'fixed' | 'floating' | 'planar';
  readonly mimic: boolean;
  readonly nq: number;
  readonly nv: number;
  readonly joints: OracleJoint[];
  readonly frames: { name: string; parentJoint: number; type: string; placement: number[] }[];
}
export interface FrameMotion {
  readonly J?: number[];
  readonly dJ?: number[];
  readonly vel: number[];
  readonly acc: number[];
  readonly classicalAcc: number[];
}
export interface FrameSample {
  readonly frame: number;
  readonly LOCAL: FrameMotion;
  readonly WORLD: FrameMotion;
  readonly LOCAL_WORLD_ALIGNED: FrameMotion;
}
export interface OracleSample {
  readonly q: number[];
  readonly v: number[];
  readonly a: number[];
  readonly tau: number[];
  readonly fext: number[];
  readonly rnea: number[];
  readonly rnea_fext: number[];
  readonly nle: number[];
  readonly gravity: number[];
  readonly staticTorque: number[];
  readonly M?: number[];
  readonly kinetic: number;
  readonly potential: number;
  readonly com: number[];
  readonly vcom: number[];
  readonly acom: number[];
  readonly mass: number;
  readonly hg: number[];
  readonly dhg: number[];
  readonly aba?: number[];
  readonly aba_fext?: number[];
  readonly Jcom?: number[];
  readonly Ag?: number[];
  readonly Ig?: number[];
  readonly C?: number[];
  readonly Minv?: number[];
  readonly dtau_dq?: number[];
  readonly dtau_dv?: number[];
  readonly dtau_dq_fext?: number[];
  readonly ddq_dq?: number[];
  readonly ddq_dv?: number[];
  readonly dgravity_dq?: number[];
  readonly dIntegrate_q?: number[];
  readonly dIntegrate_v?: number[];
  readonly dDifference_q0?: number[];
  readonly dDifference_q1?: number[];
  readonly oMi: number[][];
  readonly oMf: number[][];
  readonly frames: FrameSample[];
  readonly dq: number[];
  readonly qB: number[];
  readonly integrate: number[];
  readonly difference: number[];
  readonly interpolate03: number[];
  readonly squaredDistanceSum: number;
}

export function readOracleModel(name: string): OracleModel {
  return JSON.parse(readFileSync(sharedPath('oracles', 'dynamics', `${name}.model.json`) as string, 'utf8'));
}

export function readOracleSamples(name: string): OracleSample[] {
  const file = sharedPath('oracles', 'dynamics', `${name}.samples.json.gz`) as string;
  return JSON.parse(gunzipSync(readFileSync(file)).toString()).samples;
}

const AXES: Record<string, [number, number, number]> = { X: [1, 0, 0], Y: [0, 1, 0], Z: [0, 0, 1] };

/** Of the reference's helical joints; the file leaves it out. */
const PITCH = 0.2;

/** Joints that are composites here. */
const COMPOSITES: Record<string, JointPartDescription[]> = {
  JointModelSphericalZYX: ['Z', 'Y', 'X'].map((axis) => ({ type: 'revolute', axis: AXES[axis] })),
  JointModelTranslation: ['X', 'Y', 'Z'].map((axis) => ({ type: 'prismatic', axis: AXES[axis] })),
};

/** Joint type and axis from the reference's type name; null for types Clearance does not have. */
function readType(joint: OracleJoint): Pick<JointDescription, 'type' | 'axis' | 'pitch' | 'parts'> | null {
  const name = (joint.mimicBase ?? joint.type).replace('JointModel', '');
  const parts = COMPOSITES[joint.type];
  if (parts) return { type: 'composite', axis: AXES.X, parts };
  if (name === 'HX') return { type: 'helical', axis: AXES.X, pitch: PITCH };
  if (name === 'FreeFlyer') return { type: 'floating', axis: [0, 0, 1] };
  if (name === 'Spherical') return { type: 'spherical', axis: [0, 0, 1] };
  if (name === 'Planar') return { type: 'planar', axis: [0, 0, 1] };
  const aligned = /^(R|RUB|P)([XYZ])$/.exec(name);
  if (aligned) {
    const type = aligned[1] === 'P' ? 'prismatic' : aligned[1] === 'RUB' ? 'continuous' : 'revolute';
    return { type, axis: AXES[aligned[2]] };
  }
  const unaligned = /^(Revolute|RevoluteUnboundedU|RevoluteUnbounded|Prismatic)[Uu]?naligned$/.exec(name);
  if (unaligned && joint.axis) {
    const base = unaligned[1];
    const type = base === 'Prismatic' ? 'prismatic' : base === 'Revolute' ? 'revolute' : 'continuous';
    return { type, axis: joint.axis };
  }
  return null;
}

/**
 * The description that rebuilds the reference's joints: one link per joint (`joint:NAME`), one fixed link per frame
 * (`frame:INDEX`). A `root_joint` is left to the builder's `base` option.
 */
export function toDescription(oracle: OracleModel): ModelDescription {
  const links: LinkDescription[] = [];
  const joints: JointDescription[] = [];
  const hasRoot = oracle.root === 'floating' || oracle.root === 'planar';
  const linkOf = (j: number): string => (hasRoot && j === 1 ? 'joint:universe' : `joint:${oracle.joints[j].name}`);
  oracle.joints.forEach((joint, j) => {
    if (hasRoot && j === 1) return;
    const body = oracle.joints[hasRoot && j === 0 ? 1 : j];
    links.push({ name: linkOf(j), inertial: readInertial(body) });
    if (j === 0) return;
    const type = readType(joint);
    if (type === null) throw new Error(`joint ${joint.name}: no counterpart of ${joint.type}`);
    const driver = joint.mimicBase
      ? oracle.joints.find((other) => other.idx_q === joint.mimicOfIdxQ && other.nq > 0)
      : undefined;
    joints.push({
      name: joint.name,
      ...type,
      parent: linkOf(joint.parent),
      child: linkOf(j),
      origin: Float64Array.from(joint.placement),
      ...(driver && { mimic: { joint: driver.name, multiplier: joint.scaling ?? 1, offset: joint.offset ?? 0 } }),
    });
  });
  oracle.frames.forEach((frame, f) => {
    links.push({ name: `frame:${f}` });
    joints.push({
      name: `frame:${f}`,
      type: 'fixed',
      parent: linkOf(frame.parentJoint),
      child: `frame:${f}`,
      origin: Float64Array.from(frame.placement),
      axis: [1, 0, 0],
    });
  });
  return { name: oracle.name, links, joints };
}

function readInertial(joint: OracleJoint): InertialDescription {
  const origin = setIdentityTransform(new Float64Array(12));
  origin.set(joint.lever, 9);
  const [ixx, ixy, ixz, , iyy, iyz, , , izz] = joint.inertia;
  return { mass: joint.mass, origin, inertia: [ixx, ixy, ixz, iyy, iyz, izz] };
}
