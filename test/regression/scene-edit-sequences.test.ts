/**
 * Random sequences of edits against a model of the scene kept beside it: after each edit, placements, verdict and touching
 * pairs are those of a brute-force pass over sphere centres that shares no code with the scene.
 */
import { describe, expect, it } from 'vitest';
import { parseUrdf } from '../../src/io/robot/urdf.js';
import { createRandom } from '../../src/math/random.js';
import { createTransform, invertTransform, multiplyTransform, type Transform } from '../../src/math/transform.js';
import { buildModel } from '../../src/model/build-model.js';
import { attachObject, detachObject } from '../../src/scene/attach.js';
import { checkScene, isSceneFree, nearestPair } from '../../src/scene/queries/check.js';
import { addRobot, placeRobot, removeRobot, robotFramePlacement, setConfiguration } from '../../src/scene/robot.js';
import { addObject, createScene, disposeScene, moveObject, removeObject } from '../../src/scene/scene.js';
import type { SceneObject, SceneRobot } from '../../src/scene/types.js';

const LINKS = ['l0', 'l1', 'l2', 'l3'];
const description = parseUrdf(
  `<robot name="chain">${LINKS.map(
    (name) => `<link name="${name}"><collision><geometry><sphere radius="0.3"/></geometry></collision></link>`,
  ).join('')}${LINKS.slice(1)
    .map(
      (name, i) => `<joint name="j${i}" type="revolute"><parent link="l${i}"/><child link="${name}"/>
<origin xyz="0.8 0 0"/><axis xyz="0 ${i % 2} ${1 - (i % 2)}"/><limit lower="-3" upper="3" effort="1" velocity="1"/></joint>`,
    )
    .join('')}</robot>`,
).value!;
const { model } = buildModel(description.model);

interface Expected {
  readonly object: SceneObject;
  readonly radius: number;
  placement: Transform;
  held: { robot: SceneRobot; link: string; offset: Transform; touch: string[] } | null;
}

function runSequence(seed: number): void {
  const random = createRandom(seed);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random.next() * items.length)];
  const place = (): Transform => {
    const X = createTransform();
    for (let i = 9; i < 12; i++) X[i] = 3 * random.next() - 1.5;
    return X;
  };
  const scene = createScene();
  const robots: SceneRobot[] = [];
  const objects: Expected[] = [];
  let count = 0;
  const edits: (() => void)[] = [
    () => {
      if (robots.length < 3) robots.push(addRobot(scene, { model, description, placement: place() }));
    },
    () => {
      const robot = robots.length > 1 ? pick(robots) : undefined;
      if (!robot || objects.some(({ held }) => held?.robot === robot)) return;
      removeRobot(scene, robot);
      robots.splice(robots.indexOf(robot), 1);
    },
    () => {
      const radius = 0.05 + 0.2 * random.next();
      const placement = place();
      const object = addObject(scene, { name: `o${count++}`, shape: { type: 'sphere', radius }, placement });
      objects.push({ object, radius, placement, held: null });
    },
    () => {
      if (objects.length < 4) return;
      const gone = pick(objects);
      removeObject(scene, gone.object);
      objects.splice(objects.indexOf(gone), 1);
    },
    () => {
      const free = objects.filter(({ held }) => !held);
      if (free.length === 0) return;
      const moved = pick(free);
      moved.placement = place();
      moveObject(scene, moved.object, moved.placement);
    },
    () => {
      const free = objects.filter(({ held }) => !held);
      if (free.length === 0 || robots.length === 0) return;
      const chosen = pick(free);
      const robot = pick(robots);
      const link = pick(LINKS);
      const touch = random.next() < 0.5 ? [] : [pick(LINKS)];
      const X_WL = robotFramePlacement(createTransform(), robot, link);
      const offset = multiplyTransform(createTransform(), invertTransform(createTransform(), X_WL), chosen.placement);
      attachObject(scene, chosen.object, { robot, link, touchLinks: touch });
      chosen.held = { robot, link, offset, touch };
    },
    () => {
      const attached = objects.filter(({ held }) => held);
      if (attached.length === 0) return;
      const chosen = pick(attached);
      const { robot, link, offset } = chosen.held!;
      chosen.placement = multiplyTransform(
        createTransform(),
        robotFramePlacement(createTransform(), robot, link),
        offset,
      );
      detachObject(scene, chosen.object);
      chosen.held = null;
    },
    () => {
      if (robots.length > 0)
        setConfiguration(
          pick(robots),
          [0, 0, 0].map(() => 6 * random.next() - 3),
        );
    },
    () => {
      if (robots.length > 0) placeRobot(pick(robots), place());
    },
  ];

  const compare = (step: number): void => {
    const spheres: {
      name: string;
      at: Transform;
      radius: number;
      robot: SceneRobot | null;
      link: number;
      of?: Expected;
    }[] = [];
    for (const robot of robots)
      LINKS.forEach((link, i) => {
        const name = robots.length > 1 ? `${robot.name}/${link}` : link;
        spheres.push({ name, at: robotFramePlacement(createTransform(), robot, link), radius: 0.3, robot, link: i });
      });
    for (const of of objects) {
      const { held, placement, radius, object } = of;
      const at = held
        ? multiplyTransform(
            createTransform(),
            robotFramePlacement(createTransform(), held.robot, held.link),
            held.offset,
          )
        : placement;
      spheres.push({ name: object.name, at, radius, robot: null, link: -1, of });
    }
    const mayTouch = (link: (typeof spheres)[0], held: Expected['held']): boolean =>
      held !== null &&
      link.robot === held.robot &&
      (LINKS[link.link] === held.link || held.touch.includes(LINKS[link.link]));
    const touching: string[] = [];
    let least = Infinity;
    for (let i = 0; i < spheres.length; i++)
      for (let j = i + 1; j < spheres.length; j++) {
        const a = spheres[i];
        const b = spheres[j];
        if (a.robot && a.robot === b.robot && Math.abs(a.link - b.link) === 1) continue;
        if (b.of && mayTouch(a, b.of.held)) continue;
        if (a.of && b.of) {
          const bothFree = !a.of.held && !b.of.held;
          if (bothFree && robots.length > 0) continue;
          if (a.of.held && b.of.held && a.of.held.robot === b.of.held.robot && a.of.held.link === b.of.held.link)
            continue;
        }
        const distance = Math.hypot(a.at[9] - b.at[9], a.at[10] - b.at[10], a.at[11] - b.at[11]) - a.radius - b.radius;
        least = Math.min(least, distance);
        if (distance <= 0) touching.push([a.name, b.name].sort().join(' '));
      }
    const title = `seed ${seed}, step ${step}`;
    const found = checkScene(scene, { all: true }).contacts.map(({ a, b }) => [a, b].sort().join(' '));
    expect(found.sort(), title).toEqual(touching.sort());
    expect(isSceneFree(scene), title).toBe(touching.length === 0);
    const nearest = nearestPair(scene);
    if (least === Infinity) expect(nearest, title).toBeNull();
    else expect(nearest!.distance, title).toBeCloseTo(least, 9);
  };
  for (let step = 0; step < 60; step++) {
    pick(edits)();
    compare(step);
  }
  disposeScene(scene);
}

describe('scenes after any sequence of edits', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])('agree with brute force (seed %i)', (seed) => runSequence(seed));
});
