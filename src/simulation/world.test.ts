import { describe, expect, it } from 'vitest';
import { combineMaterials, DEFAULT_MATERIAL } from './material.js';
import { box, createPendulum, GROUND } from './simulation.test-support.js';
import { createWorld } from './world.js';

describe('createWorld', () => {
  it('takes masses from shapes of a density, a mass, or numbers', () => {
    const world = createWorld({
      bodies: [
        box('a', 0, 0, 0, { density: 500 }),
        box('b', 0, 0, 0, { mass: 6 }),
        {
          name: 'c',
          shapes: [
            { shape: { type: 'sphere', radius: 0.1 }, pose: [1, 0, 0, 0, 0, 0, 1] },
            { shape: { type: 'sphere', radius: 0.1 }, pose: [-1, 0, 0, 0, 0, 0, 1] },
          ],
          mass: 2,
        },
        {
          name: 'd',
          shapes: [],
          inertia: { mass: 1, centerOfMass: [0, 0, 1], inertia: [2, 0.5, 0, 0.5, 2, 0, 0, 0, 2] },
        },
      ],
    });
    const [a, b, c, d] = world.bodies;
    expect(a.mass).toBeCloseTo(500, 9);
    expect(b.moments[0]).toBeCloseTo(1, 12);
    expect([...c.moments].sort()[0]).toBeCloseTo(2 * 0.4 * 0.01, 12);
    expect([...c.moments].sort()[2]).toBeCloseTo(2 + 2 * 0.4 * 0.01, 12);
    expect([...d.moments]).toEqual([2.5, 2, 1.5].map((x) => expect.closeTo(x, 12)));
    expect(d.start[11]).toBe(1);
  });

  it('refuses what cannot be', () => {
    expect(() => createWorld({ bodies: [box('a', 0, 0, 0), box('a', 1, 0, 0)] })).toThrow(/"a" twice/);
    expect(() => createWorld({ bodies: [{ name: 'p', shapes: GROUND.shapes }] })).toThrow();
    expect(() =>
      createWorld({ bodies: [{ name: 'p', shapes: [], inertia: { mass: 1, inertia: [1, 0, 0, 0, 1, 0, 0, 0, 5] } }] }),
    ).toThrow(/principal moments/);
    expect(() => createWorld({ step: 0 })).toThrow(/step/);
    expect(() => createWorld({ bodies: [box('a', 0, 0, 0)], pairs: [{ a: 'a', b: 'nobody' }] })).toThrow(/nobody/);
    expect(() => createWorld({ frictoin: 1 } as never)).toThrow(/frictoin/);
    const model = createPendulum(1);
    expect(() =>
      createWorld({ robots: [{ name: 'r', model, shapes: [], servos: [{ joint: 'knee', type: 'position' }] }] }),
    ).toThrow(/knee/);
  });

  it('pairs have what their materials give, or what is said of them', () => {
    const world = createWorld({
      statics: [GROUND],
      bodies: [box('a', 0, 0, 0), box('b', 0, 0, 2)],
      pairs: [
        { a: 'b', b: 'a', friction: 0.9 },
        { a: 'a', b: 'ground', allowed: true },
      ],
    });
    expect(world.materialOf(1, 2).friction).toBe(0.9);
    const [ground, a] = ['ground', 'a'].map((name) => world.carrierIndex.get(name)!);
    expect(world.canTouch[a * 3 + ground]).toBe(0);
    const soft = combineMaterials(
      { ...DEFAULT_MATERIAL, friction: 0.25, stiffness: 1e3, dissipation: 2 },
      { ...DEFAULT_MATERIAL, friction: 1, stiffness: 1e6, dissipation: 1 },
    );
    expect(soft.friction).toBe(0.5);
    expect(soft.stiffness).toBeCloseTo(999, 0);
    expect(soft.dissipation).toBeCloseTo(2, 2);
  });
});
