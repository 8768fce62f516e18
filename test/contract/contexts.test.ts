import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { Shape } from '../../src/geometry/shapes.js';
import { createRandom, type Random } from '../../src/math/random.js';
import { createTransform, type Pose, type Transform } from '../../src/math/transform.js';
import { createConfigurationSpace } from '../../src/planning/configuration-space.js';
import { createRrtConnect } from '../../src/planning/rrt-connect.js';
import { attachObject, detachObject } from '../../src/scene/attach.js';
import { castRobot } from '../../src/scene/motion/cast-robot.js';
import { createSceneChecker, type SceneChecker } from '../../src/scene/motion/validity.js';
import { checkScene, isSceneFree, nearestPair, pairsWithin } from '../../src/scene/queries/check.js';
import { createMonitor } from '../../src/scene/queries/monitor.js';
import { placeRobot, removeRobot, robotFramePlacement, setConfiguration } from '../../src/scene/robot.js';
import {
  addObject,
  createContext,
  createScene,
  disposeScene,
  moveObject,
  objectIn,
  removeObject,
  robotIn,
  setPairMargin,
  setSceneMargin,
} from '../../src/scene/scene.js';
import { restoreContext, saveContext } from '../../src/scene/transfer/context-state.js';
import { objectPlacement, restoreScene, saveScene } from '../../src/scene/transfer/snapshot.js';
import type { Scene, SceneRobot } from '../../src/scene/types.js';
import { addUrdf, planarArm } from '../scene-fixtures.js';

const scenes: Scene[] = [];
afterEach(() => {
  for (const scene of scenes.splice(0)) disposeScene(scene);
});
function own(scene: Scene): Scene {
  scenes.push(scene);
  return scene;
}

const LINKS = 3;
const URDF = planarArm('arm', LINKS, 0.4);
const SHAPES: readonly Shape[] = [
  { type: 'sphere', radius: 0.15 },
  { type: 'box', size: [0.3, 0.2, 0.25] },
  { type: 'capsule', radius: 0.1, length: 0.3 },
];

const randomPose = (random: Random, reach: number): Pose => {
  const angle = random.uniform(-3, 3);
  const at = (): number => random.uniform(-reach, reach);
  return [at(), at(), 0.1 * at(), 0, 0, Math.sin(angle / 2), Math.cos(angle / 2)];
};
const randomJoints = (random: Random): number[] => Array.from({ length: LINKS - 1 }, () => random.uniform(-3, 3));

interface Held {
  readonly robot: string;
  readonly link: string;
  readonly placement: Pose;
}
interface View {
  readonly scene: Scene;
  readonly checkers: Map<string, SceneChecker>;
  /** What the scene must be like: joint values and placements by robot, and where objects are. */
  readonly robots: Map<string, { q: number[]; placement: Pose }>;
  readonly objects: Map<string, { placement: Pose | Transform; held: Held | null }>;
}

/** A program of edits and queries, with a plain account of what they amount to. */
class Program {
  readonly views: View[] = [];
  private readonly robots = new Map<string, Pose>();
  private readonly objects = new Map<string, { shape: Shape; margin: number; pose: Pose }>();
  private readonly margins: [string, string, number][] = [];
  private readonly allowed: [string, string][] = [];
  private readonly order: string[] = [];
  private margin = 0;
  private count = 0;

  constructor(private readonly random: Random) {
    const scene = own(createScene());
    this.views.push({ scene, checkers: new Map(), robots: new Map(), objects: new Map() });
  }

  private pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.random.next() * list.length)];
  }

  private robotOf(view: View, name: string): SceneRobot {
    return view.scene.robots.find((robot) => robot.name === name)!;
  }

  step(): void {
    const { random } = this;
    const view = this.pick(this.views);
    const edits = [
      () => this.addRobot(view),
      () => this.addObject(view),
      () => this.addObject(view),
      () => this.remove(view),
      () => this.fork(view),
      () => this.move(view),
      () => this.move(view),
      () => this.turn(view),
      () => this.turn(view),
      () => this.turn(view),
      () => this.attach(view),
      () => this.attach(view),
      () => this.detach(view),
      () => this.edit(view),
    ];
    edits[Math.floor(random.next() * edits.length)]();
  }

  private addRobot(view: View): void {
    if (this.robots.size >= 3) return;
    const name = `arm${this.count++}`;
    const placement = randomPose(this.random, 1);
    addUrdf(view.scene, URDF, { name, placement });
    this.order.push(name);
    this.robots.set(name, placement);
    for (const { robots } of this.views) robots.set(name, { q: Array(LINKS - 1).fill(0), placement });
  }

  private addObject(view: View): void {
    if (this.objects.size >= 6) return;
    const name = `thing${this.count++}`;
    const shape = this.pick(SHAPES);
    const margin = this.pick([0, 0, 0.02]);
    const pose = randomPose(this.random, 1.2);
    addObject(view.scene, { name, shape, margin, pose });
    this.order.push(name);
    this.objects.set(name, { shape, margin, pose });
    for (const { objects } of this.views) objects.set(name, { placement: pose, held: null });
  }

  private remove(view: View): void {
    const { random, objects, robots } = this;
    if (random.next() < 0.7 && objects.size > 0) {
      const name = this.pick([...objects.keys()]);
      removeObject(view.scene, view.scene.objects.get(name)!);
      objects.delete(name);
      for (const other of this.views) other.objects.delete(name);
      return;
    }
    const idle = [...robots.keys()].filter((name) => this.robotOf(view, name).attached.size === 0);
    if (idle.length === 0) return;
    const name = this.pick(idle);
    // What other views' robots of this name hold stands free where it is.
    for (const other of this.views)
      for (const [object, state] of other.objects)
        if (state.held?.robot === name)
          other.objects.set(object, { placement: objectPlacement(other.scene.objects.get(object)!), held: null });
    removeRobot(view.scene, this.robotOf(view, name));
    robots.delete(name);
    for (const other of this.views) {
      other.robots.delete(name);
      other.checkers.delete(name);
    }
  }

  private fork(view: View): void {
    if (this.views.length >= 4) return;
    const scene = own(createContext(this.pick(this.views).scene));
    // As a copy of the state, which may have travelled.
    restoreContext(scene, structuredClone(saveContext(view.scene)));
    this.views.push({
      scene: this.random.next() < 0.5 ? scene : own(createContext(view.scene)),
      checkers: new Map(),
      robots: new Map([...view.robots].map(([name, state]) => [name, { ...state }])),
      objects: new Map(view.objects),
    });
  }

  private move(view: View): void {
    const free = [...view.objects].filter(([, { held }]) => !held).map(([name]) => name);
    if (free.length === 0) return;
    const name = this.pick(free);
    const placement = randomPose(this.random, 1.2);
    moveObject(view.scene, view.scene.objects.get(name)!, placement);
    view.objects.set(name, { placement, held: null });
  }

  private turn(view: View): void {
    if (this.robots.size === 0) return;
    const name = this.pick([...this.robots.keys()]);
    const state = view.robots.get(name)!;
    if (this.random.next() < 0.2) {
      state.placement = randomPose(this.random, 1);
      placeRobot(this.robotOf(view, name), state.placement);
      return;
    }
    state.q = randomJoints(this.random);
    setConfiguration(this.robotOf(view, name), state.q);
  }

  private attach(view: View): void {
    const free = [...view.objects].filter(([, { held }]) => !held).map(([name]) => name);
    if (free.length === 0 || this.robots.size === 0) return;
    const name = this.pick(free);
    const held = {
      robot: this.pick([...this.robots.keys()]),
      link: `link${Math.floor(this.random.next() * LINKS)}`,
      placement: randomPose(this.random, 0.3),
    };
    const { link, placement } = held;
    const robot = this.robotOf(view, held.robot);
    attachObject(view.scene, view.scene.objects.get(name)!, { robot, link, placement });
    view.objects.set(name, { placement, held });
  }

  private detach(view: View): void {
    const held = [...view.objects].filter(([, state]) => state.held).map(([name]) => name);
    if (held.length === 0) return;
    const name = this.pick(held);
    const object = view.scene.objects.get(name)!;
    detachObject(view.scene, object);
    view.objects.set(name, { placement: objectPlacement(object), held: null });
  }

  /** Of what all views share. */
  private edit(view: View): void {
    const names = [
      ...this.objects.keys(),
      ...[...this.robots.keys()].flatMap((name) => [0, 1, 2].map((i) => `${name}/link${i}`)),
    ];
    if (names.length < 2) return;
    const [a, b] = [this.pick(names), this.pick(names)];
    const kind = this.random.next();
    if (kind < 0.3) {
      this.margin = this.pick([0, 0.01, 0.05]);
      setSceneMargin(view.scene, this.margin);
    } else if (a === b) return;
    else if (kind < 0.6) {
      this.margins.push([a, b, 0.1]);
      setPairMargin(view.scene, a, b, 0.1);
    } else {
      this.allowed.push([a, b]);
      view.scene.allowed.allow({ a, b, reason: 'user' });
    }
  }

  /** The view from nothing. */
  private rebuild({ robots, objects }: View): Scene {
    const scene = createScene({ margin: this.margin });
    // In the order in which they came, which results are sorted by.
    for (const name of this.order) {
      const robot = this.robots.has(name) ? robots.get(name) : undefined;
      if (robot) setConfiguration(addUrdf(scene, URDF, { name, placement: robot.placement }), robot.q);
      if (!this.objects.has(name)) continue;
      const { shape, margin } = this.objects.get(name)!;
      const { placement, held } = objects.get(name)!;
      const pose = placement.length === 7 ? { pose: placement as Pose } : { placement: placement as Transform };
      addObject(scene, { name, shape, margin, ...(held ? {} : pose) });
    }
    for (const name of this.objects.keys()) {
      const { held } = objects.get(name)!;
      if (!held) continue;
      const object = scene.objects.get(name)!;
      const robot = scene.robots.find((candidate) => candidate.name === held.robot)!;
      attachObject(scene, object, { robot, link: held.link, placement: held.placement });
    }
    for (const [a, b, margin] of this.margins) setPairMargin(scene, a, b, margin);
    for (const [a, b] of this.allowed) scene.allowed.allow({ a, b, reason: 'user' });
    return scene;
  }

  /** Every query of one view answers as a world that was built anew. */
  compare(): void {
    const view = this.pick(this.views);
    const fresh = this.rebuild(view);
    const { scene } = view;
    const before = this.views.map(({ scene: other }) => other.robots.map(({ q }) => [...q]));
    for (const objectPairs of [false, true]) {
      expect(checkScene(scene, { all: true, objectPairs })).toEqual(checkScene(fresh, { all: true, objectPairs }));
      expect(isSceneFree(scene, 0.03, objectPairs)).toBe(isSceneFree(fresh, 0.03, objectPairs));
      expect(nearestPair(scene, { objectPairs })).toEqual(nearestPair(fresh, { objectPairs }));
      expect(pairsWithin(scene, { margin: 0.3, objectPairs })).toEqual(
        pairsWithin(fresh, { margin: 0.3, objectPairs }),
      );
    }
    for (const [i, robot] of scene.robots.entries()) {
      const other = fresh.robots[i];
      const [from, to] = [randomJoints(this.random), randomJoints(this.random)];
      const cast = ({ hit, time, distance, point, q }: ReturnType<typeof castRobot>) => ({
        hit,
        time,
        distance,
        point,
        q,
      });
      expect(cast(castRobot(scene, robot, from, to))).toEqual(cast(castRobot(fresh, other, from, to)));
      // Made when the view was another one, and still right.
      const checker = view.checkers.get(robot.name) ?? createSceneChecker(scene, robot);
      view.checkers.set(robot.name, checker);
      const expected = createSceneChecker(fresh, other);
      const q = Float64Array.from(from);
      expect(checker.isValid(q)).toBe(expected.isValid(q));
      expect(checker.explain(q)).toBe(expected.explain(q));
      const near = Float64Array.from(from, (value) => value + 0.1);
      expect(checker.motion.isMotionValid(q, near)).toBe(expected.motion.isMotionValid(q, near));
      expect([...robotFramePlacement(createTransform(), robot, 'link2')]).toEqual([
        ...robotFramePlacement(createTransform(), other, 'link2'),
      ]);
    }
    // No query has moved anything.
    expect(this.views.map(({ scene: seen }) => seen.robots.map(({ q }) => [...q]))).toEqual(before);
    disposeScene(fresh);
  }
}

describe('contexts of one world', () => {
  it('answer as worlds of their own, through random programs of edits and queries', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e9 }), (seed) => {
        const program = new Program(createRandom(seed));
        for (let n = 0; n < 40; n++) {
          program.step();
          if (n % 4 === 3) program.compare();
        }
        for (const scene of scenes.splice(0)) disposeScene(scene);
      }),
      { numRuns: process.env.ORACLE_FULL ? 2000 : 25 },
    );
  }, 3_600_000);

  it('share robots, objects and colliders, and keep joint values, places and attachments apart', () => {
    const scene = own(createScene());
    const arm = addUrdf(scene, URDF, { placement: [0, 0, 0, 0, 0, 0, 1] });
    const ball = addObject(scene, { name: 'ball', shape: SHAPES[0], pose: [0, 1, 0, 0, 0, 0, 1] });
    const other = own(createContext(scene));
    const [otherArm, otherBall] = [robotIn(other, arm), objectIn(other, ball)];
    expect([otherArm.model, otherArm.allowed, otherBall.shape]).toEqual([arm.model, arm.allowed, ball.shape]);
    expect(otherBall.body.parts[0].collider).toBe(ball.body.parts[0].collider);
    setConfiguration(otherArm, [1.2, 0.4]);
    moveObject(other, otherBall, [5, 0, 0, 0, 0, 0, 1]);
    attachObject(other, otherBall, { robot: otherArm, link: 'link2', placement: [0, 0, 0, 0, 0, 0, 1] });
    expect([[...arm.q], ball.attachment, objectPlacement(ball)[10]]).toEqual([[0, 0], null, 1]);
    addObject(other, { name: 'late', shape: SHAPES[1], pose: [0.2, 0, 0, 0, 0, 0, 1] });
    expect(scene.objects.has('late')).toBe(true);
    expect(isSceneFree(scene)).toBe(false);
    expect(() => moveObject(scene, otherBall, [0, 0, 0, 0, 0, 0, 1])).toThrow(
      /moveObject: object, got "ball", which is not/,
    );
    expect(() => robotIn(own(createScene()), arm)).toThrow(
      /robotIn: robot, got "arm", expected one of the scene's world/,
    );
  });

  it('keeps colliders until the last context is disposed', () => {
    const scene = createScene();
    const ball = addObject(scene, { name: 'ball', shape: SHAPES[0] });
    const other = createContext(scene);
    disposeScene(scene);
    expect(() => isSceneFree(scene)).toThrow(/disposed/);
    expect(isSceneFree(other)).toBe(true);
    disposeScene(other);
    disposeScene(other);
    expect(ball.body.parts[0].collider.isDisposed).toBe(true);
  });

  it('snapshots are of one context', () => {
    const scene = own(createScene());
    const arm = addUrdf(scene, URDF);
    const other = own(createContext(scene));
    const saved = saveScene(other);
    setConfiguration(robotIn(other, arm), [1, 1]);
    setConfiguration(arm, [2, 2]);
    restoreScene(other, saved);
    expect([[...arm.q], [...robotIn(other, arm).q]]).toEqual([
      [2, 2],
      [0, 0],
    ]);
    expect(() => restoreScene(scene, saved)).toThrow(/other robots or objects/);
  });

  it('two searches, a monitor and the caller side by side in one scene', () => {
    const world = () => {
      const scene = own(createScene());
      const arm = addUrdf(scene, URDF);
      addObject(scene, { name: 'wall', shape: { type: 'box', size: [0.1, 0.5, 1] }, pose: [0.7, 0.6, 0, 0, 0, 0, 1] });
      const space = createConfigurationSpace(arm.model);
      const search = (seed: number) =>
        createRrtConnect({
          space,
          checker: createSceneChecker(scene, arm),
          start: Float64Array.of(0, 0),
          goals: [Float64Array.of(2.4, -0.5)],
          seed,
        });
      return { scene, arm, search };
    };
    const alone = [1, 2].map((seed) => {
      const search = world().search(seed);
      while (!search.step(1));
      return search.result();
    });
    const { scene, arm, search } = world();
    const running = [search(1), search(2)];
    const monitor = createMonitor(scene, { distance: 0.5 });
    const q = [0, 0];
    for (let n = 0; running.some(({ done }) => !done); n++) {
      for (const one of running) if (!one.done) one.step(1);
      setConfiguration(arm, q.fill(Math.sin(n)));
      monitor.update();
      expect([...arm.q]).toEqual(q);
    }
    for (const [i, result] of running.map((one) => one.result()).entries()) {
      expect(result.path).toEqual(alone[i].path);
      expect(result.checks).toBe(alone[i].checks);
    }
  });
});
