/**
 * Bodies of a fleet's world that are shapes of any kind at any transform: links of arms, loads, machines.
 *
 * Method: the narrow phase, with one collider per shape object, so that a thousand arms of one kind hold one set of shapes. Upright bodies and
 * balls that come near one get colliders of their sizes. Frames: world; transforms of twelve numbers. Units: metres.
 * Cost: one query of the narrow phase per pair whose boxes touch. Tested by robot-arms.test.ts, world-proof.test.ts.
 */

import { boundShape } from '../geometry/aabb.js';
import type { Shape } from '../geometry/shapes.js';
import { copyTransform, createTransform, type Transform } from '../math/transform.js';
import { collide } from '../narrowphase/collide.js';
import { type Collider, createCollider } from '../narrowphase/collider.js';
import { distance } from '../narrowphase/distance.js';
import { createDistanceResult } from '../narrowphase/query.js';
import { BOX, BOX_STRIDE, POSE_STRIDE, SHAPE_STRIDE, SOLID, SPHERE } from './footprint.js';

export interface SolidBody {
  readonly collider: Collider;
  readonly transform: Transform;
  /** Where it was when `keep` was last called. */
  readonly before: Transform;
}

/** A body at a time: where `poses` (of a solid, `keep` or now) says, and a part of a shift farther. */
export interface PlacedBody {
  id: number;
  poses: Float64Array;
  wasThen: boolean;
  shift: ArrayLike<number>;
  part: number;
}

/** What is taken from a distance that the narrow phase found, relative to it and to where the bodies are. */
const DISTANCE_ERROR = 1e-9;

export class SolidBodies {
  private readonly solids = new Map<number, SolidBody>();
  private readonly byShape = new Map<Shape, Collider>();
  private readonly bySize = new Map<string, Collider>();
  private readonly placeA = createTransform();
  private readonly placeB = createTransform();
  private readonly answer = createDistanceResult();

  get count(): number {
    return this.solids.size;
  }

  add(id: number, shape: Shape): void {
    let collider = this.byShape.get(shape);
    if (collider === undefined) {
      collider = createCollider(shape);
      this.byShape.set(shape, collider);
    }
    this.solids.set(id, { collider, transform: createTransform(), before: createTransform() });
  }

  remove(id: number): void {
    this.solids.delete(id);
  }

  find(id: number): SolidBody | undefined {
    return this.solids.get(id);
  }

  /** Upright at a pose row of the world. */
  placeUpright(id: number, poses: Float64Array): void {
    const solid = this.solids.get(id);
    if (solid !== undefined) writeUpright(solid.transform, poses, id * POSE_STRIDE, poses[id * POSE_STRIDE + 2]);
  }

  writeBox(boxes: Float64Array, id: number): void {
    const { collider, transform } = this.solids.get(id)!;
    boundShape(boxes.subarray(id * BOX_STRIDE, (id + 1) * BOX_STRIDE), collider.shape, transform);
  }

  touch(shapes: Float64Array, poses: Float64Array, a: number, b: number): boolean {
    return collide(
      this.colliderOf(shapes, a, false),
      this.placeNow(this.placeA, shapes, poses, a),
      this.colliderOf(shapes, b, false),
      this.placeNow(this.placeB, shapes, poses, b),
    );
  }

  /** A lower bound of the distance of two bodies, 0 where they touch or nothing is known. `planeOnly`: heights are left out. */
  gap(shapes: Float64Array, a: PlacedBody, b: PlacedBody, planeOnly: boolean): number {
    const { answer } = this;
    distance(
      answer,
      this.colliderOf(shapes, a.id, planeOnly),
      this.placeAt(this.placeA, shapes, a, planeOnly),
      this.colliderOf(shapes, b.id, planeOnly),
      this.placeAt(this.placeB, shapes, b, planeOnly),
      { depth: false },
    );
    if (answer.collides || answer.status === 'iteration-limit') return 0;
    const [X, Y] = [this.placeA, this.placeB];
    const size = Math.abs(X[9]) + Math.abs(X[10]) + Math.abs(Y[9]) + Math.abs(Y[10]) + answer.distance + 1;
    return Math.max(0, answer.distance - DISTANCE_ERROR * size);
  }

  /** Writes down where all solids are. */
  keep(): void {
    for (const { transform, before } of this.solids.values()) copyTransform(before, transform);
  }

  /** Releases what was prepared. */
  dispose(): void {
    for (const collider of [...this.byShape.values(), ...this.bySize.values()]) collider.dispose();
    this.byShape.clear();
    this.bySize.clear();
    this.solids.clear();
  }

  private colliderOf(shapes: Float64Array, id: number, planeOnly: boolean): Collider {
    const s = id * SHAPE_STRIDE;
    if (shapes[s] === SOLID) return this.solids.get(id)!.collider;
    const [kind, x, y] = [shapes[s], shapes[s + 1], shapes[s + 2]];
    const height = planeOnly ? 2 : shapes[s + 4] - shapes[s + 3];
    const key = `${kind} ${x} ${y} ${height}`;
    let collider = this.bySize.get(key);
    if (collider === undefined) {
      collider = createCollider(
        kind === BOX
          ? { type: 'box', size: [2 * x, 2 * y, height] }
          : kind === SPHERE && !planeOnly
            ? { type: 'sphere', radius: x }
            : { type: 'cylinder', radius: x, length: height },
      );
      this.bySize.set(key, collider);
    }
    return collider;
  }

  private placeNow(out: Transform, shapes: Float64Array, poses: Float64Array, id: number): Transform {
    const solid = this.solids.get(id);
    if (solid !== undefined) return solid.transform;
    const s = id * SHAPE_STRIDE;
    const o = id * POSE_STRIDE;
    writeUpright(out, poses, o, poses[o + 2] + (shapes[s + 3] + shapes[s + 4]) / 2);
    return out;
  }

  private placeAt(out: Transform, shapes: Float64Array, body: PlacedBody, planeOnly: boolean): Transform {
    const { id, poses, wasThen, shift, part } = body;
    const s = id * SHAPE_STRIDE;
    const o = id * POSE_STRIDE;
    const solid = this.solids.get(id);
    if (solid !== undefined) copyTransform(out, wasThen ? solid.before : solid.transform);
    else writeUpright(out, poses, o, planeOnly ? 0 : poses[o + 2] + (shapes[s + 3] + shapes[s + 4]) / 2);
    for (let k = 0; k < (planeOnly ? 2 : 3); k++) out[9 + k] += part * shift[k];
    return out;
  }
}

function writeUpright(out: Transform, poses: Float64Array, o: number, z: number): void {
  const [c, s] = [poses[o + 4], poses[o + 5]];
  out[0] = c;
  out[1] = -s;
  out[2] = 0;
  out[3] = s;
  out[4] = c;
  out[5] = 0;
  out[6] = 0;
  out[7] = 0;
  out[8] = 1;
  out[9] = poses[o];
  out[10] = poses[o + 1];
  out[11] = z;
}
