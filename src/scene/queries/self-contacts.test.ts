import fc from 'fast-check';
import { describe, it } from 'vitest';
import { addUrdf, type FixtureOptions } from '../../../test/scene-fixtures.js';
import { expect } from '../../../test/support/quick-expect.js';
import { forwardKinematics, updateFramePlacements } from '../../kinematics/forward-kinematics.js';
import { createRandom, type Random } from '../../math/random.js';
import { createTransform, invertTransform, multiplyTransform } from '../../math/transform.js';
import { createData } from '../../model/model.js';
import { attachObject } from '../attach.js';
import { placeRobot, removeRobot, setConfiguration } from '../robot.js';
import { addObject, createScene, disposeScene, moveObject, setPairMargin } from '../scene.js';
import { packScene, unpackScene } from '../transfer/pack-scene.js';
import type { Scene, SceneRobot } from '../types.js';
import { sequenceBodies, writeGap } from './body-sequence.js';
import { checkScene, countCheckedPairs, isSceneFree, nearestPair, pairsWithin } from './check.js';
import { describeSelfCheck } from './self-check.js';

const tetrahedron = {
  vertices: Float64Array.of(0, 0, 0, 0.07, 0, 0, 0, 0.05, 0, 0, 0, 0.06),
  triangles: Uint32Array.of(0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2),
};
const meshes = new Map([['tetrahedron.stl', tetrahedron]]);

function randomGeometry(random: Random): string {
  const s = (): string => random.uniform(0.005, 0.025).toFixed(3);
  switch (random.integer(6)) {
    case 0:
      return `<sphere radius="${s()}"/>`;
    case 1:
      return `<box size="${s()} ${s()} ${s()}"/>`;
    case 2:
      return `<cylinder radius="${s()}" length="${s()}"/>`;
    case 3:
      return '<mesh filename="tetrahedron.stl"/>';
    default:
      return `<capsule radius="${s()}" length="${s()}"/>`;
  }
}

/** A row of links as a rule, with side branches, links without geometry, fixed joints and joints that mimic. */
function randomRobot(random: Random, count: number): string {
  const text: string[] = ['<robot name="row">'];
  const mimicable: string[] = [];
  for (let i = 0; i < count; i++) {
    const shapes = random.uniform(0, 1) < 0.1 ? 0 : random.uniform(0, 1) < 0.1 ? 2 : 1;
    const collisions = Array.from({ length: shapes }, (_, k) => {
      const origin = `<origin xyz="0.03 ${0.02 * k} 0" rpy="0 1.57 ${0.3 * k}"/>`;
      return `<collision>${origin}<geometry>${randomGeometry(random)}</geometry></collision>`;
    });
    text.push(`<link name="l${i}">${collisions.join('')}</link>`);
    if (i === 0) continue;
    const parent = random.uniform(0, 1) < 0.97 ? i - 1 : Math.max(0, i - 1 - random.integer(6));
    const kinds = ['revolute', 'continuous', 'prismatic', 'fixed', 'revolute', 'revolute'];
    const type = kinds[random.integer(kinds.length)];
    const axis = ['0 0 1', '0 1 0', '0.6 0 0.8'][random.integer(3)];
    const isMimic = mimicable.length > 0 && type === 'revolute' && random.uniform(0, 1) < 0.1;
    const mimic = isMimic ? `<mimic joint="${mimicable[random.integer(mimicable.length)]}" multiplier="-0.7"/>` : '';
    if (type === 'revolute' && !isMimic) mimicable.push(`j${i}`);
    text.push(
      `<joint name="j${i}" type="${type}"><parent link="l${parent}"/><child link="l${i}"/>`,
      `<origin xyz="0.08 0 0" rpy="0.1 0 0"/><axis xyz="${axis}"/>`,
      `<limit lower="-2" upper="2" velocity="1" effort="1"/>${mimic}</joint>`,
    );
  }
  return [...text, '</robot>'].join('');
}

interface Twin {
  readonly scene: Scene;
  readonly robot: SceneRobot;
}

function twinsOf(urdf: string, options: FixtureOptions = {}): [Twin, Twin] {
  const create = (selfCheck: SceneRobot['selfCheck']): Twin => {
    const scene = createScene();
    return { scene, robot: addUrdf(scene, urdf, { meshes, ...options, selfCheck }) };
  };
  return [create(options.selfCheck ?? 'chain'), create('pairs')];
}

function disposeAll(twins: readonly Twin[]): void {
  for (const { scene } of twins) disposeScene(scene);
}

function setAll(twins: readonly Twin[], q: Float64Array): void {
  for (const { robot } of twins) setConfiguration(robot, q);
}

function expectSame([chain, pairs]: readonly [Twin, Twin], margin: number, depth: 'none' | 'hull' = 'hull'): boolean {
  const free = isSceneFree(pairs.scene, margin);
  expect(isSceneFree(chain.scene, margin)).toBe(free);
  expect(checkScene(chain.scene, { margin }).free).toBe(free);
  expect(checkScene(chain.scene, { all: true, margin, depth })).toEqual(
    checkScene(pairs.scene, { all: true, margin, depth }),
  );
  return free;
}

/** Changes one coordinate, a few, or all; angles that leave about half of the configurations free. */
function move(random: Random, q: Float64Array, spread: number): void {
  if (q.length === 0) return;
  const kind = random.integer(4);
  const count = kind === 0 ? q.length : kind === 1 ? 1 + random.integer(4) : 1;
  for (let k = 0; k < count; k++) {
    const c = count === q.length ? k : random.integer(q.length);
    q[c] = random.normal() * spread;
  }
}

describe('self-contacts of a robot in a row', () => {
  it('are the pairs, depths and points of the ordinary path, to the bit', () => {
    let free = 0;
    let total = 0;
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 90 }), fc.integer(), (count, seed) => {
        const random = createRandom(seed >>> 0);
        const twins = twinsOf(randomRobot(random, count));
        const q = twins[0].robot.q.slice();
        // Continuous joints have their angle here; mimics no coordinate.
        for (let step = 0; step < 12; step++) {
          move(random, q, random.uniform(0.01, 0.3));
          setAll(twins, q);
          total++;
          if (expectSame(twins, random.uniform(0, 1) < 0.5 ? 0 : random.uniform(-0.004, 0.02))) free++;
        }
        disposeAll(twins);
      }),
      // Seeded: both verdicts must be common.
      { numRuns: 60, seed: 11 },
    );
    expect(free).toBeGreaterThan(0.1 * total);
    expect(free).toBeLessThan(0.9 * total);
  });

  it('follow margins, matrices, obstacles, attached objects and a moved base', () => {
    fc.assert(
      fc.property(fc.integer({ min: 12, max: 90 }), fc.integer(), (count, seed) => {
        const random = createRandom(seed >>> 0);
        const selfCheck = random.uniform(0, 1) < 0.5 ? 'auto' : 'chain';
        const twins = twinsOf(randomRobot(random, count), { margin: 0.001, selfCheck });
        const q = twins[0].robot.q.slice();
        const names = twins[0].robot.links.map(({ name }) => name);
        const pick = (): string => names[random.integer(names.length)];
        for (let step = 0; step < 14 && names.length > 1; step++) {
          move(random, q, 0.15);
          setAll(twins, q);
          const [a, b] = [pick(), pick()];
          const x = random.uniform(-1, 1);
          for (const { scene, robot } of twins) {
            const ball = scene.objects.get('ball');
            if (step === 1) addObject(scene, { name: 'ball', shape: { type: 'sphere', radius: 0.1 } });
            if (step === 4) robot.allowed.allow({ a, b, reason: 'user' });
            if (step === 5) robot.allowed.forbid(a, b);
            if (step === 6 && a !== b) setPairMargin(scene, a, b, 0.05);
            if (step === 7) placeRobot(robot, [100 * x, 5, 0, 0, 0, 0, 1]);
            if (ball && step === 9) attachObject(scene, ball, { robot, link: a });
            else if (ball && !ball.attachment) moveObject(scene, ball, [x, 0.1, 0, 0, 0, 0, 1]);
          }
          expectSame(twins, step % 3 === 0 ? 0.005 : 0);
        }
        disposeAll(twins);
      }),
      { numRuns: 30 },
    );
  });

  it('give the same distances', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 40 }), fc.integer(), (count, seed) => {
        const random = createRandom(seed >>> 0);
        const twins = twinsOf(randomRobot(random, count));
        const [{ scene: chain }, { scene: pairs }] = twins;
        const q = twins[0].robot.q.slice();
        for (let step = 0; step < 4; step++) {
          move(random, q, 0.1);
          setAll(twins, q);
          expect(pairsWithin(chain, { margin: 0.03 })).toEqual(pairsWithin(pairs, { margin: 0.03 }));
          expect(nearestPair(chain)).toEqual(nearestPair(pairs));
        }
        disposeAll(twins);
      }),
      { numRuns: 30 },
    );
  });

  it('are found in a robot of two, and in one whose links share a joint', () => {
    const capsule = '<collision><geometry><capsule radius="0.1" length="0.2"/></geometry></collision>';
    const joint = (type: string, child: string): string =>
      `<joint name="${child}" type="${type}"><parent link="a"/><child link="${child}"/><axis xyz="1 0 0"/><limit lower="-9" upper="9" velocity="1" effort="1"/></joint>`;
    const urdf = `<robot name="two"><link name="a">${capsule}</link><link name="b">${capsule}</link><link name="c">${capsule}</link>${joint('prismatic', 'b')}${joint('fixed', 'c')}</robot>`;
    const twins = twinsOf(urdf, { checkAdjacent: true });
    for (const x of [0, 0.2, 0.2 + 1e-12, 0.2 + 1e-6, 3]) {
      setAll(twins, Float64Array.of(x));
      expectSame(twins, 0);
    }
    expect(checkScene(twins[0].scene, { all: true }).contacts).toHaveLength(1);
    disposeAll(twins);
  });

  it('survive the way to a worker and the removal of the robot', () => {
    const [{ scene, robot }, other] = twinsOf(randomRobot(createRandom(7), 80));
    const q = Float64Array.from(robot.q, (_, i) => 0.2 * Math.sin(i));
    setConfiguration(robot, q);
    setConfiguration(other.robot, q);
    const copy = unpackScene(packScene(scene));
    expect(describeSelfCheck(copy.robots[0])).toEqual({ method: 'chain tree', reason: 'asked for' });
    expect(checkScene(copy, { all: true })).toEqual(checkScene(other.scene, { all: true }));
    disposeScene(copy);
    isSceneFree(scene);
    removeRobot(scene, robot);
    expect(isSceneFree(scene)).toBe(true);
    disposeScene(scene);
    expect(() => isSceneFree(scene)).toThrow(/disposed/);
    disposeScene(other.scene);
  });
});

describe('describeSelfCheck', () => {
  const snake = (count: number): string => randomRobot(createRandom(3), count);
  const describeRobot = (urdf: string, options: FixtureOptions = {}) => {
    const scene = createScene();
    try {
      return describeSelfCheck(addUrdf(scene, urdf, { meshes, ...options }));
    } finally {
      disposeScene(scene);
    }
  };

  it('goes by the number of links, and by what is asked for', () => {
    expect(describeRobot(snake(12)).method).toBe('pairs');
    expect(describeRobot(snake(120))).toEqual({
      method: 'chain tree',
      reason: expect.stringMatching(/^\d+ links in a row: /),
    });
    expect(describeRobot(snake(120), { selfCheck: 'pairs' })).toEqual({ method: 'pairs', reason: 'asked for' });
    expect(describeRobot(snake(12), { selfCheck: 'chain' })).toEqual({ method: 'chain tree', reason: 'asked for' });
    expect(() => describeRobot(snake(2), { selfCheck: 'fast' as 'auto' })).toThrow(/selfCheck, got "fast"/);
  });

  it('counts the pairs that are checked, however many: all but the neighbours', () => {
    for (const count of [30, 210]) {
      const links = Array.from(
        { length: count },
        (_, i) => `<link name="l${i}"><collision><geometry><sphere radius="0.01"/></geometry></collision></link>`,
      );
      const joints = links
        .slice(1)
        .map(
          (_, i) =>
            `<joint name="j${i}" type="continuous"><parent link="l${i}"/><child link="l${i + 1}"/><origin xyz="1 0 0"/></joint>`,
        );
      const [{ scene }] = twinsOf(`<robot name="row">${links.join('')}${joints.join('')}</robot>`);
      const pairs = (count * (count - 1)) / 2;
      expect(countCheckedPairs(scene)).toEqual({ checked: pairs - (count - 1), allowed: count - 1 });
    }
  });

  it('refuses a star, whose neighbours in any row are far apart', () => {
    const arms: string[] = ['<robot name="star"><link name="hub"/>'];
    for (let arm = 0; arm < 4; arm++)
      for (let i = 0; i < 40; i++) {
        const parent = i === 0 ? 'hub' : `a${arm}_${i - 1}`;
        arms.push(
          `<link name="a${arm}_${i}"><collision><geometry><sphere radius="0.01"/></geometry></collision></link>`,
          `<joint name="j${arm}_${i}" type="continuous"><parent link="${parent}"/><child link="a${arm}_${i}"/><origin xyz="0.1 ${arm} 0"/><axis xyz="0 0 1"/></joint>`,
        );
      }
    expect(describeRobot([...arms, '</robot>'].join(''))).toEqual({
      method: 'pairs',
      reason: '160 links, but no row: 41 joints between neighbours',
    });
  });
});

describe('sequenceBodies', () => {
  it('composes the poses of forward kinematics, and changes one gap per joint along a row', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 60 }), fc.integer(), (count, seed) => {
        const random = createRandom(seed >>> 0);
        const scene = createScene();
        const { model, links } = addUrdf(scene, randomRobot(random, count), { meshes });
        const frames = links.map(({ frame }) => frame);
        const row = sequenceBodies(model, frames);
        expect([...row.order].sort((a, b) => a - b)).toEqual(links.map((_, i) => i));
        const data = createData(model);
        const q = Float64Array.from({ length: model.nq }, () => random.uniform(-1, 1));
        forwardKinematics(model, data, q);
        updateFramePlacements(model, data);
        const place = (i: number): Float64Array =>
          data.framePlacements.slice(12 * frames[row.order[i]], 12 * frames[row.order[i]] + 12);
        const gap = createTransform();
        for (let i = 0; i + 1 < links.length; i++) {
          const expected = multiplyTransform(
            createTransform(),
            invertTransform(createTransform(), place(i)),
            place(i + 1),
          );
          writeGap(gap, row, i, q);
          for (let k = 0; k < 12; k++) expect(gap[k]).toBeCloseTo(expected[k], 12);
        }
        disposeScene(scene);
      }),
      { numRuns: 60 },
    );
  });

  it('runs from end to end wherever the base is', () => {
    const link = (i: number): string =>
      `<link name="l${i}"><collision><geometry><sphere radius="0.01"/></geometry></collision></link>`;
    const joint = (parent: number, child: number): string =>
      `<joint name="j${child}" type="continuous"><parent link="l${parent}"/><child link="l${child}"/><origin xyz="0.1 0 0"/><axis xyz="0 0 1"/></joint>`;
    // 4 3 2 1 0 5 6 7
    const urdf = `<robot name="middle">${[0, 1, 2, 3, 4, 5, 6, 7].map(link).join('')}${[1, 2, 3, 4].map((i) => joint(i - 1, i)).join('')}${joint(0, 5)}${joint(5, 6)}${joint(6, 7)}</robot>`;
    const scene = createScene();
    const { model, links } = addUrdf(scene, urdf);
    const row = sequenceBodies(
      model,
      links.map(({ frame }) => frame),
    );
    expect(Array.from(row.order, (i) => links[i].name)).toEqual(['l4', 'l3', 'l2', 'l1', 'l0', 'l5', 'l6', 'l7']);
    expect(row.longestGap).toBe(1);
    disposeScene(scene);
  });
});
