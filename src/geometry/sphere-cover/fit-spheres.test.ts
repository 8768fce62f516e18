import { describe, expect, it } from 'vitest';
import { createBoxMesh, samplePose } from '../../../test/sample-shapes.js';
import { createRandom } from '../../math/random.js';
import type { Shape } from '../shapes.js';
import { verifySpheres } from '../sphere-proof/verify-spheres.js';
import { encloseBall } from './enclosing-ball.js';
import { fitLinks, fitSpheres } from './fit-spheres.js';
import { ShapeField } from './shape-field.js';
import { unionVolume } from './union-volume.js';

const rod: Shape = { type: 'box', size: [0.1, 0.1, 0.8] };

describe('fitSpheres', () => {
  it('takes the balls themselves where all shapes are balls', () => {
    const X = samplePose(createRandom(1), 1);
    const { levels, proven } = fitSpheres([{ shape: { type: 'sphere', radius: 0.2 }, placement: X }], { count: 3 });
    expect(proven).toBe(true);
    expect(Array.from(levels[0].spheres)).toEqual([X[9], X[10], X[11], 0.2]);
    expect(levels[0].excess).toBe(0);
  });

  it('needs less volume with more spheres, and never more than asked for', () => {
    let last = Infinity;
    for (const count of [1, 2, 4, 8, 16]) {
      const { levels, proven } = fitSpheres([{ shape: rod }], { count, coarser: 0 });
      const { spheres, volume } = levels[0];
      expect(proven).toBe(true);
      expect(spheres.length / 4).toBeLessThanOrEqual(count);
      expect(volume).toBeLessThan(last);
      last = volume;
    }
    // Eight balls of a tenth each around a rod of eight cubes: sqrt(3) / 2 times the edge.
    const cubes = 0.8 * 0.1 * 0.1;
    expect(last / cubes).toBeLessThan(2);
  });

  it('keeps to an excess, which no point of a sphere exceeds', () => {
    const random = createRandom(4);
    for (const shape of [rod, { type: 'mesh', mesh: createBoxMesh([0.1, 0.08, 0.12]) } as Shape]) {
      const { levels } = fitSpheres([{ shape }], { excess: 0.06, coarser: 0 });
      const { spheres, excess, proven } = levels[0];
      expect(proven).toBe(true);
      expect(excess).toBeLessThanOrEqual(0.06);
      const field = new ShapeField([{ shape }]);
      for (let k = 0; k < 3000; k++) {
        const i = 4 * random.integer(spheres.length / 4);
        const u = [random.normal(), random.normal(), random.normal()];
        const length = Math.sqrt(u[0] ** 2 + u[1] ** 2 + u[2] ** 2);
        const [x, y, z] = [0, 1, 2].map((n) => spheres[i + n] + (spheres[i + 3] * u[n]) / length);
        expect(field.distance(x, y, z)).toBeLessThanOrEqual(excess + 1e-12);
      }
    }
  });

  it('gives the same bits again, levels from coarse to fine, each proven', () => {
    const shapes = [{ shape: rod }, { shape: { type: 'cylinder', radius: 0.2, length: 0.1 } as Shape }];
    const [a, b] = [fitSpheres(shapes, { count: 10 }), fitSpheres(shapes, { count: 10 })];
    expect(b).toEqual(a);
    expect(a.levels.length).toBe(2);
    expect(a.levels[0].spheres.length).toBeLessThan(a.levels[1].spheres.length);
    for (const { spheres } of [...a.levels, { spheres: a.bound }])
      expect(verifySpheres(shapes, spheres).proven).toBe(true);
  });

  it('takes what it fitted before from memory', () => {
    const memory = new Map();
    const links = [
      { link: 'a', shapes: [{ shape: rod }] },
      { link: 'b', shapes: [{ shape: rod }] },
    ];
    const [a, b] = fitLinks(links, { count: 3, memory });
    expect(b).toBe(a);
    expect(fitLinks(links, { count: 3, memory })[0]).toBe(a);
    expect(memory.size).toBe(1);
  });

  it('shares a total out so that long links get more', () => {
    const cube: Shape = { type: 'box', size: [0.1, 0.1, 0.1] };
    const [long, short] = fitLinks(
      [
        { link: 'long', shapes: [{ shape: rod }] },
        { link: 'short', shapes: [{ shape: cube }] },
      ],
      { total: 9, coarser: 0, memory: new Map() },
    );
    const [n, m] = [long, short].map(({ levels }) => levels[0].spheres.length / 4);
    expect(n + m).toBeLessThanOrEqual(9);
    expect(n).toBeGreaterThan(m);
  });

  it('refuses a count with an excess, and half-spaces', () => {
    expect(() => fitSpheres([{ shape: rod }], { count: 2, excess: 0.1 })).toThrow('got a count and an excess');
    expect(() => fitSpheres([{ shape: { type: 'halfspace', normal: [0, 0, 1], offset: 0 } }])).toThrow('bounded');
  });
});

describe('unionVolume', () => {
  const ball = (4 / 3) * Math.PI;
  it('of one ball, two apart, one in another, equal ones', () => {
    expect(unionVolume([1, 2, 3, 1])).toBeCloseTo(ball, 9);
    expect(unionVolume([0, 0, 0, 1, 5, 0, 0, 1])).toBeCloseTo(2 * ball, 9);
    expect(unionVolume([0, 0, 0, 1, 0.1, 0, 0.2, 0.5])).toBeCloseTo(ball, 9);
    expect(unionVolume([0, 0, 0, 1, 0, 0, 0, 1])).toBeCloseTo(ball, 9);
  });

  it('of two that overlap, by the lens between them, along any axis', () => {
    for (const axis of [0, 1, 2])
      for (const d of [0.2, 0.9, 1.7]) {
        const other = [0, 0, 0, 1];
        other[axis] = d;
        const lens = (Math.PI * (4 + d) * (2 - d) ** 2) / 12;
        expect(unionVolume([0, 0, 0, 1, ...other]) / (2 * ball - lens)).toBeCloseTo(1, 4);
      }
  });
});

describe('encloseBall', () => {
  it('is the smallest: every point inside, and rim points that no smaller ball holds', () => {
    const random = createRandom(8);
    for (let round = 0; round < 60; round++) {
      const count = 1 + random.integer(40);
      const points = Array.from({ length: 3 * count }, () => random.normal());
      const items = Array.from({ length: count }, (_, i) => 3 * i);
      const [x, y, z, r] = encloseBall(points, items);
      const reach = (p: readonly number[]): number =>
        Math.max(...items.map((i) => Math.hypot(points[i] - p[0], points[i + 1] - p[1], points[i + 2] - p[2])));
      // To the last digits of the distances here.
      expect(reach([x, y, z])).toBeLessThanOrEqual(r * (1 + 4 * Number.EPSILON));
      // The farthest distance is a convex function of the centre: a least one has no lower neighbour.
      for (let k = 0; k < 30; k++) {
        const near = [x, y, z].map((c) => c + 1e-3 * random.normal());
        expect(reach(near)).toBeGreaterThan(r * (1 - 1e-12));
      }
    }
  });
});
