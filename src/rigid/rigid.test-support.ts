/** Small meshes for tests of rigid bodies. */
import { createBoxMesh } from '../../test/sample-shapes.js';
import { joinMeshes } from '../geometry/join-meshes.js';
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import { createRandom } from '../math/random.js';
import type { RigidPose } from './pose.js';
import type { RigidProblem } from './problem.js';

export function boxMesh(low: readonly number[], high: readonly number[]): TriangleMesh {
  return createBoxMesh(
    high.map((x, k) => x - low[k]),
    high.map((x, k) => (x + low[k]) / 2),
  );
}

/** A square ring about z: outer and inner half sizes, half height, about a centre. */
export function ringMesh(
  center: readonly number[],
  outer: number,
  inner: number,
  half: number,
  axis = 2,
): TriangleMesh {
  const [u, v] = [0, 1, 2].filter((k) => k !== axis);
  const part = (u0: number, u1: number, v0: number, v1: number): TriangleMesh => {
    const low = [0, 0, 0];
    const high = [0, 0, 0];
    [low[u], high[u], low[v], high[v], low[axis], high[axis]] = [u0, u1, v0, v1, -half, half];
    return boxMesh(
      low.map((x, k) => x + center[k]),
      high.map((x, k) => x + center[k]),
    );
  };
  return joinMeshes([
    part(-outer, -inner, -outer, outer),
    part(inner, outer, -outer, outer),
    part(-inner, inner, -outer, -inner),
    part(-inner, inner, inner, outer),
  ]);
}

export function randomPose(seed: number, size: number): RigidPose {
  const random = createRandom(seed);
  const q = [0, 0, 0, 0].map(() => random.normal());
  const length = Math.sqrt(q.reduce((sum, x) => sum + x * x, 0));
  const p = [0, 0, 0].map(() => random.uniform(-size, size));
  return Float64Array.of(...p, ...q.map((x) => x / length));
}

/** A soup of triangles in a cube of this half size. */
export function randomSoup(seed: number, count: number, half: number, size: number): TriangleMesh {
  const random = createRandom(seed);
  const vertices: number[] = [];
  for (let t = 0; t < count; t++) {
    const center = [0, 0, 0].map(() => random.uniform(-half, half));
    for (let corner = 0; corner < 3; corner++)
      for (let k = 0; k < 3; k++) vertices.push(center[k] + random.uniform(-size, size));
  }
  return { vertices: Float64Array.from(vertices), triangles: Uint32Array.from({ length: 3 * count }, (_, i) => i) };
}

export const pose = (x: number, y: number, z: number): RigidPose => Float64Array.of(x, y, z, 0, 0, 0, 1);

/** A bar that lies across a hole in a plate that ends at the bounds: it has to turn to get through. */
export function slotProblem(): RigidProblem {
  const plate = [
    boxMesh([-3, -3, -0.1], [-0.9, 3, 0.1]),
    boxMesh([0.9, -3, -0.1], [3, 3, 0.1]),
    boxMesh([-0.9, 1.5, -0.1], [0.9, 3, 0.1]),
    boxMesh([-0.9, -3, -0.1], [0.9, -1.5, 0.1]),
  ];
  return {
    ...{ group: 'SE3', body: boxMesh([-1.2, -0.2, -0.2], [1.2, 0.2, 0.2]), obstacles: joinMeshes(plate) },
    ...{ start: pose(0, 0, -1), goal: pose(0.2, 0.3, 1.1) },
    ...{ lower: Float64Array.of(-1.5, -1.5, -1.5), upper: Float64Array.of(1.5, 1.5, 1.5) },
  };
}
