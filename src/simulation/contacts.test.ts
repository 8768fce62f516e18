import { describe, expect, it } from 'vitest';
import type { Shape } from '../geometry/shapes.js';
import { createRandom, type Random } from '../math/random.js';
import { createTransform, poseToTransform } from '../math/transform.js';
import { createCollider } from '../narrowphase/collider.js';
import { computeContacts, createContacts } from '../narrowphase/contacts.js';
import { ContactSet } from './contact-set.js';
import { appendPlainContacts } from './plain-contacts.js';
import { box, GROUND, start } from './simulation.test-support.js';
import { stepSimulation } from './step.js';

function randomPose(random: Random, reach: number): Float64Array {
  const q = [0, 1, 2, 3].map(() => random.uniform(-1, 1));
  const norm = Math.sqrt(q.reduce((sum, x) => sum + x * x, 0));
  const p = [0, 1, 2].map(() => random.uniform(-reach, reach));
  return poseToTransform(createTransform(), [...p, ...q.map((x) => x / norm)]);
}

describe('plain contacts', () => {
  const ball: Shape = { type: 'sphere', radius: 0.3 };
  const brick: Shape = { type: 'box', size: [0.8, 0.5, 0.6] };
  const plane: Shape = { type: 'halfspace', normal: [0, 0, 1], offset: 0.1 };

  it.each([
    ['ball on ball', ball, ball],
    ['ball on box', ball, brick],
    ['box on ball', brick, ball],
    ['ball on plane', ball, plane],
    ['plane under ball', plane, ball],
    ['box on plane', brick, plane],
    ['plane under box', plane, brick],
  ])('%s: the deepest is that of computeContacts', (_, a, b) => {
    const random = createRandom(5);
    const [p, q] = [createCollider(a), createCollider(b)];
    const room = createContacts(8);
    let touching = 0;
    for (let i = 0; i < 300; i++) {
      const X = randomPose(random, 0.4);
      const Y = randomPose(random, 0.4);
      const set = new ContactSet();
      expect(appendPlainContacts(set, 7, p, X, q, Y, 0.05)).toBe(true);
      const found = computeContacts(room, p, X, q, Y, { margin: 0.05 });
      expect(set.count > 0).toBe(found > 0);
      if (found === 0) continue;
      touching++;
      let deepest = 0;
      for (let c = 0; c < set.count; c++) if (set.gaps[c] < set.gaps[deepest]) deepest = c;
      expect(set.gaps[deepest]).toBeCloseTo(-room[0].depth, 7);
      for (let k = 0; k < 3; k++) expect(set.normals[3 * deepest + k]).toBeCloseTo(room[0].normal[k], 5);
    }
    expect(touching).toBeGreaterThan(50);
    p.dispose();
    q.dispose();
  });
});

describe('contacts of a simulation', () => {
  it('keep their features and impulses from step to step', () => {
    const simulation = start({ statics: [GROUND], bodies: [box('a', 0, 0, 0.5), box('b', 0.1, 0, 1.5)] });
    stepSimulation(simulation, 300);
    const { contacts } = simulation;
    const before = Array.from(contacts.impulses.subarray(0, 3 * contacts.count));
    const count = contacts.count;
    stepSimulation(simulation);
    expect(contacts.count).toBe(count);
    for (let i = 0; i < 3 * count; i++) expect(contacts.impulses[i]).toBeCloseTo(before[i], 6);
  });

  it('leave out pairs that may touch, and links that share a joint', () => {
    const simulation = start({
      statics: [GROUND],
      bodies: [box('a', 0, 0, 0.2), box('b', 0, 0, 0.6)],
      pairs: [
        { a: 'a', b: 'b', allowed: true },
        { a: 'ground', b: 'b', allowed: true },
      ],
    });
    stepSimulation(simulation);
    const { contacts, world } = simulation;
    const pairs = [...contacts.pairs.subarray(0, contacts.count)];
    expect(contacts.count).toBeGreaterThan(0);
    for (const pair of pairs) {
      const [a, b] = [Math.floor(pair / 3), pair % 3].map((g) => world.carriers[world.geometries[g].carrier].name);
      expect([a, b].sort()).toEqual(['a', 'ground']);
    }
  });
});
