/**
 * Bodies: what a scene checks against each other. A body is a robot's link, a free object, or an object attached to a
 * link; it holds one or more placed colliders (parts) and moves with one frame.
 *
 * Frames: W world, B body (link or object frame), G part (geometry) frame.
 * Boxes: six numbers per body or part, [minX minY minZ maxX maxY maxZ] in W, without margins.
 */
import type { Shape } from '../geometry/shapes.js';
import { copyTransform, createTransform, multiplyTransform, type Transform } from '../math/transform.js';
import type { Collider } from '../narrowphase/collider.js';

/** What a part is wherever its body stands: shared by all that hold it. */
export interface PartShape {
  /** As it was given; the collider's own is another one after a refit. */
  readonly shape: Shape;
  readonly collider: Collider;
  /** X_BG */
  readonly placement: Transform;
  /**
   * Centre and half extents of the collider's bounds in G, where half extents may be infinite; radius when the part is a sphere,
   * whose box does not depend on rotation, else -1.
   */
  readonly extents: Float64Array;
}

export interface BodyPart extends PartShape {
  /** X_WG, written by `updateBody`. */
  readonly worldPlacement: Transform;
  readonly box: Float64Array;
}

export interface Body {
  readonly id: number;
  readonly name: string;
  readonly parts: readonly BodyPart[];
  /** Added to every distance test of this body. */
  readonly margin: number;
  /** X_WB */
  readonly worldPlacement: Transform;
  readonly box: Float64Array;
  /** Counts the calls of `updateBody`: tells whether the body may have moved. */
  version: number;
}

/** Of parts in their body's frame: nobody writes it. */
export const AT_BODY = createTransform();

export function createPartShape(shape: Shape, collider: Collider, placement: Transform): PartShape {
  const bounds = collider.localBounds;
  const extents = new Float64Array(PART_EXTENTS);
  for (let i = 0; i < 3; i++) {
    const infinite = !Number.isFinite(bounds[i]) || !Number.isFinite(bounds[i + 3]);
    extents[i] = infinite ? 0 : 0.5 * (bounds[i] + bounds[i + 3]);
    extents[i + 3] = infinite ? Infinity : 0.5 * (bounds[i + 3] - bounds[i]);
  }
  extents[6] = collider.shape.type === 'sphere' ? collider.shape.radius : -1;
  return {
    shape,
    collider,
    placement:
      placement === AT_BODY || AT_BODY.every((value, i) => value === placement[i])
        ? AT_BODY
        : copyTransform(createTransform(), placement),
    extents,
  };
}

/** Whether the part stands where its body does. */
export function isAtBody(shape: PartShape): boolean {
  return shape.placement === AT_BODY;
}

/** Numbers of a part's `extents`, of a placement and of a box. */
export const PART_EXTENTS = 7;
export const PLACEMENT = 12;
export const BOX = 6;

/** How many numbers `placeParts` takes of a block. */
export function countPlaces(shapes: readonly PartShape[]): number {
  let count = shapes.length === 1 ? PLACEMENT : PLACEMENT + BOX;
  for (const shape of shapes) count += shape.placement === AT_BODY ? BOX : PLACEMENT + BOX;
  return count;
}

/**
 * Where a body stands: views into one block. A part in the body's frame stands where the body does, and a body of one part has the
 * part's box: these are the same views, since there are thousands of bodies in some scenes.
 */
export function placeParts(
  shapes: readonly PartShape[],
  block: Float64Array = new Float64Array(countPlaces(shapes)),
  at = 0,
): Pick<Body, 'worldPlacement' | 'box' | 'parts'> {
  let end = at;
  const take = (count: number): Float64Array => {
    end += count;
    return new Float64Array(block.buffer, block.byteOffset + 8 * (end - count), count);
  };
  const worldPlacement = take(PLACEMENT);
  const own = shapes.length === 1 ? null : take(BOX);
  const parts: BodyPart[] = new Array(shapes.length);
  for (let i = 0; i < shapes.length; i++) {
    const { shape, collider, placement, extents } = shapes[i];
    parts[i] = {
      shape,
      collider,
      placement,
      extents,
      worldPlacement: placement === AT_BODY ? worldPlacement : take(PLACEMENT),
      box: take(BOX),
    };
  }
  return { worldPlacement, box: own ?? parts[0].box, parts };
}

/** Recomputes part placements and boxes from the body's `worldPlacement`. No allocation. */
export function updateBody(body: Body): void {
  const box = body.box;
  body.version++;
  const { parts } = body;
  if (parts.length === 1) {
    // The part's box is the body's.
    placePart(parts[0], body.worldPlacement);
    return;
  }
  box[0] = box[1] = box[2] = Infinity;
  box[3] = box[4] = box[5] = -Infinity;
  for (const part of parts) {
    placePart(part, body.worldPlacement);
    for (let i = 0; i < 3; i++) {
      if (part.box[i] < box[i]) box[i] = part.box[i];
      if (part.box[i + 3] > box[i + 3]) box[i + 3] = part.box[i + 3];
    }
  }
}

function placePart(part: BodyPart, X_WB: Transform): void {
  if (part.worldPlacement !== X_WB) multiplyTransform(part.worldPlacement, X_WB, part.placement);
  writePartBox(part.box, 0, part.worldPlacement, 0, part.extents, 0);
}

/** Rounding of the placement's products, relative to the numbers that enter: keeps the box conservative. */
const ROUNDING = 8 * Number.EPSILON;

/** The box out[at..] of a part with extents e[eAt..] that stands at X[xAt..]. */
export function writePartBox(
  out: Float64Array,
  at: number,
  X: Float64Array,
  xAt: number,
  e: Float64Array,
  eAt: number,
): void {
  const cx = e[eAt];
  const cy = e[eAt + 1];
  const cz = e[eAt + 2];
  const hx = e[eAt + 3];
  const hy = e[eAt + 4];
  const hz = e[eAt + 5];
  const radius = e[eAt + 6];
  const offset = Math.abs(cx) + Math.abs(cy) + Math.abs(cz);
  const isInfinite = hx === Infinity || hy === Infinity || hz === Infinity;
  for (let i = 0; i < 3; i++) {
    const r0 = X[xAt + 3 * i];
    const r1 = X[xAt + 3 * i + 1];
    const r2 = X[xAt + 3 * i + 2];
    const p = X[xAt + 9 + i];
    const middle = r0 * cx + r1 * cy + r2 * cz + p;
    let extent = radius;
    if (radius < 0) extent = isInfinite ? Infinity : Math.abs(r0) * hx + Math.abs(r1) * hy + Math.abs(r2) * hz;
    const slack = ROUNDING * (offset + Math.abs(p) + extent);
    out[at + i] = middle - extent - slack;
    out[at + i + 3] = middle + extent + slack;
  }
}

/** True when the boxes, inflated by `margin` in total, overlap or touch. */
export function boxesOverlap(a: Float64Array, b: Float64Array, margin: number): boolean {
  return (
    a[0] - margin <= b[3] &&
    b[0] - margin <= a[3] &&
    a[1] - margin <= b[4] &&
    b[1] - margin <= a[4] &&
    a[2] - margin <= b[5] &&
    b[2] - margin <= a[5]
  );
}

/** Distance between two boxes, 0 when they overlap: a lower bound of the distance of what they hold. */
export function boxDistance(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < 3; i++) {
    const gap = Math.max(a[i] - b[i + 3], b[i] - a[i + 3], 0);
    sum += gap * gap;
  }
  return Math.sqrt(sum);
}
