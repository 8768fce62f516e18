/** Paths with rounded corners and their trajectories among obstacles: free at every time, not only where they were planned. */
import { describe, expect, it } from 'vitest';
import { createRandom, type Random } from '../../src/math/random.js';
import { createConfigurationSpace } from '../../src/planning/configuration-space.js';
import { planRrtConnect } from '../../src/planning/rrt-connect.js';
import { shortcutPath } from '../../src/planning/shortcut.js';
import { createSceneChecker } from '../../src/scene/motion/validity.js';
import { isSceneFree } from '../../src/scene/queries/check.js';
import { setConfiguration } from '../../src/scene/robot.js';
import { addObject, createScene, disposeScene } from '../../src/scene/scene.js';
import type { Scene, SceneRobot } from '../../src/scene/types.js';
import { createBlendedPath } from '../../src/trajectory/blended-path.js';
import { createLimits } from '../../src/trajectory/limits.js';
import { checkTrajectory, createPathInScene, type PathInSceneOptions } from '../../src/trajectory/path-in-scene.js';
import { planPointToPoint } from '../../src/trajectory/point-to-point.js';
import { createSplinePath } from '../../src/trajectory/spline-path.js';
import { parameterizeTimeOptimal } from '../../src/trajectory/time-optimal.js';
import { createTrajectoryPoint, type Trajectory } from '../../src/trajectory/trajectory.js';
import { addUrdf, planarArm } from '../scene-fixtures.js';

/** Of so many times along a trajectory. */
function countCollisions(scene: Scene, robot: SceneRobot, trajectory: Trajectory, times: number): number {
  const point = createTrajectoryPoint(robot.model);
  let collisions = 0;
  for (let k = 0; k <= times; k++) {
    trajectory.evaluate(point, (trajectory.duration * k) / times);
    setConfiguration(robot, point.q);
    if (!isSceneFree(scene)) collisions++;
  }
  setConfiguration(robot, new Float64Array(robot.model.nq));
  return collisions;
}

/** An arm of three links, posts around it, and a shortened path between two free configurations; null when there is none. */
function planAmongPosts(random: Random) {
  const scene = createScene();
  const robot = addUrdf(scene, planarArm('arm', 4, 0.3));
  for (let i = 0; i < 6; i++) {
    const [r, angle] = [random.uniform(0.45, 1.2), random.uniform(-3, 3)];
    const pose = [r * Math.cos(angle), r * Math.sin(angle), 0, 0, 0, 0, 1] as const;
    addObject(scene, { name: `post ${i}`, shape: { type: 'cylinder', radius: 0.04, length: 0.4 }, pose });
  }
  const checker = createSceneChecker(scene, robot);
  const space = createConfigurationSpace(robot.model);
  const draw = (): Float64Array | null => {
    for (let k = 0; k < 200; k++) {
      const q = Float64Array.from({ length: 3 }, () => random.uniform(-2, 2));
      if (checker.isValid(q)) return q;
    }
    return null;
  };
  const [start, goal] = [draw(), draw()];
  const found = start && goal ? planRrtConnect({ space, checker, start, goals: [goal], maxIterations: 3000 }) : null;
  const path = found?.status === 'solved' ? shortcutPath({ space, checker, path: found.path }).path : [];
  return { scene, robot, path };
}

const choices: readonly PathInSceneOptions[] = [
  { corners: 'stop' },
  { corners: 'blend', deviation: 0.3 },
  { corners: 'smooth', deviation: 0.3 },
  { corners: 'spline' },
];

describe('paths in scenes', () => {
  it('are free at every time, as are the trajectories along them, where rounding corners alone is not', () => {
    const random = createRandom(21);
    const plain = { blend: 0, spline: 0 };
    let paths = 0;
    let changes = 0;
    for (let round = 0; round < 30; round++) {
      const { scene, robot, path } = planAmongPosts(random);
      if (path.length >= 3) {
        paths++;
        const { model } = robot;
        const blended = createBlendedPath(model, path, { deviation: 0.3 });
        if (countCollisions(scene, robot, blended, 500) > 0) plain.blend++;
        if (countCollisions(scene, robot, createSplinePath(model, path), 500) > 0) plain.spline++;
        for (const options of choices) {
          const name = `seed 21, round ${round}, ${options.corners}`;
          const made = createPathInScene(scene, robot, path, options);
          expect(made, name).toMatchObject({
            status: 'free',
            checked: 'certified',
            reason: '',
            place: null,
            complete: true,
          });
          expect(countCollisions(scene, robot, made.path, 1500), name).toBe(0);
          expect(made.clearance, name).toBeGreaterThan(0);
          changes += made.changes;
          const limits = createLimits(model, { velocity: 1, acceleration: 2 });
          const { trajectory } = parameterizeTimeOptimal(made.path, { limits, intervals: 60 });
          expect(trajectory, name).not.toBeNull();
          const verdict = checkTrajectory(scene, robot, trajectory!);
          expect(verdict, name).toMatchObject({ status: 'free', checked: 'certified' });
          expect(countCollisions(scene, robot, trajectory!, 800), name).toBe(0);
        }
      }
      disposeScene(scene);
    }
    expect(paths).toBeGreaterThan(8);
    expect(plain.blend).toBeGreaterThan(1);
    expect(plain.spline).toBeGreaterThan(1);
    expect(changes).toBeGreaterThan(5);
  }, 600_000);

  /** A link of half a metre that turns; a post at an angle of 0.5. */
  const turnstile = () => {
    const scene = createScene();
    const robot = addUrdf(scene, planarArm('arm', 2, 0.5));
    const pose = [0.5 + 0.4 * Math.cos(0.5), 0.4 * Math.sin(0.5), 0, 0, 0, 0, 1] as const;
    addObject(scene, { name: 'post', shape: { type: 'sphere', radius: 0.02 }, pose });
    return { scene, robot };
  };

  it('waypoints whose straight motions touch are blocked, with the waypoint and the bodies', () => {
    const { scene, robot } = turnstile();
    for (const options of choices)
      expect(createPathInScene(scene, robot, [[-1], [-0.5], [-0.5], [1]], options)).toMatchObject({
        status: 'blocked',
        segment: 1,
        a: 'link1',
        b: 'post',
        reason: expect.stringMatching(/^the straight motion from waypoint [12]: link1 and post at .*: touches$/),
      });
    expect(createPathInScene(scene, robot, [[-1]])).toMatchObject({ status: 'free', segment: null });
    expect(createPathInScene(scene, robot, [[0.5]])).toMatchObject({ status: 'blocked', segment: 0 });
    expect(createPathInScene(scene, robot, [[-1], [0.1]], { margin: 0.2 })).toMatchObject({ status: 'blocked' });
    for (const wrong of [{ corners: 'round' }, { deviation: -1 }, { deviation: Number.NaN }, { corner: 'stop' }])
      expect(() => createPathInScene(scene, robot, [[-1], [0]], wrong as object)).toThrow(
        /^createPathInScene: .*expected/,
      );
    expect(() => createPathInScene(scene, robot, [[0, 0]])).toThrow(/waypoint 0/);
    disposeScene(scene);
  });

  it('profiles are certified as they are; what gives no bounds is sampled, and says so', () => {
    const { scene, robot } = turnstile();
    const { model } = robot;
    const limits = createLimits(model, { velocity: 1, acceleration: 1 });
    const to = (end: number) => planPointToPoint(model, [-1], [end], { limits }).trajectory!;
    expect(checkTrajectory(scene, robot, to(0.3))).toMatchObject({ status: 'free', checked: 'certified' });
    const hit = checkTrajectory(scene, robot, to(1));
    expect(hit).toMatchObject({ status: 'blocked', checked: 'certified', a: 'link1', b: 'post' });
    const point = createTrajectoryPoint(model);
    to(1).evaluate(point, hit.time!);
    setConfiguration(robot, point.q);
    expect(isSceneFree(scene)).toBe(false);
    const bare = (trajectory: Trajectory): Trajectory => ({
      model,
      duration: trajectory.duration,
      evaluate: (out, time) => trajectory.evaluate(out, time),
    });
    expect(checkTrajectory(scene, robot, bare(to(0.3)))).toMatchObject({ status: 'free', checked: 'sampled' });
    expect(checkTrajectory(scene, robot, bare(to(1)))).toMatchObject({
      status: 'blocked',
      checked: 'sampled',
      a: 'link1',
    });
    disposeScene(scene);
  });
});
