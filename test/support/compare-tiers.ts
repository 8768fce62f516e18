/**
 * A robot among random obstacles of every kind: what spheres say in both tiers, and what the scene says, state by state.
 */
import type { Shape } from '../../src/geometry/shapes.js';
import { createRandom, type Random } from '../../src/math/random.js';
import { type Pose, transformToPose } from '../../src/math/transform.js';
import { randomConfiguration } from '../../src/model/configuration.js';
import type { Model } from '../../src/model/model.js';
import { isSceneFree } from '../../src/scene/queries/check.js';
import { addRobot, type RobotOptions, setConfiguration } from '../../src/scene/robot.js';
import { addObject, createScene, disposeScene, removeObject } from '../../src/scene/scene.js';
import { createSphereChecker } from '../../src/scene/spheres/sphere-checker.js';
import type { Scene } from '../../src/scene/types.js';
import { updateScene } from '../../src/scene/update.js';
import { partShapeTypes, samplePose, sampleShape, scaleShape, shapeTypes } from '../sample-shapes.js';

export interface TierComparison {
  states: number;
  free: number;
  /** Free by spheres: by both tiers, or the states are in `different`. */
  bySpheres: number;
  /** States whose verdict is not the scene's. */
  readonly wrong: unknown[];
  /** States that only one tier decides by spheres. */
  readonly different: unknown[];
}

export interface ComparisonRequest {
  readonly states: number;
  /** States before obstacles are replaced. */
  readonly perScene: number;
  readonly seed: number;
}

const kinds = [...shapeTypes, ...partShapeTypes];

function replaceObstacles(scene: Scene, random: Random, size: number): void {
  for (const object of [...scene.objects.values()]) removeObject(scene, object);
  for (let i = random.integer(4); i > 0; i--) {
    const kind = kinds[random.integer(kinds.length)];
    const shape: Shape =
      kind === 'halfspace'
        ? { type: kind, normal: [0, 0, 1], offset: -1.2 * size }
        : scaleShape(sampleShape(random, kind), 0.3 * size);
    const pose = [...transformToPose(new Float64Array(7), samplePose(random, 1.2 * size))] as unknown as Pose;
    addObject(scene, { name: `o${i}`, shape, pose, ...(random.next() < 0.3 ? { margin: 0.01 * size } : {}) });
  }
}

/** `robot`: what loadRobot returned. */
export function compareTiers(
  robot: Omit<RobotOptions, 'model'>,
  model: Model,
  { states, perScene, seed }: ComparisonRequest,
): TierComparison {
  const random = createRandom(seed);
  const scene = createScene();
  const added = addRobot(scene, { ...robot, model });
  updateScene(scene);
  // Obstacles about as large as the robot, around it.
  let size = 0.2;
  for (const { body } of added.links)
    if (Number.isFinite(body.box[0])) for (let i = 0; i < 6; i++) size = Math.max(size, Math.abs(body.box[i]));
  const checkers = (['compiled', 'generic'] as const).map((tier) =>
    createSphereChecker(scene, added, { prove: false, tier }),
  );
  const out: TierComparison = { states: 0, free: 0, bySpheres: 0, wrong: [], different: [] };
  const q = new Float64Array(model.nq);
  for (let done = 0; done < states; done += perScene) {
    replaceObstacles(scene, random, size);
    for (let n = 0; n < Math.min(perScene, states - done); n++) {
      randomConfiguration(q, model, random);
      const before = checkers.map(({ counts }) => counts.statesBySpheres);
      const verdicts = checkers.map((checker) => checker.isValid(q));
      const decided = checkers.map(({ counts }, i) => counts.statesBySpheres - before[i]);
      setConfiguration(added, q);
      const expected = isSceneFree(scene);
      out.states++;
      if (expected) out.free++;
      out.bySpheres += decided[0];
      if (verdicts.some((verdict) => verdict !== expected)) out.wrong.push({ q: [...q], verdicts, expected });
      if (decided[0] !== decided[1]) out.different.push({ q: [...q], decided });
    }
  }
  disposeScene(scene);
  return out;
}
