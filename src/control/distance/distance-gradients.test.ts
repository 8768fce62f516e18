/**
 * Gradients of all pairs of shapes against differences of the distance itself, where the closest points are unique; step 1e-6, both ways.
 * Poses are few by default; all 10,000 with `ORACLE_FULL=1 npx vitest run --project unit src/control/distance`.
 */
import { describe, expect, test } from 'vitest';
import { joint, placement, robot as robotOf } from '../../../test/models.js';
import { sampleShape, shapeTypes } from '../../../test/sample-shapes.js';
import type { Shape, ShapeType } from '../../geometry/shapes.js';
import { createRandom } from '../../math/random.js';
import type { Pose } from '../../math/transform.js';
import { buildModel } from '../../model/build-model.js';
import { integrateConfiguration, randomConfiguration } from '../../model/configuration.js';
import { addRobot, setConfiguration } from '../../scene/robot.js';
import { addObject, createScene, disposeScene } from '../../scene/scene.js';
import type { Scene, SceneRobot } from '../../scene/types.js';
import { createArms, poseAt } from './arms.test-support.js';
import { createDistanceGradients, type DistanceGradients } from './distance-gradients.js';
import { softDistance } from './soft-distance.js';

const POSES = process.env.ORACLE_FULL ? 10_000 : 100;
const PER_SCENE = 4;
const STEP = 1e-6;

interface Row {
  readonly name: string;
  readonly distance: number;
}

/** Distances by the names of pairs and geometries. */
function readRows(rows: DistanceGradients): Map<string, Row> {
  const found = new Map<string, Row>();
  for (let i = 0; i < rows.count; i++) {
    const { a, b, partA, partB, distance } = rows.pair(i);
    const name = `${a} ${b} ${partA} ${partB}`;
    found.set(name, { name, distance });
  }
  return found;
}

/** At q moved by `step` along coordinate k: of the robot itself, or of another one. */
function measureAt(
  rows: DistanceGradients,
  moved: SceneRobot,
  robot: SceneRobot,
  k: number,
  step: number,
): Map<string, Row> {
  const { model, q } = moved;
  const v = new Float64Array(model.nv);
  v[k] = step;
  const kept = Float64Array.from(q);
  const there = integrateConfiguration(new Float64Array(model.nq), model, kept, v);
  if (moved !== robot) setConfiguration(moved, there);
  rows.update(moved === robot ? there : robot.q);
  const found = readRows(rows);
  if (moved !== robot) setConfiguration(moved, kept);
  return found;
}

describe(`${POSES} poses`, () => {
  test('all pairs of shapes: links, objects, another robot', () => {
    const random = createRandom(22);
    const worst = new Map<string, number>();
    let [compared, kinked, disagreed] = [0, 0, 0];
    for (let done = 0; done < POSES; ) {
      const kinds = [0, 1, 2, 3].map((): ShapeType => shapeTypes[random.integer(shapeTypes.length)]);
      const shapes = kinds.map((kind) => sampleShape(random, kind));
      // A half-space has no place on a link: everything would be in it.
      if (kinds[0] === 'halfspace' || kinds[1] === 'halfspace') continue;
      const { scene, robots } = createArms(random, {
        types: [
          random.next() < 0.5 ? 'revolute' : 'spherical',
          random.next() < 0.5 ? 'prismatic' : 'revolute',
          'revolute',
        ],
        shapes: shapes.slice(0, 2),
        objects: shapes.slice(2),
      });
      const [robot, other] = robots;
      const rows = createDistanceGradients(scene, robot);
      for (let n = 0; n < PER_SCENE && done < POSES; n++, done++) {
        for (const moved of robots)
          setConfiguration(moved, randomConfiguration(new Float64Array(moved.model.nq), moved.model, random));
        rows.update(robot.q);
        const pairs = Array.from({ length: rows.count }, (_, i) => ({ ...rows.pair(i), isSmooth: rows.examine(i) }));
        for (const [moved, of] of [
          [robot, 'own'],
          [other, 'other'],
        ] as const)
          for (let k = 0; k < moved.model.nv; k++) {
            const forward = measureAt(rows, moved, robot, k, STEP);
            const backward = measureAt(rows, moved, robot, k, -STEP);
            for (const { a, b, partA, partB, status, distance, gradient, other: mate, isSmooth } of pairs) {
              if (of === 'other' && !mate) continue;
              const name = `${a} ${b} ${partA} ${partB}`;
              const up = (forward.get(name)!.distance - distance) / STEP;
              const down = (distance - backward.get(name)!.distance) / STEP;
              if (Math.abs(up - down) > 1e-3) {
                kinked++;
                if (isSmooth) disagreed++;
                continue;
              }
              // A depth of meshes is one of hulls, and no derivative is known where the hulls do not tell.
              if (status !== 'ok' && status !== 'depth-bound') continue;
              const expected = 0.5 * (up + down);
              const got = of === 'own' ? gradient[k] : mate!.gradient[k];
              const kind = `${kinds[0]} ${a} ${b}`;
              const error = Math.abs(got - expected);
              compared++;
              worst.set(kind, Math.max(worst.get(kind) ?? 0, error));
            }
          }
      }
      disposeScene(scene);
    }
    const largest = Math.max(...worst.values());
    if (process.env.ORACLE_FULL) console.log({ compared, kinked, disagreed, largest });
    expect(compared).toBeGreaterThan(10 * POSES);
    expect(largest).toBeLessThan(1e-5);
    // What is called smooth is; at random poses nearly all is.
    expect(disagreed).toBe(0);
    expect(kinked).toBeLessThan(0.01 * compared);
  });
});

const cart = (shape: Shape, others: readonly Shape[], at: readonly Pose[]): { scene: Scene; robot: SceneRobot } => {
  const scene = createScene();
  const model = robotOf([
    joint('x', 'prismatic', 'a', 'b', { axis: [1, 0, 0], limits: LIMITS }),
    joint('y', 'prismatic', 'b', 'c', { axis: [0, 1, 0], limits: LIMITS }),
    joint('turn', 'revolute', 'c', 'd', { axis: [0, 0, 1], limits: LIMITS }),
  ]);
  const collisions = [{ link: 'd', origin: placement(), shape: shape as never }];
  const description = { name: 'cart', model, collisions, visuals: [] };
  const robot = addRobot(scene, { model: buildModel(model).model, description });
  others.forEach((other, i) => {
    addObject(scene, { name: `object${i}`, shape: other, pose: at[i] });
  });
  return { scene, robot };
};
const LIMITS = { lower: -3, upper: 3, velocity: 1, effort: 1 };

describe('kinks', () => {
  const box: Shape = { type: 'box', size: [1, 1, 1] };

  test('parallel faces: the derivative by turning is that of one side, and is said to be', () => {
    const { scene, robot } = cart(box, [box], [[2, 0, 0, 0, 0, 0, 1]]);
    const rows = createDistanceGradients(scene, robot);
    rows.update([0, 0.1, 0]);
    expect(rows.distances[0]).toBeCloseTo(1, 12);
    expect(rows.examine(0)).toBe(false);
    // Whichever way it turns, a corner comes nearer: its own by half its size, or the other's, 0.1 lower.
    expect(rows.derivativeAlong(0, [0, 0, 1])).toBeCloseTo(-0.5, 4);
    expect(rows.derivativeAlong(0, [0, 0, -1])).toBeCloseTo(-0.4, 4);
    expect(rows.derivativeAlong(0, [1, 0, 0])).toBeCloseTo(-1, 8);
    rows.update([0, 0.1, 0.3]);
    expect(rows.examine(0)).toBe(true);
    disposeScene(scene);
  });

  test('a ball in the middle of a box: two ways out', () => {
    const { scene, robot } = cart({ type: 'sphere', radius: 0.1 }, [box], [[0, 0, 0, 0, 0, 0, 1]]);
    const rows = createDistanceGradients(scene, robot);
    rows.update([0, 0.2, 0]);
    expect(rows.examine(0)).toBe(true);
    expect(Array.from(rows.gradients.subarray(0, 3))).toEqual([0, 1, 0].map((x) => expect.closeTo(x, 12)));
    rows.update([0, 0, 0]);
    expect(rows.distances[0]).toBeCloseTo(-0.6, 12);
    expect(rows.examine(0)).toBe(false);
    disposeScene(scene);
  });

  test('faces through each other, no face nearer than another', () => {
    const { scene, robot } = cart(box, [box], [[0.5, 0.5, 0.1, 0, 0, 0, 1]]);
    const rows = createDistanceGradients(scene, robot);
    rows.update([0, 0, 0]);
    expect(rows.distances[0]).toBeCloseTo(-0.5, 9);
    expect(rows.examine(0)).toBe(false);
    disposeScene(scene);
  });
});

test('soft distances are below the smallest one by no more than log(rows) / beta, with the gradient of differences', () => {
  const random = createRandom(5);
  const shapes = [1, 2, 3].map(() => sampleShape(random, 'ellipsoid'));
  const at = [1, 2, 3].map(() => poseAt(random, 1.2));
  const { scene, robot } = cart({ type: 'capsule', radius: 0.1, length: 0.5 }, shapes, at);
  const rows = createDistanceGradients(scene, robot);
  const gradient = new Float64Array(3);
  const other = new Float64Array(3);
  for (let n = 0; n < 40; n++) {
    const q = [random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-2, 2)];
    const beta = random.uniform(1, 50);
    rows.update(q);
    const value = softDistance(gradient, rows, beta);
    const smallest = Math.min(...rows.distances.subarray(0, 3));
    expect(value).toBeLessThanOrEqual(smallest);
    expect(value).toBeGreaterThanOrEqual(smallest - Math.log(3) / beta - 1e-12);
    for (let k = 0; k < 3; k++) {
      const [up, down] = [STEP, -STEP].map((step) => {
        rows.update(q.map((x, i) => (i === k ? x + step : x)));
        return softDistance(other, rows, beta);
      });
      expect(Math.abs((up - down) / (2 * STEP) - gradient[k])).toBeLessThan(1e-5);
    }
  }
  disposeScene(scene);
  const empty = createScene();
  const alone = addRobot(empty, robotAlone());
  const none = createDistanceGradients(empty, alone);
  none.update(alone.q);
  expect(softDistance(new Float64Array(none.nv), none, 10)).toBe(Infinity);
  disposeScene(empty);
});

function robotAlone() {
  const model = robotOf([joint('x', 'prismatic', 'a', 'b', { limits: LIMITS })]);
  return { model: buildModel(model).model, description: { name: 'alone', model, collisions: [], visuals: [] } };
}

test('the nearest geometries, the reach, and the motion of the closest points', () => {
  const random = createRandom(9);
  const { scene, robots } = createArms(random, {
    types: ['revolute', 'spherical'],
    shapes: [{ type: 'compound', children: BALLS }],
    objects: [sampleShape(random, 'cone'), sampleShape(random, 'box')],
  });
  const [robot] = robots;
  const all = createDistanceGradients(scene, robot);
  const near = createDistanceGradients(scene, robot, { reach: 0.2 });
  const J = new Float64Array(3 * robot.model.nv);
  for (let n = 0; n < 20; n++) {
    const q = randomConfiguration(new Float64Array(robot.model.nq), robot.model, random);
    all.update(q);
    near.update(q);
    expect(near.count).toBe(Array.from(all.distances.subarray(0, all.count)).filter((d) => d <= 0.2).length);
    for (let i = 0; i < all.count; i++) {
      all.relativeJacobian(J, i);
      for (let k = 0; k < all.nv; k++) {
        let sum = 0;
        for (let r = 0; r < 3; r++) sum += all.normals[3 * i + r] * J[all.nv * r + k];
        expect(sum).toBeCloseTo(all.gradients[all.nv * i + k], 12);
      }
    }
  }
  disposeScene(scene);
});

const BALLS = [0, 1, 2].map((i) => ({
  shape: { type: 'sphere', radius: 0.1 } as const,
  pose: [0.2 * i, 0, 0, 0, 0, 0, 1] as unknown as Pose,
}));
