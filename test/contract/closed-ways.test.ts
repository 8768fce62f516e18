/**
 * The reasons of infeasible problems: rooms whose door was closed and hands that were closed around a pin, among other things that stand around. The
 * body that is named is the one that was put there. All fifty behind ORACLE_FULL.
 */
import { describe, expect, it } from 'vitest';
import { createRandom, type Random } from '../../src/math/random.js';
import { addObject, createScene, disposeScene } from '../../src/scene/scene.js';
import type { Scene, SceneRobot } from '../../src/scene/types.js';
import { planGroup } from '../../src/tasks/plan-group.js';
import { addUrdf } from '../scene-fixtures.js';

const COUNT = process.env.ORACLE_FULL ? 25 : 2;
const ITERATIONS = 2000;

const box = (size: string, at: string): string =>
  `<collision><origin xyz="${at}"/><geometry><box size="${size}"/></geometry></collision>`;

/** A hand that slides along x and y and turns about z. */
function gantry(hand: string): string {
  const slide = (name: string, parent: string, child: string, axis: string): string =>
    `<joint name="${name}" type="prismatic"><parent link="${parent}"/><child link="${child}"/><axis xyz="${axis}"/><limit lower="-2" upper="2" velocity="1" effort="1"/></joint>`;
  const turn = `<joint name="turn" type="revolute"><parent link="carriage"/><child link="hand"/><axis xyz="0 0 1"/><limit lower="-1.5" upper="1.5" velocity="1" effort="1"/></joint>`;
  const links = `<link name="base"/><link name="rail"/><link name="carriage"/><link name="hand">${hand}</link>`;
  return `<robot name="gantry">${links}${slide('x', 'base', 'rail', '1 0 0')}${slide('y', 'rail', 'carriage', '0 1 0')}${turn}</robot>`;
}

interface Closed {
  readonly scene: Scene;
  readonly robot: SceneRobot;
  readonly start: number[];
  readonly goal: number[];
  readonly closing: string;
}

const place = (x: number, y: number) => [x, y, 0, 0, 0, 0, 1] as const;

/** Posts that close nothing: they stand clear of the start, the goal and the doorway. */
function addPosts(scene: Scene, random: Random, keep: readonly (readonly [number, number])[]): void {
  for (let i = 0; i < 4; ) {
    const [x, y] = [random.uniform(-1.8, 1.8), random.uniform(-1.8, 1.8)];
    if (keep.some(([u, v]) => (x - u) * (x - u) + (y - v) * (y - v) < 0.5)) continue;
    const shape = { type: 'cylinder', radius: random.uniform(0.04, 0.1), length: 0.3 } as const;
    addObject(scene, { name: `post ${i++}`, shape, pose: place(x, y) });
  }
}

/** Two rooms, and a door in the wall between them. */
function closeDoor(random: Random): Closed {
  const scene = createScene();
  const robot = addUrdf(scene, gantry(box('0.3 0.2 0.2', '0 0 0')));
  const wide = random.uniform(0.5, 0.8);
  const [x, y] = [random.uniform(-0.3, 0.3), random.uniform(-0.9, 0.9)];
  const wall = (name: string, from: number, to: number): void => {
    const shape = { type: 'box', size: [0.1, to - from, 0.4] } as const;
    addObject(scene, { name, shape, pose: place(x, (from + to) / 2) });
  };
  wall('left wall', -2.4, y - wide / 2);
  wall('right wall', y + wide / 2, 2.4);
  wall('door', y - wide / 2 + 0.01, y + wide / 2 - 0.01);
  const start = [x - random.uniform(0.5, 1.2), random.uniform(-1.2, 1.2), 0];
  const goal = [x + random.uniform(0.5, 1.2), random.uniform(-1.2, 1.2), 0];
  addPosts(scene, random, [
    [start[0], start[1]],
    [goal[0], goal[1]],
    [x, y],
  ]);
  return { scene, robot, start, goal, closing: 'door' };
}

/** A hand whose jaws are closed, with a pin between them. */
function closeHand(random: Random): Closed {
  const scene = createScene();
  const [long, gap] = [random.uniform(0.3, 0.4), random.uniform(0.12, 0.2)];
  const palm = box(`0.05 ${gap + 0.1} 0.2`, '0 0 0');
  const side = (y: number): string => box(`${long} 0.05 0.2`, `${long / 2} ${y} 0`);
  const tips = box(`0.05 ${gap + 0.1} 0.2`, `${long} 0 0`);
  const robot = addUrdf(scene, gantry(palm + side(gap / 2 + 0.025) + side(-gap / 2 - 0.025) + tips));
  const start = [random.uniform(-0.8, 0.2), random.uniform(-0.8, 0.8), 0];
  const goal = [start[0] + random.uniform(0.6, 1), start[1] + random.uniform(-0.5, 0.5), 0];
  const shape = { type: 'cylinder', radius: 0.03, length: 0.3 } as const;
  addObject(scene, { name: 'pin', shape, pose: place(start[0] + long / 2, start[1]) });
  addPosts(scene, random, [
    [start[0] + 0.15, start[1]],
    [goal[0] + 0.15, goal[1]],
  ]);
  return { scene, robot, start, goal, closing: 'pin' };
}

describe.each([
  ['doors', closeDoor],
  ['hands', closeHand],
] as const)('closed %s', (_, close) => {
  it('are named', () => {
    const wrong: string[] = [];
    for (let seed = 1; seed <= COUNT; seed++) {
      const { scene, robot, start, goal, closing } = close(createRandom(seed));
      const shut = planGroup(scene, robot, { start, goal, seed, maxIterations: ITERATIONS, explain: true });
      expect(shut.status).toBe('limit');
      const named = shut.reasons?.search?.closedBy;
      if (named !== closing) wrong.push(`${seed}: ${named}`);
      disposeScene(scene);
    }
    expect(wrong.length, wrong.join('; ')).toBeLessThanOrEqual(COUNT / 10);
  });
});
