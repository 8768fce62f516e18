import { expect, it } from 'vitest';
import { createConfigurationPieces } from '../../src/plane/configuration-pieces.js';
import { createExactPoint } from '../../src/plane/exact-point.js';
import { planInPlane } from '../../src/plane/plan.js';
import { randomScene } from '../../src/plane/random-scenes.test-support.js';
import { findShortestPath } from '../../src/plane/shortest-path.js';

// Segments that leave the grid of pieces to the right missed cells of its last column, so that paths went around outside the bounds.
it('seed 91 of points among touching obstacles that reach beyond the bounds has no path outside of them', () => {
  const problem = randomScene(91, { cells: 7, obstacles: 7, unit: 1, touching: 'free', body: 'point' });
  expect(planInPlane(problem).status).toBe('impossible');
  const { outer } = createConfigurationPieces(problem, 16);
  const ends = [createExactPoint(...problem.start), createExactPoint(...problem.goal)] as const;
  expect(findShortestPath(outer, problem.bounds, ...ends)).toBeNull();
});
