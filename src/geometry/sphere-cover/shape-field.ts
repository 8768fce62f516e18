/**
 * Shapes of a link as one field: the signed distance of a point, and their surface as triangles to take samples of.
 *
 * Method: cores with a closed form are asked directly, everything else is a mesh with a probe. The distance is the least of all
 * shapes'; inside several it is that of the deepest, which never says deeper than it is. Watertight, consistently wound meshes are
 * negative inside; others have no inside here.
 * Frames: L link. Cost: 0.1 us a core, 1 to 5 us a mesh. Checked by fit-spheres.test.ts.
 */
import {
  createTransform,
  inverseTransformPoint,
  multiplyTransform,
  poseToTransform,
  type Transform,
} from '../../math/transform.js';
import { createVec3 } from '../../math/vec3.js';
import { meshCore } from '../core-surface.js';
import { meshHeightField } from '../height-field.js';
import { buildConvexHull } from '../hull.js';
import { MeshProbe } from '../mesh-probe.js';
import { reportMesh } from '../mesh-report.js';
import { meshOctree } from '../octree.js';
import { hasClosedForm, measurePointToCore } from '../point-core.js';
import { operationsOf } from '../shapes/index.js';
import type { Shape } from '../shapes.js';
import type { PlacedShape } from '../sphere-proof/parts.js';
import type { SupportCore } from '../support.js';
import type { TriangleMesh } from '../triangle-mesh.js';
import { rowsOf, transformMesh } from '../triangle-mesh-transform.js';

const IDENTITY = createTransform();
/** Meridians of what stands for curved surfaces in samples. */
const SEGMENTS = 24;

interface FieldItem {
  readonly X_LS: Transform;
  readonly core: SupportCore | null;
  readonly probe: MeshProbe | null;
  readonly isSolid: boolean;
  /** In the link's frame. */
  readonly bounds: Float64Array;
}

/** A ball among the shapes, which a sphere can equal. */
export type PlainBall = readonly [number, number, number, number];

export class ShapeField {
  readonly meshes: TriangleMesh[] = [];
  /** Every shape, where all are balls. */
  readonly balls: PlainBall[] | null;
  /** min, max of all shapes. */
  readonly bounds = Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);
  private readonly items: FieldItem[] = [];
  private readonly local = createVec3();
  private readonly nearest = new Float64Array(6);

  constructor(shapes: readonly PlacedShape[]) {
    const balls: PlainBall[] = [];
    for (const { shape, placement } of shapes) this.add(shape, placement ?? IDENTITY, balls);
    this.balls = balls.length === this.items.length ? balls : null;
    for (const { bounds } of this.items)
      for (let k = 0; k < 3; k++) {
        this.bounds[k] = Math.min(this.bounds[k], bounds[k]);
        this.bounds[k + 3] = Math.max(this.bounds[k + 3], bounds[k + 3]);
      }
  }

  private add(shape: Shape, X: Transform, balls: PlainBall[]): void {
    const bounds = new Float64Array(6);
    operationsOf(shape).bound(bounds, shape, X);
    switch (shape.type) {
      case 'compound':
        for (const child of shape.children) {
          const own = child.pose ? poseToTransform(createTransform(), child.pose) : IDENTITY;
          this.add(child.shape, multiplyTransform(createTransform(), X, own), balls);
        }
        return;
      case 'points':
        for (let i = 0; i < shape.points.length; i += 3) {
          const own = createTransform();
          own.set(shape.points.subarray(i, i + 3), 9);
          this.add({ type: 'sphere', radius: shape.radius }, multiplyTransform(own, X, own), balls);
        }
        return;
      case 'mesh': {
        const { watertight, consistentlyOriented } = reportMesh(shape.mesh);
        this.addMesh(shape.mesh, X, bounds, watertight && consistentlyOriented && shape.mode !== 'surface');
        return;
      }
      case 'heightfield':
        this.addMesh(meshHeightField(shape), X, bounds, shape.floor !== undefined);
        return;
      case 'octree':
        this.addMesh(meshOctree(shape), X, bounds, true);
        return;
      case 'convex': {
        const hull = buildConvexHull(shape.points);
        this.addMesh(hull, X, bounds, hull.dimension === 3);
        return;
      }
      default: {
        const core = operationsOf(shape).core!(shape);
        const mesh = meshCore(core, SEGMENTS);
        if (!hasClosedForm(core)) {
          this.addMesh(mesh, X, bounds, true);
          return;
        }
        if (shape.type === 'sphere') balls.push([X[9], X[10], X[11], shape.radius]);
        this.items.push({ X_LS: X, core, probe: null, isSolid: true, bounds });
        this.meshes.push(transformMesh(mesh, rowsOf(X)));
      }
    }
  }

  private addMesh(given: TriangleMesh, X_LS: Transform, bounds: Float64Array, isSolid: boolean): void {
    // The hull of a point or a segment: a triangle without area.
    const mesh = given.triangles.length > 0 ? given : { ...given, triangles: segmentTriangle(given) };
    this.items.push({ X_LS, core: null, probe: new MeshProbe(mesh), isSolid, bounds });
    this.meshes.push(transformMesh(mesh, rowsOf(X_LS)));
  }

  /** Negative inside; a distance at or above `limit` may be any number not below it. */
  distance(x: number, y: number, z: number, limit = Infinity): number {
    let best = limit;
    const { local, nearest } = this;
    for (const { X_LS, core, probe, isSolid, bounds } of this.items) {
      const ox = Math.max(bounds[0] - x, x - bounds[3], 0);
      const oy = Math.max(bounds[1] - y, y - bounds[4], 0);
      const oz = Math.max(bounds[2] - z, z - bounds[5], 0);
      const apart = ox * ox + oy * oy + oz * oz;
      if (apart > 0 && (best <= 0 || apart >= best * best)) continue;
      local[0] = x;
      local[1] = y;
      local[2] = z;
      inverseTransformPoint(local, X_LS, local);
      if (core) {
        best = Math.min(best, measurePointToCore(nearest, core, local) - core.radius);
        continue;
      }
      if (isSolid && apart === 0 && probe!.isInside(local[0], local[1], local[2]))
        best = Math.min(best, -probe!.distance(local[0], local[1], local[2]));
      else if (best > 0) best = Math.min(best, probe!.distance(local[0], local[1], local[2], best));
    }
    return best;
  }
}

/** Rows of a 3x4 matrix. */
function segmentTriangle({ vertices }: TriangleMesh): Uint32Array {
  const last = vertices.length / 3 - 1;
  return Uint32Array.of(0, last, last);
}
