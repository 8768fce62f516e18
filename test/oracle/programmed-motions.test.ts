/**
 * Random programs on real arms, looked at from outside: tool against the geometry of each move in closed form at samples far finer than
 * the pieces of the joints' path, blends inside their radii, speeds and accelerations by differences, limits of every joint.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, test } from 'vitest';
import { planMotion } from '../../src/control/motions/plan-motion.js';
import type {
  CircMove,
  LinMove,
  MotionProgram,
  MoveDescription,
  PtpMove,
  SplineMove,
} from '../../src/control/motions/program.js';
import { computeFramePlacement, forwardKinematics } from '../../src/kinematics/forward-kinematics.js';
import { multiplyQuat } from '../../src/math/quat.js';
import { createRandom, type Random } from '../../src/math/random.js';
import { expQuat } from '../../src/math/so3.js';
import { createTransform, multiplyTransform, poseToTransform, transformToPose } from '../../src/math/transform.js';
import { buildModel } from '../../src/model/build-model.js';
import { createData, findFrame, type Model } from '../../src/model/model.js';
import { loadRobot } from '../../src/node/load-robot.js';
import { createLimits } from '../../src/trajectory/limits.js';
import { createTrajectoryPoint } from '../../src/trajectory/trajectory.js';
import { validateTrajectory } from '../../src/trajectory/validate-trajectory.js';
import { needsShared, sharedPath } from '../shared.js';
import { expect } from '../support/quick-expect.js';

const PROGRAMS = process.env.ORACLE_FULL ? 80 : 8;
const OFFSET = [0, 0, 0.1, 0, 0, 0, 1];

interface Arm {
  readonly file: string;
  readonly tip: string;
  readonly home: readonly number[];
}

const shared = (...parts: string[]): string => sharedPath('data', 'robots', ...parts) ?? '';
const examples = fileURLToPath(new URL('../../examples', import.meta.url));
const ARMS: Readonly<Record<string, Arm>> = {
  panda: {
    file: shared('panda', 'panda_description', 'urdf', 'panda.urdf'),
    tip: 'panda_link8',
    home: [0, -0.5, 0, -2.2, 0, 1.7, 0.8, 0.02],
  },
  ur5: {
    file: shared('ur5_ur10', 'robots', 'ur_description', 'urdf', 'ur5_robot.urdf'),
    tip: 'tool0',
    home: [0, -1.3, 1.6, -1.8, -1.5, 0],
  },
  iiwa14: {
    file: shared('iiwa14', 'iiwa_description', 'urdf', 'iiwa14_primitive_collision.urdf'),
    tip: 'iiwa_link_ee',
    home: [0, 0.5, 0, -1.5, 0, 1, 0],
  },
  arm: { file: join(examples, 'arm', 'arm.urdf'), tip: 'tool', home: [0, 0, 0, -1.8, 0, 1.34, 0, 0.02] },
};

type Pose = readonly number[];

/** A pose some way off, turned by some angle. */
function drawNear(random: Random, [x, y, z, ...q]: Pose, way: number, angle: number): number[] {
  const axis = [0, 1, 2].map(() => random.uniform(-1, 1));
  const direction = [0, 1, 2].map(() => random.uniform(-1, 1));
  const length = random.uniform(0.3, 1) * way;
  const turn = random.uniform(0, angle) / Math.hypot(...axis);
  const turned = multiplyQuat(
    new Float64Array(4),
    q,
    expQuat(
      new Float64Array(4),
      axis.map((a) => turn * a),
    ),
  );
  return [...[x, y, z].map((p, i) => p + (length * direction[i]) / Math.hypot(...direction)), ...turned];
}

function drawProgram(random: Random, tip: string, start: readonly number[], here: Pose): MotionProgram {
  let at = here;
  const moves: MoveDescription[] = [];
  const count = 2 + Math.floor(random.uniform(0, 4));
  for (let k = 0; k < count; k++) {
    const radius = random.uniform(0, 1) < 0.6 ? random.uniform(0.01, 0.08) : 0;
    const settings = { speed: random.uniform(0.05, 0.6), acceleration: random.uniform(0.5, 4), radius };
    const kind = Math.floor(random.uniform(0, 6));
    const step = drawNear(random, at, kind < 2 || kind === 4 ? 0.25 : 0.12, 0.5);
    const next = drawNear(random, step, 0.12, 0.3);
    if (kind < 2) moves.push({ move: 'lin', to: step, ...settings });
    else if (kind < 4) moves.push({ move: 'circ', via: step, to: next, ...settings });
    else if (kind === 4) moves.push({ move: 'ptp', to: step, radius, jointSpeed: random.uniform(0.3, 1) });
    else moves.push({ move: 'spline', through: [step, next], ...settings });
    at = kind < 2 || kind === 4 ? step : next;
  }
  return { format: 'clearance.motion/1', tool: { frame: tip, offset: OFFSET }, start, moves };
}

type Place = readonly [number, number, number];
const minus = (a: ArrayLike<number>, b: ArrayLike<number>): Place => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: Place, b: Place): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Place, b: Place): Place => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

function distanceToLine(p: Place, a: Place, b: Place): number {
  const along = minus(b, a);
  const share = Math.min(Math.max(dot(minus(p, a), along) / dot(along, along), 0), 1);
  return Math.hypot(...minus(p, [a[0] + share * along[0], a[1] + share * along[1], a[2] + share * along[2]]));
}

/** From the circle through three points: by its plane, centre and radius. */
function distanceToCircle(p: Place, a: Place, b: Place, c: Place): number {
  const [u, w] = [minus(b, a), minus(c, a)];
  const n = cross(u, w);
  const [x, y] = [cross(w, n), cross(n, u)];
  const center = [0, 1, 2].map((i) => a[i] + (dot(u, u) * x[i] + dot(w, w) * y[i]) / (2 * dot(n, n)));
  const d = minus(p, center);
  const height = dot(d, n) / Math.sqrt(dot(n, n));
  const flat = Math.sqrt(Math.max(dot(d, d) - height * height, 0));
  return Math.hypot(flat - Math.hypot(...minus(a, center)), height);
}

const placeOf = (pose: unknown): Place => (pose as number[]).slice(0, 3) as unknown as Place;
const endOf = (move: MoveDescription): Place =>
  placeOf(move.move === 'spline' ? (move as SplineMove).through.at(-1) : (move as LinMove | CircMove | PtpMove).to);

class ToolPlace {
  private readonly data;
  private readonly frame;
  private readonly X = createTransform();

  constructor(
    private readonly model: Model,
    tip: string,
  ) {
    this.data = createData(model);
    this.frame = findFrame(model, tip);
  }

  at(q: Float64Array): number[] {
    forwardKinematics(this.model, this.data, q);
    computeFramePlacement(this.X, this.model, this.data, this.frame);
    multiplyTransform(this.X, this.X, poseToTransform(createTransform(), OFFSET));
    return Array.from(transformToPose(new Float64Array(7), this.X));
  }
}

async function loadArm({ file }: Arm): Promise<Model> {
  const packages = {
    panda_description: shared('panda', 'panda_description'),
    ur_description: shared('ur5_ur10', 'robots', 'ur_description'),
    iiwa_description: shared('iiwa14', 'iiwa_description'),
  };
  const { value } = await loadRobot(file, { geometry: 'none', packages });
  return buildModel(value!.description.model).model;
}

describe.skipIf(shared('panda') === '')(`programs on real arms${needsShared('data', 'robots')}`, () => {
  test.each(Object.entries(ARMS))('%s: on the path, inside the radii, within all limits', async (_, arm) => {
    const model = await loadArm(arm);
    const tool = new ToolPlace(model, arm.tip);
    const limits = createLimits(model, { acceleration: 5 });
    const random = createRandom(17);
    const point = createTrajectoryPoint(model);
    let solved = 0;
    let blends = 0;
    for (let n = 0; n < PROGRAMS; n++) {
      const start = arm.home.map((x, i) =>
        Math.min(Math.max(x + random.uniform(-0.4, 0.4), model.lower[i]), model.upper[i]),
      );
      const here = tool.at(Float64Array.from(start));
      const program = drawProgram(random, arm.tip, start, here);
      const plan = planMotion(model, program, { limits });
      if (!plan.trajectory) {
        // Told before the motion starts, with the place.
        expect(['unreachable', 'singular', 'joint-limit', 'infeasible'].includes(plan.status), plan.reason).toBe(true);
        expect(plan.place!.move).toBeGreaterThanOrEqual(0);
        expect(plan.place!.s).toBeGreaterThanOrEqual(0);
        continue;
      }
      solved++;
      const { trajectory, duration, moves, pieces } = plan;
      expect(validateTrajectory(trajectory, { limits }).valid).toBe(true);
      const corners = program.moves.map(endOf);
      blends += moves.filter(({ blended }) => blended > 0).length;
      for (const { radius, blended } of moves) expect(blended).toBeLessThanOrEqual(radius);
      const samples = Math.max(10 * pieces, 2000);
      const toolAt = (time: number): Place => placeOf(tool.at(trajectory.evaluate(point, time).q));
      for (let k = 0; k <= samples; k++) {
        const time = (duration * k) / samples;
        const found = moves.findIndex(({ end }) => time <= end);
        const own = found < 0 ? moves.length - 1 : found;
        const move = program.moves[own];
        const place = toolAt(time);
        const isBlend = [own - 1, own].some(
          (i) =>
            i >= 0 && moves[i].blended > 0 && Math.hypot(...minus(place, corners[i])) <= moves[i].blended * (1 + 1e-9),
        );
        const from = own === 0 ? placeOf(here) : corners[own - 1];
        if (isBlend || move.move === 'ptp') continue;
        if (move.move === 'lin') expect(distanceToLine(place, from, corners[own])).toBeLessThan(1e-6);
        if (move.move === 'circ')
          expect(distanceToCircle(place, from, placeOf(move.via), corners[own])).toBeLessThan(1e-6);
        const h = 1e-5;
        const isInside = time > moves[own].begin + 2 * h && time < moves[own].end - 2 * h;
        if (!isInside || k % 5 !== 0) continue;
        const { speed = Infinity, acceleration = Infinity } = move as LinMove;
        const [before, after] = [toolAt(time - h), toolAt(time + h)];
        expect(Math.hypot(...minus(after, before)) / (2 * h)).toBeLessThan(speed * (1 + 1e-6));
        const bend = minus(minus(before, place), minus(place, after));
        expect(Math.hypot(...bend) / (h * h)).toBeLessThan(acceleration * (1 + 1e-3));
      }
    }
    expect(solved).toBeGreaterThan(0.3 * PROGRAMS);
    expect(blends).toBeGreaterThan(0);
  });

  test.each([0, 1e-6, 1e-3, 5e-2])(
    'ur5 past a straight wrist, tilted by %d: slowed or refused, and said where',
    async (tilt) => {
      const arm = ARMS.ur5;
      const model = await loadArm(arm);
      const tool = new ToolPlace(model, arm.tip);
      const limits = createLimits(model, { acceleration: 5 });
      const middle = tool.at(Float64Array.of(0.2, -1.3, 1.6, -0.3, 0, 0.4));
      const bent = [0.2, -1.3, 1.6, -0.3, 0.25, 0.4];
      const [x, y, z, ...straight] = middle;
      // Tilted so that the wrist passes beside the singularity: it has to turn half round on the way.
      const turn = expQuat(new Float64Array(4), [Math.cos(0.2) * tilt, Math.sin(0.2) * tilt, 0]);
      const q = multiplyQuat(new Float64Array(4), turn, straight);
      const program = (singularities: 'slow' | 'refuse'): MotionProgram => ({
        format: 'clearance.motion/1',
        tool: { frame: arm.tip, offset: OFFSET },
        start: bent,
        moves: [
          { move: 'lin', to: [x, y - 0.1, z, ...q] },
          { move: 'lin', name: 'past', to: [x, y + 0.1, z, ...q], speed: 0.3, singularities },
        ],
      });
      const slow = planMotion(model, program('slow'), { limits });
      expect(slow.status).toBe(tilt === 1e-6 ? 'singular' : 'solved');
      if (slow.status === 'solved') {
        expect(validateTrajectory(slow.trajectory!, { limits }).valid).toBe(true);
        const near = slow.singularities.filter(({ name }) => name === 'past');
        expect(near.length).toBe(1);
        // Straight through no joint is in a hurry.
        if (tilt > 0) expect(slow.moves[1].slowest!.speed).toBeLessThan(0.1);
        for (const { s, time, singularValues } of near) {
          expect(Math.abs(s - 0.1)).toBeLessThan(0.05);
          expect(time).toBeGreaterThan(0);
          expect(singularValues![5]).toBeLessThan(0.02);
        }
      } else {
        expect(slow.status).toBe('singular');
        expect(Math.abs(slow.place!.s - 0.1)).toBeLessThan(0.05);
      }
      const refused = planMotion(model, program('refuse'), { limits });
      expect(refused).toMatchObject({ status: 'singular', trajectory: null });
    },
  );
});
