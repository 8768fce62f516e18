import { describe, expect, it } from 'vitest';
import { createRandom } from '../../src/math/random.js';
import { createConfigurationSpace } from '../../src/planning/configuration-space.js';
import { planRrtConnect } from '../../src/planning/rrt-connect.js';
import { findMotionBounds } from '../../src/scene/motion/motion-bounds.js';
import { createSceneChecker } from '../../src/scene/motion/validity.js';
import { isSceneFree } from '../../src/scene/queries/check.js';
import { setConfiguration } from '../../src/scene/robot.js';
import { addObject, createScene, disposeScene } from '../../src/scene/scene.js';
import { addUrdf, boxLink, planarArm } from '../scene-fixtures.js';

const cart = `<robot name="cart">${boxLink('body', '0.4 0.4 0.4')}</robot>`;

function wallScene(base: 'planar' | 'floating') {
  const scene = createScene();
  const robot = addUrdf(scene, cart, { build: { base } });
  addObject(scene, { name: 'wall', shape: { type: 'box', size: [0.1, 4, 4] }, pose: [5, 0, 0, 0, 0, 0, 1] });
  const rest = base === 'planar' ? [1, 0] : [0, 0, 0, 1];
  const at = (x: number) => Float64Array.of(x, 0, ...(base === 'planar' ? rest : [0, ...rest]));
  return { scene, robot, start: at(4), goal: at(6) };
}

describe('bases without limits', () => {
  it.each(['planar', 'floating'] as const)('a %s base goes round a wall between 4 and 6 m', (base) => {
    const { scene, robot, start, goal } = wallScene(base);
    const checker = createSceneChecker(scene, robot);
    // Without bounds: drawn around start and goal; with bounds of the scene: around the wall.
    for (const bounds of [undefined, findMotionBounds(scene, robot, [start, goal])]) {
      const space = createConfigurationSpace(robot.model, { bounds });
      const { status, path, assumed } = planRrtConnect({ space, checker, start, goals: [goal], maxIterations: 20_000 });
      expect(status).toBe('solved');
      expect(assumed).toHaveLength(bounds ? 0 : base === 'planar' ? 2 : 3);
      if (!bounds)
        expect(assumed[0]).toBe('guessed: joint "root_joint" has no limits for coordinate 0: drawn from -1 to 11');
      expect([path[0], path[path.length - 1]]).toEqual([start, goal]);
      for (const q of path) {
        setConfiguration(robot, q);
        expect(isSceneFree(scene)).toBe(true);
      }
    }
    disposeScene(scene);
  });

  it('hold the states and everything around with room for the robot, in a turned frame, too', () => {
    const random = createRandom(9);
    for (let round = 0; round < 30; round++) {
      const scene = createScene();
      const placement = [
        random.uniform(-3, 3),
        random.uniform(-3, 3),
        0,
        0,
        0,
        Math.sin(round),
        Math.cos(round),
      ] as const;
      const robot = addUrdf(scene, cart, { build: { base: 'planar' }, placement });
      const states = [0, 1].map(() => {
        const turn = random.uniform(-3, 3);
        return [random.uniform(-9, 9), random.uniform(-9, 9), Math.cos(turn), Math.sin(turn)];
      });
      const ball = [random.uniform(-9, 9), random.uniform(-9, 9), 0] as const;
      addObject(scene, { name: 'ball', shape: { type: 'sphere', radius: 0.5 }, pose: [...ball, 0, 0, 0, 1] });
      addObject(scene, { name: 'floor', shape: { type: 'halfspace', normal: [0, 0, 1], offset: -9 } });
      const { lower, upper } = findMotionBounds(scene, robot, states);
      expect([...lower, ...upper].every((x, i) => Number.isFinite(x) || i % 4 > 1)).toBe(true);
      for (const [x, y] of states) {
        expect(lower[0] < x && x < upper[0], `seed 9, round ${round}`).toBe(true);
        expect(lower[1] < y && y < upper[1], `seed 9, round ${round}`).toBe(true);
      }
      // The robot, placed at each corner of the bounds, is clear of the ball by its own size.
      for (const x of [lower[0], upper[0]]) {
        for (const y of [lower[1], upper[1]]) {
          setConfiguration(robot, [x, y, 1, 0]);
          expect(isSceneFree(scene, 0.5), `seed 9, round ${round}`).toBe(true);
        }
      }
      disposeScene(scene);
    }
  });

  it('leave limits alone, and bounds that are given hold', () => {
    const scene = createScene();
    const robot = addUrdf(scene, planarArm('arm', 3, 0.3));
    const { lower, upper } = findMotionBounds(scene, robot, []);
    expect([lower, upper]).toEqual([robot.model.lower, robot.model.upper]);
    const bounds = { lower: [-0.5, Number.NEGATIVE_INFINITY], upper: [0.5, 0.25] };
    const space = createConfigurationSpace(robot.model, { bounds });
    expect(space.explainBounds!(Float64Array.of(0.6, 0))).toBe('joint "joint1" is 0.6, its limits are -0.5 to 0.5');
    const random = createRandom(1);
    for (let k = 0; k < 200; k++) expect(space.satisfiesBounds(space.sample(new Float64Array(2), random))).toBe(true);
    for (const wrong of [
      { lower: [0], upper: [1] },
      { lower: [1, 0], upper: [0, 1] },
      { lower: [Number.NaN, 0], upper: [1, 1] },
      { lower: [50, 0], upper: [60, 1] },
      { lower: [0, 0] },
    ])
      expect(() => createConfigurationSpace(robot.model, { bounds: wrong as typeof bounds })).toThrow(
        /bounds.*expected/,
      );
    disposeScene(scene);
  });
});

describe('states that are off by a rounding', () => {
  it('are moved onto their limits, and that is told', () => {
    const scene = createScene();
    const urdf = planarArm('arm', 3, 0.3).replaceAll('3.1"', '3.14158"').replaceAll('"-3.1"', '"-3.14158"');
    const robot = addUrdf(scene, urdf);
    const checker = createSceneChecker(scene, robot);
    const space = createConfigurationSpace(robot.model);
    const start = Float64Array.of(0.2, 0);
    const goal = Float64Array.of(1, -Math.PI);
    const free = { ...checker, isValid: () => true, motion: undefined };
    const found = planRrtConnect({ space, checker: free, start, goals: [goal] });
    expect(found.status).toBe('solved');
    expect(found.path[1]).toEqual(Float64Array.of(1, -3.14158));
    expect(found.assumed).toEqual([
      'altered: the goal: joint "joint2" is -3.141592653589793 and was moved onto its limit -3.14158',
    ]);
    expect(goal[1]).toBe(-Math.PI);
    const beyond = planRrtConnect({ space, checker: free, start, goals: [Float64Array.of(1, -3.142)] });
    expect(beyond).toMatchObject({ status: 'invalid-goal', assumed: [] });
    disposeScene(scene);
  });

  it('quaternions of length 1.00005 are scaled, longer ones refused by name', () => {
    const { scene, robot, start, goal } = wallScene('floating');
    const space = createConfigurationSpace(robot.model);
    const near = Float64Array.from(start);
    near[6] = 1.00005;
    const checker = createSceneChecker(scene, robot);
    const request = { space, checker, goals: [Float64Array.of(3, 0, 0, 0, 0, 0, 1)] };
    const found = planRrtConnect({ ...request, start: near });
    expect(found.status).toBe('solved');
    expect(found.path[0][6]).toBe(1);
    expect(found.assumed[0]).toMatch(/^altered: the start: joint "root_joint" has a quaternion of length 1.00005/);
    near[6] = 1.1;
    expect(planRrtConnect({ ...request, start: near }).reason).toMatch(/quaternion of length 1.1, expected 1/);
    expect(goal[6]).toBe(1);
    disposeScene(scene);
  });
});
