import { describe, expect, it } from 'vitest';
import type { Shape } from '../geometry/shapes.js';
import { createRandom, type Random } from '../math/random.js';
import { createTransform, multiplyTransform, poseToTransform } from '../math/transform.js';
import { createCollider } from '../narrowphase/collider.js';
import { computeContacts, createContacts } from '../narrowphase/contacts.js';
import { BodyContacts, CONTACT_STRIDE, writeBodyContact, writeMasses } from './body-contacts.js';
import { appendBoxContacts } from './box-contacts.js';
import { addContactRows, writeInverseInertias } from './build-constraints.js';
import { ContactSet } from './contact-set.js';
import { appendPlainContacts } from './plain-contacts.js';
import { box, GROUND, start } from './simulation.test-support.js';
import { stepSimulation } from './step.js';
import { prepareBodyContacts } from './sweep-body-contacts.js';

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

describe('contacts of two boxes', () => {
  const brick: Shape = { type: 'box', size: [0.8, 0.5, 0.6] };
  const tile: Shape = { type: 'box', size: [0.3, 0.9, 0.2] };

  it.each([
    ['turned anyhow', 1],
    ['nearly flat', 1e-3],
    ['flat', 0],
  ])('%s: the deepest is that of computeContacts within 1e-4, and points lie between the surfaces', (_, tilt) => {
    const random = createRandom(11);
    const [p, q] = [createCollider(brick), createCollider(tile)];
    const room = createContacts(8);
    let touching = 0;
    let byFaces = 0;
    for (let i = 0; i < 400; i++) {
      const X = randomPose(random, 0.4);
      const Y = tilt === 1 ? randomPose(random, 0.4) : placedOn(X, random, tilt);
      const set = new ContactSet();
      const found = computeContacts(room, p, X, q, Y, { margin: 0.05 });
      if (!appendBoxContacts(set, 7, p, X, q, Y, 0.05)) {
        expect(set.count).toBe(0);
        continue;
      }
      if (found === 0) expect(set.count).toBe(0);
      if (set.count === 0) expect(found === 0 || room[0].depth < -0.0499).toBe(true);
      if (set.count === 0 || found === 0) continue;
      touching++;
      if (set.count > 2) byFaces++;
      expect(set.count).toBeLessThanOrEqual(4);
      let deepest = 0;
      for (let c = 0; c < set.count; c++) if (set.gaps[c] < set.gaps[deepest]) deepest = c;
      // 1e-4 of the sizes, 3.3 m in all.
      expect(Math.abs(set.gaps[deepest] + room[0].depth)).toBeLessThan(1.7e-4);
      const features = new Set(set.features.subarray(0, set.count));
      expect(features.size).toBe(set.count);
      for (let c = 0; c < set.count; c++) {
        // Half the gap to either side are points of both surfaces.
        for (const [T, { core }, side] of [
          [X, p, -0.5],
          [Y, q, 0.5],
        ] as const) {
          const move = side * set.gaps[c];
          const d = [0, 1, 2].map((k) => set.points[3 * c + k] + move * set.normals[3 * c + k] - T[9 + k]);
          const local = [0, 1, 2].map((k) => T[k] * d[0] + T[3 + k] * d[1] + T[6 + k] * d[2]);
          const half = [core.x, core.y, core.z];
          expect(Math.abs(Math.max(...local.map((x, k) => Math.abs(x) - half[k])))).toBeLessThan(1e-9);
        }
      }
    }
    expect(touching).toBeGreaterThan(100);
    if (tilt < 1) expect(byFaces).toBeGreaterThan(100);
    p.dispose();
    q.dispose();
  });

  /** The second box on the first one's top, turned about its normal, tilted a little. */
  function placedOn(X: Float64Array, random: Random, tilt: number): Float64Array {
    const angle = random.uniform(-3, 3);
    const [x, y] = [random.uniform(-tilt, tilt), random.uniform(-tilt, tilt)];
    const [c, s] = [Math.cos(angle / 2), Math.sin(angle / 2)];
    const norm = Math.sqrt(1 + x * x + y * y);
    const local = poseToTransform(createTransform(), [
      random.uniform(-0.4, 0.4),
      random.uniform(-0.3, 0.3),
      0.4 + random.uniform(-0.02, 0.02),
      x / norm,
      y / norm,
      s / norm,
      c / norm,
    ]);
    return multiplyTransform(createTransform(), X, local);
  }
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

describe('contacts of bodies in flat form', () => {
  it('have the products of their rows', () => {
    const simulation = start({
      statics: [GROUND],
      bodies: [box('a', 0, 0, 0.5), box('b', 0.3, 0.1, 1.501), box('c', 0.1, 0.4, 2.502, { mass: 7 })],
    });
    stepSimulation(simulation, 5);
    const { constraints: set, world, contacts } = simulation;
    const inverse = new Float64Array(6 * world.bodies.length);
    writeInverseInertias(inverse, simulation);
    const flat = new BodyContacts(world.bodies.length);
    flat.reserve(set.blockCount);
    writeMasses(flat, simulation, inverse);
    expect(set.blockCount).toBe(contacts.count);
    for (let b = 0; b < set.blockCount; b++) {
      set.entryCount = 0;
      addContactRows(simulation, b, inverse);
      writeBodyContact(flat, simulation, b, set.sources[b], 0.001);
      prepareBodyContacts(flat, Int32Array.of(b), 0, 1);
      const d = CONTACT_STRIDE * b;
      for (const [at, r, c] of [
        [17, 0, 0],
        [18, 1, 1],
        [19, 2, 2],
        [20, 1, 2],
        [21, 0, 1],
        [22, 0, 2],
      ])
        expect(flat.data[d + at]).toBeCloseTo(set.measureOwn(b, r, c), 12);
      for (let r = 0; r < 3; r++) expect(flat.data[d + 25 + r]).toBeCloseTo(set.impulses[set.rows[b] + r], 12);
    }
  });
});
