import { describe, expect, it } from 'vitest';
import { computeFramePlacement, forwardKinematics } from '../../kinematics/forward-kinematics.js';
import { computeFrameJacobian } from '../../kinematics/frame-jacobian.js';
import { createRandom } from '../../math/random.js';
import { createTransform, originToTransform } from '../../math/transform.js';
import { buildModel } from '../../model/build-model.js';
import { randomConfiguration } from '../../model/configuration.js';
import type { JointDescription, ModelDescription } from '../../model/description.js';
import { createData, type Model } from '../../model/model.js';
import { createRandomTree } from '../../model/random-tree.test-support.js';
import { PlacedTasks } from './placed-tasks.js';
import { createPoseChain } from './pose-chain.js';

const random = createRandom(5);

/** A chain whose links are turned by `rolls`, drawn at random when there are none. */
function createChain(count: number, options: { mimic?: boolean; rolls?: readonly number[] } = {}): Model {
  const joints = Array.from({ length: count }, (_, i): JointDescription => {
    const draw = (): number => random.uniform(-1, 1);
    const { rolls } = options;
    const rpy = rolls ? [rolls[i % rolls.length], 0, 0] : [3 * draw(), 3 * draw(), 3 * draw()];
    const axis = rolls
      ? [0, 0, 1]
      : [
          [1, 0, 0],
          [0, -1, 0],
          [0, 0, 1],
          [draw(), draw(), draw()],
        ][i % 4];
    const length = Math.hypot(...axis);
    const isMimic = Boolean(options.mimic) && i % 3 === 2;
    return {
      name: `joint${i}`,
      type: (['revolute', 'prismatic', 'continuous'] as const)[rolls ? 0 : i % 3],
      parent: `link${i}`,
      child: `link${i + 1}`,
      origin: originToTransform(createTransform(), [draw(), draw(), draw()], rpy),
      axis: axis.map((x) => x / length) as [number, number, number],
      limits: { lower: -2, upper: 2 },
      ...(isMimic && { mimic: { joint: `joint${i - 1}`, multiplier: -0.7, offset: 0.2 } }),
    };
  });
  const description: ModelDescription = {
    name: 'chain',
    links: Array.from({ length: count + 1 }, (_, i) => ({ name: `link${i}` })),
    joints,
  };
  return buildModel(description).model;
}

const allOf = (model: Model): Int32Array => Int32Array.from({ length: model.nv }, (_, k) => k);

/** The chain's error, seen from the frame, is the general task's; its columns are the frame's Jacobian. */
function expectAgreement(model: Model, free: Int32Array): void {
  const frame = model.frameCount - 1;
  const task = { kind: 'pose', frame, target: createTransform() } as const;
  const chain = createPoseChain(model, task, free)!;
  const general = new PlacedTasks(model, [task]);
  const data = createData(model);
  const X = createTransform();
  const J = new Float64Array(6 * model.nv);
  const start = randomConfiguration(new Float64Array(model.nq), model, random);
  const drawn = new Float64Array(model.nq);
  const q = Float64Array.from(start);
  for (let round = 0; round < 20; round++) {
    const rpy = [random.uniform(-3, 3), random.uniform(-1.5, 1.5), random.uniform(-3, 3)];
    originToTransform(task.target, [random.normal(), random.normal(), random.normal()], rpy);
    randomConfiguration(drawn, model, random);
    for (const k of free) q[model.idxQ[model.idxV.indexOf(k)]] = drawn[model.idxQ[model.idxV.indexOf(k)]];
    chain.place(start);
    general.place();
    chain.evaluate(q);
    general.evaluate(q);
    chain.linearize();
    forwardKinematics(model, data, q);
    computeFramePlacement(X, model, data, frame);
    computeFrameJacobian(J, model, data, frame, 'local-world-aligned');
    for (let c = 0; c < 3; c++) {
      for (const part of [0, 3]) {
        let seen = 0;
        for (let r = 0; r < 3; r++) seen += X[3 * r + c] * chain.error[part + r];
        expect(seen).toBeCloseTo(general.error[part + c], 9);
      }
    }
    expect(chain.positionError).toBeCloseTo(general.positionError, 12);
    expect(chain.rotationError).toBeCloseTo(general.rotationError, 11);
    expect(chain.squaredError / general.squaredError).toBeCloseTo(1, 9);
    for (const k of free)
      for (let r = 0; r < 6; r++) expect(chain.columns[6 * k + r]).toBeCloseTo(J[r * model.nv + k], 12);
  }
}

describe('pose over a chain', () => {
  it('turning and sliding joints about any axes', () => {
    for (const count of [1, 2, 7, 20]) {
      const model = createChain(count);
      expectAgreement(model, allOf(model));
    }
  });

  it('joints that mimic', () => {
    const model = createChain(8, { mimic: true });
    expectAgreement(model, allOf(model));
  });

  it('axes that are parallel, opposite, or nearly so', () => {
    const model = createChain(9, { rolls: [0, Math.PI, 1e-9, Math.PI - 2.65e-6, -1e-7, Math.PI / 2, 1e-17] });
    expectAgreement(model, allOf(model));
  });

  it('joints that may not move stay where the start has them, whatever their kind', () => {
    const chain = createChain(8, { mimic: true });
    expectAgreement(chain, Int32Array.of(0, 3));
    expectAgreement(chain, Int32Array.of(1, 4));
    for (const seed of [1, 2, 3]) {
      const tree = createRandomTree(seed, { joints: 6, base: 'floating' });
      const line = tree.supports[tree.frameJoints[tree.frameCount - 1]];
      const free = line.filter((j) => tree.nvs[j] === 1 && tree.jointKinds[j]!.motion !== 'general');
      expectAgreement(
        tree,
        free.map((j) => tree.idxV[j]),
      );
    }
  });

  it('a frame that nothing moves', () => {
    const model = createChain(3);
    expectAgreement(model, new Int32Array(0));
  });

  it('leaves weights and joints of several coordinates to the general rows', () => {
    const target = createTransform();
    const tree = createRandomTree(1, { joints: 3, base: 'floating' });
    expect(createPoseChain(tree, { kind: 'pose', frame: tree.frameCount - 1, target }, allOf(tree))).toBeNull();
    const model = createChain(3);
    expect(createPoseChain(model, { kind: 'pose', frame: 0, target, weight: 2 }, allOf(model))).toBeNull();
    expect(() => createPoseChain(model, { kind: 'pose', frame: 99, target }, allOf(model))).toThrow(
      'pose: frame, got 99',
    );
  });
});
