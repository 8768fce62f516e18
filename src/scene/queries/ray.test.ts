import { describe, expect, it } from 'vitest';
import {
  createRayCase,
  judgeFirstHit,
  type Point,
  type RayCase,
  randomPose,
  rayKinds,
} from '../../../test/support/ray-cases.js';
import { createRandom, type Random } from '../../math/random.js';
import { createTransform, inverseTransformPoint, poseToTransform } from '../../math/transform.js';
import { buildModel } from '../../model/build-model.js';
import type { ModelDescription } from '../../model/description.js';
import { castRayShape, createShapeRayHit } from '../../narrowphase/cast-ray-shape.js';
import { attachObject } from '../attach.js';
import { fullName } from '../body-names.js';
import { addRobot, setConfiguration } from '../robot.js';
import { addObject, createScene, disposeScene, moveObject, removeObject } from '../scene.js';
import type { Scene, SceneBody } from '../types.js';
import { updateScene } from '../update.js';
import { castSceneRay, castSceneRays, createSceneRayBatch, isSceneRayBlocked, listSceneRayHits } from './ray.js';

const isFull = Boolean(process.env.ORACLE_FULL);
/** A million rays in all in the full run. */
const SCENES = isFull ? 2500 : 6;
const RAYS = isFull ? 400 : 200;

const arm: ModelDescription = {
  name: 'arm',
  links: ['base', 'upper', 'lower'].map((name) => ({ name })),
  joints: ['shoulder', 'elbow'].map((name, k) => ({
    name,
    type: 'revolute',
    parent: ['base', 'upper'][k],
    child: ['upper', 'lower'][k],
    origin: createTransform().fill(1, 9, 10),
    axis: k === 0 ? [0, 0, 1] : [0, 1, 0],
    limits: { lower: -3, upper: 3, velocity: 1, effort: 1 },
  })),
} as unknown as ModelDescription;

function addArm(scene: Scene, random: Random, name: string): void {
  const { model } = buildModel(arm);
  const shapes = ['box', 'capsule', 'cylinder', 'mesh', 'cone'] as const;
  const collisions = arm.links.flatMap(({ name: link }) =>
    [0, 1].map(() => ({
      link,
      shape: createRayCase(random, shapes[random.integer(shapes.length)], 0.5).shape,
      origin: poseToTransform(createTransform(), randomPose(random, 0.3)),
    })),
  );
  const meshes = new Map();
  const described = collisions.map(({ shape, ...rest }, i) => {
    if (shape.type !== 'mesh') return { ...rest, shape };
    meshes.set(`m${i}`, shape.mesh);
    return { ...rest, shape: { type: 'mesh', file: `m${i}` } };
  });
  const description = { name: 'arm', model: arm, collisions: described, visuals: [] };
  const robot = addRobot(scene, {
    name,
    model,
    description: description as never,
    meshes,
    placement: randomPose(random, 4),
  });
  setConfiguration(robot, [random.uniform(-3, 3), random.uniform(-3, 3)]);
}

const allBodies = (scene: Scene): SceneBody[] => [
  ...scene.robots.flatMap(({ links }) => links.map(({ body }) => body)),
  ...[...scene.objects.values()].map(({ body }) => body),
];

describe('scene rays', () => {
  it('hit what the rays of all parts hit first, over robots, objects and attached objects, while things move', () => {
    const random = createRandom(7);
    const single = createShapeRayHit();
    for (let s = 0; s < SCENES; s++) {
      const scene = createScene();
      const robots = random.integer(4);
      for (let i = 0; i < robots; i++) addArm(scene, random, `r${i}`);
      for (let i = 0; i < 13; i++) {
        const kind = rayKinds[(s + i) % rayKinds.length];
        if (kind === 'halfspace' && i % 2 === 0) continue;
        const { shape } = createRayCase(random, kind, random.uniform(0.2, 1));
        addObject(scene, { name: `o${i}`, shape, pose: randomPose(random, 4) });
      }
      const held = [...scene.objects.values()].find(({ shape }) => shape.type !== 'halfspace')!;
      if (robots > 0) attachObject(scene, held, { robot: scene.robots[0], link: 'lower' });
      const rays = new Float64Array(6 * RAYS);
      const batch = createSceneRayBatch(RAYS);
      for (let r = 0; r < RAYS; r++) {
        if (r % 50 === 0) {
          for (const robot of scene.robots) setConfiguration(robot, [random.uniform(-3, 3), random.uniform(-3, 3)]);
          const free = [...scene.objects.values()].filter(({ attachment }) => !attachment);
          moveObject(scene, free[random.integer(free.length)], randomPose(random, 4));
          if (r === 100) removeObject(scene, free[0]);
        }
        const origin = [random.uniform(-6, 6), random.uniform(-6, 6), random.uniform(-6, 6)];
        const direction = origin.map((x) => random.uniform(0.1, 3) * (random.uniform(-3, 3) - x));
        const max = r % 4 === 0 ? random.uniform(0, 1) : Infinity;
        updateScene(scene);
        const bodies = allBodies(scene).sort((a, b) => a.id - b.id);
        const skipped = r % 5 === 0 ? bodies[random.integer(bodies.length)] : null;
        const options = skipped ? { leaveOut: [fullName(skipped)] } : undefined;
        let t = Infinity;
        let body: SceneBody | null = null;
        for (const other of bodies) {
          if (other === skipped) continue;
          for (const { collider, worldPlacement } of other.parts) {
            castRayShape(single, collider, worldPlacement, origin, direction, max);
            if (single.t < t) {
              t = single.t;
              body = other;
            }
          }
        }
        const { hit } = castSceneRay(scene, { origin, direction, max }, options);
        expect([hit?.t ?? Infinity, hit?.body ?? null]).toEqual([
          t,
          body && (scene.robots.length > 1 ? fullName(body) : body.name),
        ]);
        expect(isSceneRayBlocked(scene, { origin, direction, max }, options)).toBe(t < Infinity);
        const { hits } = listSceneRayHits(scene, { origin, direction, max }, options);
        expect(hits[0]?.t ?? Infinity).toBe(t);
        for (let i = 0; i + 1 < hits.length; i++) expect(hits[i].t).toBeLessThanOrEqual(hits[i + 1].t);
        rays.set([...origin, ...direction], 6 * r);
      }
      castSceneRays(batch, scene, rays);
      for (let r = 0; r < RAYS; r++) {
        const [origin, direction] = [rays.subarray(6 * r, 6 * r + 3), rays.subarray(6 * r + 3, 6 * r + 6)];
        const { hit } = castSceneRay(scene, { origin, direction });
        expect(batch.t[r]).toBe(hit?.t ?? Infinity);
        expect(batch.names[batch.body[r]]).toBe(hit?.body);
        if (hit) expect([...batch.normal.subarray(3 * r, 3 * r + 3)]).toEqual([...hit.normal]);
      }
      disposeScene(scene);
    }
  }, 3_600_000);

  it('meet the rule of inside and outside of every shape kind in any pose', () => {
    const random = createRandom(8);
    const wrong: string[] = [];
    for (const kind of rayKinds) {
      for (let s = 0; s < (isFull ? 100 : 2); s++) {
        const made: RayCase = createRayCase(random, kind);
        const pose = randomPose(random, 10);
        const X = poseToTransform(createTransform(), pose);
        const moved: RayCase = { ...made, rule: (p) => made.rule(inverseTransformPoint([0, 0, 0] as Point, X, p)) };
        const scene = createScene();
        addObject(scene, { name: 'it', shape: made.shape, pose });
        for (let r = 0; r < 50; r++) {
          const around = (reach: number): Point =>
            [0, 1, 2].map((k) => pose[k] + random.uniform(-reach, reach)) as Point;
          const origin = around(r % 3 === 0 ? 0.5 : 4);
          const direction = around(0.8).map((x, k) => x - origin[k]) as Point;
          const { hit } = castSceneRay(scene, { origin, direction });
          const far: RayCase = { ...moved, radius: 30 };
          const problem = judgeFirstHit(far, origin, direction, hit?.t ?? Infinity, 200, random);
          if (problem) wrong.push(`${kind}: ${problem}`);
        }
        disposeScene(scene);
      }
    }
    expect(wrong).toEqual([]);
  }, 3_600_000);

  it('say what was left out, and refuse names that the scene does not know', () => {
    const scene = createScene();
    addObject(scene, {
      name: 'ball',
      shape: { type: 'sphere', radius: 1 },
      issues: [{ severity: 'error', message: 'a part is missing' }],
    });
    const ray = { origin: [3, 0, 0], direction: [-1, 0, 0] };
    expect(castSceneRay(scene, ray)).toMatchObject({ complete: false, hit: { t: 2, body: 'ball', normal: [1, 0, 0] } });
    expect(castSceneRay(scene, ray, { leaveOut: ['ball'] }).hit).toBeNull();
    expect(castSceneRay(scene, { ...ray, max: 1.5 }).hit).toBeNull();
    expect(castSceneRay(scene, { origin: [1, 0, 0], direction: [0, 1, 0] }).hit?.t).toBe(0);
    expect(castSceneRay(scene, { origin: [0, 0, 0], direction: [2, 0, 0] }).hit?.t).toBe(0.5);
    expect(() => castSceneRay(scene, ray, { leaveOut: ['bal'] })).toThrow(/leaveOut, got "bal", expected the name/);
    expect(() => castSceneRays(createSceneRayBatch(1), scene, Float64Array.of(0, 0, 0, 0, 0, 0))).toThrow(/ray 0/);
    disposeScene(scene);
  });
});
