/**
 * One body among obstacles: their trees, the body's size, and the questions that planners and proofs ask of a pose.
 *
 * Surfaces only, as `distanceMeshMesh`: a body that lies wholly within a closed obstacle touches nothing. Touching counts as contact.
 * Sizes: the smallest ball around the vertices, whose centre is the reference point of the bounds of motions.
 * Every question is counted: budgets are shared by counts, not by time. Tested by motion.test.ts.
 */

import { collideMeshMesh, createMeshCollision } from '../bvh/collide-mesh.js';
import { createMeshDistance, distanceMeshMesh, type MeshDistance } from '../bvh/distance-mesh.js';
import { GAP_ROW, listMeshGaps, MOST_GAPS } from '../bvh/list-gaps.js';
import { type BuildOptions, buildMeshBvh, type MeshBvh } from '../bvh/mesh-bvh.js';
import { keepDistinctTriangles } from '../geometry/distinct-triangles.js';
import { encloseBall } from '../geometry/sphere-cover/enclosing-ball.js';
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import { touchingTolerance } from '../math/tolerance.js';
import { createTransform, poseToTransform, type Transform } from '../math/transform.js';
import type { RigidPose } from './pose.js';

/** By how much a rough distance may fall short, as a share. */
const ROUGH = 0.2;

/** Work of a search: what budgets are counted in. */
export interface RigidCounts {
  collisions: number;
  distances: number;
}

export class BodyPair {
  /** Of the meshes with each triangle once: their numbers of triangles are not those of the problem. */
  readonly obstacles: MeshBvh;
  readonly body: MeshBvh;
  /** Centre of the smallest ball around the body, in its frame, and that ball's radius. */
  readonly center: Float64Array;
  readonly radius: number;
  /** Distances up to here are contact. */
  readonly touching: number;
  /** What the rounding of poses and distances may amount to: a gap is proven when it exceeds what is needed by this. */
  readonly slack: number;
  readonly counts: RigidCounts = { collisions: 0, distances: 0 };
  /** The last distance. */
  readonly nearest: MeshDistance = createMeshDistance();
  /** The last contact. */
  readonly contact = createMeshCollision();
  /** Rows of the last `listGaps`. */
  readonly gaps = new Float64Array(MOST_GAPS * GAP_ROW);
  readonly X: Transform = createTransform();
  private readonly bodyNumbers: Uint32Array;
  private readonly obstacleNumbers: Uint32Array;
  private readonly collideOptions: { tolerance: number; out: ReturnType<typeof createMeshCollision> };
  private readonly distanceOptions: { upperBound: number; hint: MeshDistance };
  private readonly roughOptions: { upperBound: number; hint: MeshDistance; relativeError: number };

  /** `trees`: how both hierarchies are built. */
  constructor(body: TriangleMesh, obstacles: TriangleMesh, reach: number, trees: BuildOptions = {}) {
    // Meshes drawn from both sides have every triangle twice: four pairs where one is enough.
    const ownTriangles = keepDistinctTriangles(body);
    const theirs = keepDistinctTriangles(obstacles);
    this.body = buildMeshBvh(ownTriangles.mesh, trees);
    this.obstacles = buildMeshBvh(theirs.mesh, trees);
    this.bodyNumbers = ownTriangles.numbers;
    this.obstacleNumbers = theirs.numbers;
    const items: number[] = [];
    for (let i = 0; i < body.vertices.length; i += 3) items.push(i);
    const [x, y, z, r] = encloseBall(body.vertices, items);
    this.center = Float64Array.of(x, y, z);
    this.radius = r;
    const extent = Math.max(largest(this.body.bounds), largest(this.obstacles.bounds), reach);
    this.touching = touchingTolerance(2 * extent, extent);
    this.slack = 2 * this.touching;
    this.collideOptions = { tolerance: this.touching, out: this.contact };
    this.distanceOptions = { upperBound: Infinity, hint: this.nearest };
    this.roughOptions = { upperBound: Infinity, hint: this.nearest, relativeError: ROUGH };
  }

  get queries(): number {
    return this.counts.collisions + this.counts.distances;
  }

  collides(pose: RigidPose): boolean {
    this.counts.collisions++;
    poseToTransform(this.X, pose);
    return collideMeshMesh(this.obstacles, this.body, this.X, this.collideOptions).collides;
  }

  /** Infinity where it is `upperBound` or more. The witness is in `nearest`. */
  distance(pose: RigidPose, upperBound = Infinity): number {
    this.counts.distances++;
    poseToTransform(this.X, pose);
    this.distanceOptions.upperBound = upperBound;
    return distanceMeshMesh(this.nearest, this.obstacles, this.body, this.X, this.distanceOptions).distance;
  }

  /** At least this far, and at most ROUGH times farther where it is less than `upperBound`: what a search asks, which is cheaper. */
  roughDistance(pose: RigidPose, upperBound: number): number {
    this.counts.distances++;
    poseToTransform(this.X, pose);
    this.roughOptions.upperBound = upperBound;
    return distanceMeshMesh(this.nearest, this.obstacles, this.body, this.X, this.roughOptions).distance / (1 + ROUGH);
  }

  /** Pairs of triangles within `reach`, at most MOST_GAPS of them, as rows in `gaps` (`listMeshGaps`); returns how many. */
  listGaps(pose: RigidPose, reach: number): number {
    this.counts.collisions++;
    poseToTransform(this.X, pose);
    return listMeshGaps(this.gaps, this.obstacles, this.body, this.X, reach);
  }

  /** Writes the two triangles of a distance or contact as the problem's meshes number them; -1 where there is none. */
  writeTriangles<T extends { triangleObstacle: number; triangleBody: number }>(
    out: T,
    found: { readonly triangleA: number; readonly triangleB: number },
  ): T {
    out.triangleObstacle = found.triangleA < 0 ? -1 : this.obstacleNumbers[found.triangleA];
    out.triangleBody = found.triangleB < 0 ? -1 : this.bodyNumbers[found.triangleB];
    return out;
  }

  dispose(): void {
    this.body.dispose();
    this.obstacles.dispose();
  }
}

/** Largest |coordinate| of a box; 0 of none. */
function largest(bounds: Float64Array): number {
  let most = 0;
  if (bounds[0] > bounds[3]) return 0;
  for (const x of bounds) most = Math.max(most, Math.abs(x));
  return most;
}
