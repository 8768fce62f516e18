import { describe, expect, it } from 'vitest';
import { partShapeTypes, samplePose, sampleShape, shapeTypes } from '../../../test/sample-shapes.js';
import { addUrdf, planarArm } from '../../../test/scene-fixtures.js';
import type { Shape } from '../../geometry/shapes.js';
import { createRandom, type Random } from '../../math/random.js';
import { type Pose, transformToPose } from '../../math/transform.js';
import { randomConfiguration } from '../../model/configuration.js';
import { allowPairs } from '../allow-pairs.js';
import { attachObject, detachObject } from '../attach.js';
import { createSceneChecker } from '../motion/validity.js';
import { isSceneFree } from '../queries/check.js';
import { placeRobot, setConfiguration } from '../robot.js';
import { addObject, createScene, disposeScene, moveObject } from '../scene.js';
import type { Scene, SceneRobot } from '../types.js';
import { createSphereChecker, type SphereChecker } from './sphere-checker.js';

const arm = planarArm('arm', 4, 0.6);

function addShapes(scene: Scene, random: Random, count: number, types: readonly Shape['type'][]): void {
  for (let i = 0; i < count; i++) {
    const pose = [...transformToPose(new Float64Array(7), samplePose(random, 2))] as unknown as Pose;
    const shape = sampleShape(random, types[random.integer(types.length)]);
    addObject(scene, { name: `o${scene.objects.size}`, shape, pose, ...(random.next() < 0.3 ? { margin: 0.05 } : {}) });
  }
}

/** Verdicts of the checker and of the scene at random states; counts both. */
function compare(scene: Scene, robot: SceneRobot, checker: SphereChecker, random: Random, states: number, margin = 0) {
  const q = new Float64Array(robot.model.nq);
  let free = 0;
  for (let n = 0; n < states; n++) {
    randomConfiguration(q, robot.model, random);
    const verdict = checker.isValid(q);
    setConfiguration(robot, q);
    const expected = isSceneFree(scene, margin);
    if (verdict !== expected) expect({ n, q: [...q], verdict }).toEqual({ n, q: [...q], verdict: expected });
    if (expected) free++;
  }
  return free;
}

describe('sphere checker', () => {
  it('has the verdicts of the scene, with obstacles of every kind', () => {
    let free = 0;
    let bySpheres = 0;
    for (let seed = 1; seed <= 12; seed++) {
      const random = createRandom(seed);
      const scene = createScene({ margin: seed % 3 === 0 ? 0.02 : 0 });
      const robot = addUrdf(scene, arm);
      addShapes(
        scene,
        random,
        1 + random.integer(5),
        [...shapeTypes, ...partShapeTypes].filter((type) => type !== 'halfspace' || seed % 4 === 0),
      );
      const margin = seed % 2 === 0 ? 0 : 0.03;
      const checker = createSphereChecker(scene, robot, { margin, prove: false });
      free += compare(scene, robot, checker, random, 120, margin);
      bySpheres += checker.counts.statesBySpheres;
      disposeScene(scene);
    }
    expect(free).toBeGreaterThan(200);
    expect(bySpheres).toBeGreaterThan(0.3 * free);
  });

  it('follows edits: moves, removals, attachments, allowed pairs, another place', () => {
    const random = createRandom(5);
    const scene = createScene();
    const robot = addUrdf(scene, arm);
    const other = addUrdf(scene, planarArm('other', 2, 0.5), { name: 'other', placement: [1.2, 0.4, 0, 0, 0, 0, 1] });
    const box = addObject(scene, {
      name: 'box',
      shape: { type: 'box', size: [0.3, 0.3, 0.3] },
      pose: [0.9, 0.5, 0, 0, 0, 0, 1],
    });
    const tool = addObject(scene, {
      name: 'tool',
      shape: { type: 'capsule', radius: 0.05, length: 0.3 },
      pose: [3, 0, 0, 0, 0, 0, 1],
    });
    const checker = createSphereChecker(scene, robot);
    const steps: (() => void)[] = [
      () => {},
      () => moveObject(scene, box, [-0.6, 0.7, 0, 0, 0, 0, 1]),
      () => attachObject(scene, tool, { robot, link: 'link3', placement: [0.6, 0, 0, 0, 0, 0, 1] }),
      () => setConfiguration(other, [1.5]),
      () => placeRobot(robot, [0.3, -0.2, 0, 0, 0, 0.6, 0.8]),
      () => allowPairs(scene, [{ a: 'box', b: 'link2', reason: 'user' }]),
      () => detachObject(scene, tool),
      () => placeRobot(other, [-0.5, 0.8, 0, 0, 0, 0, 1]),
    ];
    let free = 0;
    for (const step of steps) {
      step();
      free += compare(scene, robot, checker, random, 60);
    }
    expect(free).toBeGreaterThan(30);
    expect(checker.counts.statesBySpheres).toBeGreaterThan(20);
  });

  it('calls motions valid where dense steps are free, and only those', () => {
    const random = createRandom(3);
    const scene = createScene();
    const robot = addUrdf(scene, arm);
    addShapes(scene, random, 3, ['sphere', 'box', 'capsule', 'cylinder']);
    const checker = createSphereChecker(scene, robot);
    const exact = createSceneChecker(scene, robot);
    let valid = 0;
    for (let n = 0; n < 60; n++) {
      const a = randomConfiguration(new Float64Array(3), robot.model, random);
      const b = randomConfiguration(new Float64Array(3), robot.model, random);
      const verdict = checker.motion.isMotionValid(a, b);
      if (exact.motion.isMotionValid(a, b)) expect(verdict).toBe(true);
      if (!verdict) continue;
      valid++;
      for (let k = 0; k <= 200; k++) {
        setConfiguration(
          robot,
          a.map((x, i) => x + (k / 200) * (b[i] - x)),
        );
        expect(isSceneFree(scene)).toBe(true);
      }
    }
    expect(valid).toBeGreaterThan(5);
    expect(checker.counts.motionsBySpheres).toBeGreaterThan(0.5 * valid);
  });

  it('gives the compiled checks, which call free only what the scene does, but for pairs that it counts', () => {
    const random = createRandom(7);
    const scene = createScene();
    const robot = addUrdf(scene, arm);
    const ball = addObject(scene, {
      name: 'ball',
      shape: { type: 'sphere', radius: 0.2 },
      pose: [0.9, 0, 0, 0, 0, 0, 1],
    });
    const checker = createSphereChecker(scene, robot, { prove: false });
    const q = new Float64Array(3);
    let free = 0;
    for (let n = 0; n < 300; n++) {
      moveObject(scene, ball, [2 * random.next() - 1, 2 * random.next() - 1, 0, 0, 0, 0, 1]);
      const { checks, undecidedPairs } = checker.spheres()!;
      // Neighbours, whose spheres meet at the joint.
      expect(undecidedPairs).toBe(2);
      randomConfiguration(q, robot.model, random);
      if (!checks.isFree(q)) continue;
      free++;
      setConfiguration(robot, q);
      if (isSceneFree(scene)) continue;
      moveObject(scene, ball, [50, 0, 0, 0, 0, 0, 1]);
      expect(isSceneFree(scene)).toBe(false);
    }
    expect(free).toBeGreaterThan(50);
    // What stands still and touches leaves spheres nothing to find.
    addUrdf(scene, planarArm('a', 1, 0.5), { name: 'a', placement: [3, 0, 0, 0, 0, 0, 1] });
    addObject(scene, { name: 'wall', shape: { type: 'box', size: [1, 1, 1] }, pose: [3, 0, 0, 0, 0, 0, 1] });
    expect(checker.spheres()).toBeNull();
  });

  it('asks the scene for as many samples of a motion as it may: those that need more count as blocked', () => {
    const random = createRandom(31);
    const scene = createScene();
    const robot = addUrdf(scene, arm);
    addShapes(scene, random, 3, ['box', 'sphere', 'capsule']);
    const { kernel, counts, hasModel } = createSphereChecker(scene, robot, { prove: false });
    expect(hasModel).toBe(false);
    const { memory, heapBase, motion } = kernel!;
    const n = robot.model.nq;
    if (memory.buffer.byteLength < heapBase + 16 * n) memory.grow(1);
    const floats = new Float64Array(memory.buffer, 8 * Math.ceil(heapBase / 8), 2 * n);
    const ask = (most: number): number => {
      kernel!.askAtMost(most);
      const before = counts.asked;
      const free = motion(floats.byteOffset, floats.byteOffset + 8 * n, 0.05);
      expect(counts.asked - before).toBeLessThanOrEqual(most);
      return free;
    };
    let refused = 0;
    for (let k = 0; k < 300; k++) {
      for (const part of [floats.subarray(0, n), floats.subarray(n)]) randomConfiguration(part, robot.model, random);
      const verdicts = [Infinity, 0, 2, Infinity].map(ask);
      expect(verdicts[3]).toBe(verdicts[0]);
      expect(verdicts[1]).toBeLessThanOrEqual(verdicts[2]);
      expect(verdicts[2]).toBeLessThanOrEqual(verdicts[0]);
      if (verdicts[1] < verdicts[0]) refused++;
    }
    expect(refused).toBeGreaterThan(3);
    disposeScene(scene);
  });

  it('takes proven spheres only, and some coordinates only', () => {
    const scene = createScene();
    const robot = addUrdf(scene, arm);
    const spheres = { links: [], proven: false, assumed: [] };
    expect(() => createSphereChecker(scene, robot, { spheres })).toThrow(/proven/);
    const checker = createSphereChecker(scene, robot, {
      indices: [1],
      rest: [0.4, 0, -0.3],
      spheres: { ...spheres, proven: true },
    });
    for (let n = 0; n <= 40; n++) {
      const x = -3.1 + (6.2 * n) / 40;
      setConfiguration(robot, [0.4, x, -0.3]);
      expect(checker.isValid(Float64Array.of(x))).toBe(isSceneFree(scene));
    }
    expect(checker.counts.statesBySpheres).toBeGreaterThan(10);
  });
});
