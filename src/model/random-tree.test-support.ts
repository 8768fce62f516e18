/** Seeded robots with every joint type, oblique axes, masses off their joints, and mimic joints when asked for. */
import { inertial, joint, placement, robot } from '../../test/models.js';
import { createRandom, type Random } from '../math/random.js';
import { buildModel } from './build-model.js';
import { randomConfiguration } from './configuration.js';
import type { JointDescription, JointPartDescription, JointType, LinkDescription } from './description.js';
import type { Model } from './model.js';

const TYPES: readonly JointType[] = [
  'revolute',
  'continuous',
  'prismatic',
  'helical',
  'planar',
  'floating',
  'spherical',
  'universal',
  'composite',
];
/** Rows of joints whose columns are independent but at single configurations. */
const ROWS: readonly JointPartDescription['type'][][] = [
  ['revolute', 'revolute', 'revolute'],
  ['prismatic', 'prismatic', 'prismatic'],
  ['continuous', 'prismatic'],
  ['helical', 'continuous'],
  ['prismatic', 'spherical'],
  ['planar', 'revolute'],
  ['floating'],
];
const CAN_MIMIC: readonly JointType[] = ['revolute', 'continuous', 'prismatic'];

export interface TreeOptions {
  readonly joints: number;
  readonly types?: readonly JointType[];
  readonly mimic?: boolean;
  readonly base?: 'fixed' | 'floating' | 'planar';
}

type Triple = [number, number, number];

function triple(random: Random, reach: number): Triple {
  return [random.uniform(-reach, reach), random.uniform(-reach, reach), random.uniform(-reach, reach)];
}

/** Half of them coordinate axes. */
function randomAxis(random: Random): Triple {
  if (random.next() >= 0.5) return triple(random, 1);
  const axis: Triple = [0, 0, 0];
  axis[random.integer(3)] = 1;
  return axis;
}

/** Half of them stand in one point and turn or shift about different coordinate axes. */
function randomParts(random: Random): JointPartDescription[] {
  const isAligned = random.next() < 0.5;
  const first = random.integer(3);
  return ROWS[random.integer(ROWS.length)].map((type, i) => {
    const axis: Triple = [0, 0, 0];
    axis[(first + i) % 3] = 1;
    return {
      type,
      axis: isAligned ? axis : triple(random, 1),
      pitch: random.uniform(-0.3, 0.3),
      ...(!isAligned && { origin: placement(triple(random, 0.2), triple(random, 3)) }),
    };
  });
}

function randomLink(name: string, random: Random): LinkDescription {
  // Principal moments of a point cloud with these second moments: any such triple is a real body.
  const [a, b, c] = [random.uniform(0.01, 0.1), random.uniform(0.01, 0.1), random.uniform(0.01, 0.1)];
  return {
    name,
    inertial: inertial(random.uniform(0.2, 2), [b + c, a + c, a + b], triple(random, 0.2), triple(random, 3)),
  };
}

export function createRandomTree(seed: number, options: TreeOptions): Model {
  const random = createRandom(seed);
  const types = options.types ?? TYPES;
  const links: LinkDescription[] = [randomLink('l0', random)];
  const joints: JointDescription[] = [];
  for (let i = 1; i <= options.joints; i++) {
    const type = types[random.integer(types.length)];
    const drivers = joints.filter((other) => CAN_MIMIC.includes(other.type));
    const mimics = options.mimic && CAN_MIMIC.includes(type) && drivers.length > 0 && random.next() < 0.4;
    // Mostly the last link, so that trees are deep as well as branched.
    const parent = random.next() < 0.6 ? i - 1 : random.integer(i);
    const axis = randomAxis(random);
    links.push(randomLink(`l${i}`, random));
    joints.push(
      joint(`j${i}`, type, `l${parent}`, `l${i}`, {
        axis,
        origin: placement(triple(random, 0.4), triple(random, 3)),
        ...(type === 'helical' && { pitch: random.uniform(-0.3, 0.3) }),
        ...(type === 'universal' && { secondAxis: triple(random, 1) }),
        ...(type === 'composite' && { parts: randomParts(random) }),
        ...(mimics && {
          mimic: {
            joint: drivers[random.integer(drivers.length)].name,
            multiplier: random.uniform(-2, 2),
            offset: random.uniform(-1, 1),
          },
        }),
      }),
    );
  }
  const base = options.base ?? (['fixed', 'floating', 'planar'] as const)[random.integer(3)];
  const { model, issues } = buildModel(robot(joints, links), {
    base,
    continuous: random.next() < 0.5 ? 'angle' : 'cos-sin',
    basePlacement: placement(triple(random, 1), triple(random, 3)),
  });
  if (issues.length > 0) throw new Error(issues[0].message);
  return model;
}

export interface State {
  readonly q: Float64Array;
  readonly v: Float64Array;
  readonly a: Float64Array;
}

export function createRandomState(model: Model, random: Random): State {
  const vector = () => Float64Array.from({ length: model.nv }, () => random.uniform(-1, 1));
  return { q: randomConfiguration(new Float64Array(model.nq), model, random), v: vector(), a: vector() };
}

/** Largest |a - b| relative to the largest |b|, at least 1. */
export function relativeError(actual: ArrayLike<number>, expected: ArrayLike<number>): number {
  if (actual.length !== expected.length) return Number.POSITIVE_INFINITY;
  let error = 0;
  let scale = 1;
  for (let i = 0; i < expected.length; i++) {
    if (!Number.isFinite(actual[i])) return Number.POSITIVE_INFINITY;
    error = Math.max(error, Math.abs(actual[i] - expected[i]));
    scale = Math.max(scale, Math.abs(expected[i]));
  }
  return error / scale;
}

/** A v, A of n rows. */
export function multiply(A: ArrayLike<number>, v: ArrayLike<number>): Float64Array {
  const rows = A.length / v.length;
  const out = new Float64Array(rows);
  for (let r = 0; r < rows; r++) for (let c = 0; c < v.length; c++) out[r] += A[r * v.length + c] * v[c];
  return out;
}
