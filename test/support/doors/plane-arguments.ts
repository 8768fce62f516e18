/** Examples of arguments (see doors.ts) for the plane. */
import type { Door } from './door.js';
import { either, exactly, isNumber, loose, maybe, oneOf } from './slot.js';

const ring = () => [
  [0, 0],
  [1, 0],
  [0, 1],
];
const polygon = () => ({ outer: ring(), holes: maybe([]) });
const problem = () => ({
  body: { disc: 0.5 },
  obstacles: [{ polygon: { outer: ring() } }],
  bounds: exactly([-5, -5, 5, 5]),
  start: exactly([-2, -2]),
  goal: exactly([3, 3]),
  touching: maybe(oneOf('blocked', 'free')),
});
const pose = () => exactly([-2, -2, 0]);
const turningProblem = () => ({ ...problem(), body: { polygon: { outer: ring() } }, start: pose(), goal: pose() });
const tetrahedron = () => ({
  vertices: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1),
  triangles: Uint32Array.of(0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3),
});
const implicit = () => ({ terms: list([{ coefficient: 1, powers: [1, 0] }]) });
const list = (value: readonly unknown[]) => either(value, Array.isArray);

const plane: Door = {
  findConvexHull: () => ({ points: list(ring()) }),
  createFreeCells: () => ({
    scene: {
      body: { disc: 0.5 },
      obstacles: [{ polygon: { outer: ring() } }],
      bounds: exactly([-5, -5, 5, 5]),
      touching: maybe(oneOf('blocked', 'free')),
    },
    count: maybe(16),
  }),
  createVisibilityGraph: () => ({
    scene: {
      body: { disc: 0.5 },
      obstacles: [{ polygon: { outer: ring() } }],
      bounds: exactly([-5, -5, 5, 5]),
      touching: maybe(oneOf('blocked', 'free')),
    },
    count: maybe(16),
  }),
  decomposePolygon: () => ({ polygon: polygon() }),
  flattenDisc: () => ({ radius: 1, count: 16, directions: maybe(list([[1, 2]])) }),
  offsetPolygon: () => ({ polygon: polygon(), radius: 0.1, width: maybe(0.01) }),
  sumObstacles: () => ({ obstacles: list([{ outer: ring() }]), body: loose({ disc: 0.5 }), width: maybe(0.01) }),
  planInPlane: () => ({
    problem: problem(),
    options: maybe({ method: maybe(oneOf('shortest', 'clearance', 'trapezoids')), width: maybe(0.01) }),
  }),
  locatePoint: () => ({ polygon: polygon(), point: exactly([0.1, 0.1]) }),
  normalizePolygon: () => ({ polygon: polygon() }),
  polygonArea: () => ({ polygon: polygon() }),
  validatePolygon: () => ({ polygon: polygon() }),
  combinePolygons: () => ({
    operation: oneOf('union', 'intersection', 'difference', 'xor'),
    a: list([{ outer: ring() }]),
    b: list([{ outer: ring() }]),
  }),
  coordinateToNumber: () => ({ value: either('1/2', isNumber) }),
  coverImplicit: () => ({ region: implicit(), bounds: exactly([-1, -1, 1, 1]), width: 0.5 }),
  planTurning: () => ({
    problem: turningProblem(),
    options: maybe({ slabs: maybe(8), resolution: maybe(0.01), boxes: maybe(1000), sides: maybe(16) }),
  }),
  verifyTurningPath: () => ({ problem: turningProblem(), path: list([[-2, -2, 0]]) }),
  verifyTurningProof: () => ({
    problem: turningProblem(),
    proof: { body: list([]), obstacles: list([]), tree: list([-4]) },
  }),
  sliceMesh: () => ({ mesh: loose(tetrahedron()), height: 0.5, options: maybe({ thickness: maybe(0.01) }) }),
  projectMesh: () => ({
    mesh: loose(tetrahedron()),
    options: maybe({ low: maybe(0), high: maybe(1), thickness: maybe(0.01) }),
  }),
  verifySeparation: () => ({ problem: problem(), separation: list([]) }),
};

export const planeDoors: Readonly<Record<string, Door>> = { plane };
