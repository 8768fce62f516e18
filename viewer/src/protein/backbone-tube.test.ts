import { createRandom } from 'clearance/math';
import { describe, expect, it } from 'vitest';
import { BackboneTube } from './backbone-tube.js';

const RADIUS = 0.4;

describe('BackboneTube', () => {
  it('goes through every point, its vertices a radius from the curve', () => {
    const positions = Float64Array.from({ length: 30 }, (_, i) => Math.sin(7 * i) + (i % 3 === 0 ? i : 0));
    const { geometry } = new BackboneTube([0, 2, 3, 5, 9], RADIUS, positions);
    const vertices = geometry.getAttribute('position');
    [0, 2, 3, 5, 9].forEach((atom, i) => {
      for (let side = 0; side < 8; side++) {
        const vertex = 8 * 5 * i + side;
        const away = [0, 1, 2].map((k) => vertices.getComponent(vertex, k) - positions[3 * atom + k]);
        expect(Math.hypot(...away)).toBeCloseTo(RADIUS, 5);
      }
    });
  });

  it('is after an update what it is when made anew, but for a turn about the curve', () => {
    const random = createRandom(3);
    const atoms = Array.from({ length: 12 }, (_, i) => i);
    const positions = Float64Array.from({ length: 36 }, (_, i) => (i % 3 === 0 ? 1.3 * i : random.uniform(-1, 1)));
    const tube = new BackboneTube(atoms, RADIUS, positions);
    for (let i = 3 * 5; i < 36; i++) positions[i] += random.uniform(-0.5, 0.5);
    tube.update(positions, 5);
    const anew = new BackboneTube(atoms, RADIUS, positions);
    const middle = (geometry: BackboneTube['geometry'], ring: number, k: number): number => {
      let sum = 0;
      for (let side = 0; side < 8; side++)
        sum += geometry.getAttribute('position').getComponent(8 * ring + side, k) / 8;
      return sum;
    };
    for (let ring = 0; ring <= 55; ring++)
      for (let k = 0; k < 3; k++) expect(middle(tube.geometry, ring, k)).toBeCloseTo(middle(anew.geometry, ring, k), 5);
  });
});
