/**
 * The parts of an octree, a point cloud, a height field or a compound, with the hierarchy of boxes that finds them.
 *
 * A part is a placed collider: a cube (one collider per size), a ball, a triangle or the prism under it, a child. Parts are
 * loaded on demand into one of two roles, since a group may meet itself: nothing is stored per part but its place in the
 * hierarchy. Frames: G the group's frame, P the part's. Cost: build O(n log n), load a few nanoseconds.
 * Checked by test/contract/part-shapes.test.ts.
 */
import { transformBounds } from '../geometry/bounds.js';
import { type BoxHierarchy, buildBoxHierarchy } from '../geometry/box-hierarchy.js';
import { countTriangles, loadFieldTriangle } from '../geometry/height-field.js';
import type { Compound, HeightField, Octree, PointCloud, Shape } from '../geometry/shapes.js';
import type { SupportCore } from '../geometry/support.js';
import { createTransform, poseToTransform, setIdentityTransform, type Transform } from '../math/transform.js';

/** What a group does with the colliders of its parts. */
export interface PartCollider {
  readonly isSolid: boolean;
  readonly localBounds: Float64Array;
  readonly core: Pick<SupportCore, 'points'>;
  updateBounds(): void;
  dispose(): void;
}

/** A loaded part. */
export class Part<C extends PartCollider> {
  collider: C | null = null;
  /** X_GP */
  readonly X: Transform = createTransform();

  /** Role 0 is for parts of A, role 1 for parts of B. */
  constructor(readonly role: 0 | 1) {}
}

export interface PartGroup<C extends PartCollider> {
  readonly hierarchy: BoxHierarchy;
  /** Parts are children with features of their own; otherwise the part's number is the feature. */
  readonly isCompound: boolean;
  /** Every part is solid. */
  readonly isSolid: boolean;
  load(part: Part<C>, index: number): void;
  dispose(): void;
}

/** What a group asks of its collider: colliders import groups, so it is handed in. */
export interface PartColliderFactory<C extends PartCollider> {
  create(shape: Shape): C;
  /** A convex of that many corners, which are rewritten for each part. */
  createLoose(corners: number): C;
}

class OctreeGroup<C extends PartCollider> implements PartGroup<C> {
  readonly hierarchy: BoxHierarchy;
  readonly isCompound = false;
  readonly isSolid = true;
  private readonly byEdge = new Map<number, C>();

  constructor(
    private readonly shape: Octree,
    factory: PartColliderFactory<C>,
  ) {
    const { cells, resolution } = shape;
    this.hierarchy = buildBoxHierarchy(cells.length / 4, (out, i) => {
      for (let k = 0; k < 3; k++) {
        out[k] = cells[4 * i + k] * resolution;
        out[k + 3] = (cells[4 * i + k] + cells[4 * i + 3]) * resolution;
      }
    });
    for (let i = 3; i < cells.length; i += 4) {
      if (this.byEdge.has(cells[i])) continue;
      const size = cells[i] * resolution;
      this.byEdge.set(cells[i], factory.create({ type: 'box', size: [size, size, size] }));
    }
  }

  load(part: Part<C>, index: number): void {
    const { cells, resolution } = this.shape;
    const at = 4 * index;
    const half = 0.5 * cells[at + 3];
    part.collider = this.byEdge.get(cells[at + 3]) as C;
    setIdentityTransform(part.X);
    part.X[9] = (cells[at] + half) * resolution;
    part.X[10] = (cells[at + 1] + half) * resolution;
    part.X[11] = (cells[at + 2] + half) * resolution;
  }

  dispose(): void {}
}

class PointGroup<C extends PartCollider> implements PartGroup<C> {
  readonly hierarchy: BoxHierarchy;
  readonly isCompound = false;
  readonly isSolid = true;
  private readonly ball: C;

  constructor(
    private readonly shape: PointCloud,
    factory: PartColliderFactory<C>,
  ) {
    const { points, radius } = shape;
    this.hierarchy = buildBoxHierarchy(points.length / 3, (out, i) => {
      for (let k = 0; k < 3; k++) {
        out[k] = points[3 * i + k] - radius;
        out[k + 3] = points[3 * i + k] + radius;
      }
    });
    this.ball = factory.create({ type: 'sphere', radius });
  }

  load(part: Part<C>, index: number): void {
    const { points } = this.shape;
    part.collider = this.ball;
    setIdentityTransform(part.X);
    for (let k = 0; k < 3; k++) part.X[9 + k] = points[3 * index + k];
  }

  dispose(): void {}
}

class FieldGroup<C extends PartCollider> implements PartGroup<C> {
  readonly hierarchy: BoxHierarchy;
  readonly isCompound = false;
  readonly isSolid: boolean;
  private readonly prisms: readonly [C, C];

  constructor(
    private readonly shape: HeightField,
    factory: PartColliderFactory<C>,
  ) {
    const { floor } = shape;
    const corners = new Float64Array(9);
    this.isSolid = floor !== undefined;
    this.hierarchy = buildBoxHierarchy(countTriangles(shape), (out, i) => {
      loadFieldTriangle(corners, shape, i);
      for (let k = 0; k < 3; k++) {
        out[k] = Math.min(corners[k], corners[3 + k], corners[6 + k]);
        out[k + 3] = Math.max(corners[k], corners[3 + k], corners[6 + k]);
      }
      if (floor !== undefined) out[2] = floor;
    });
    const count = this.isSolid ? 6 : 3;
    this.prisms = [factory.createLoose(count), factory.createLoose(count)];
  }

  load(part: Part<C>, index: number): void {
    const prism = this.prisms[part.role];
    part.collider = prism;
    const { points } = prism.core;
    loadFieldTriangle(points, this.shape, index);
    const { floor } = this.shape;
    if (floor !== undefined)
      for (let c = 0; c < 9; c += 3) {
        points[9 + c] = points[c];
        points[10 + c] = points[c + 1];
        points[11 + c] = floor;
      }
    // The prism may meet a group in turn, which is walked by its bounds.
    prism.updateBounds();
    setIdentityTransform(part.X);
  }

  dispose(): void {}
}

class CompoundGroup<C extends PartCollider> implements PartGroup<C> {
  readonly hierarchy: BoxHierarchy;
  readonly isCompound = true;
  readonly isSolid: boolean;
  private readonly colliders: C[] = [];
  private readonly placements: Transform[] = [];

  constructor(shape: Compound, factory: PartColliderFactory<C>) {
    const known = new Map<unknown, C>();
    const { children } = shape;
    try {
      for (const child of children) {
        let collider = known.get(child.shape);
        if (!collider) {
          collider = factory.create(child.shape);
          known.set(child.shape, collider);
        }
        this.colliders.push(collider);
        this.placements.push(poseToTransform(createTransform(), child.pose ?? [0, 0, 0, 0, 0, 0, 1]));
      }
    } catch (error) {
      for (const collider of known.values()) collider.dispose();
      throw error;
    }
    this.isSolid = this.colliders.every((collider) => collider.isSolid);
    this.hierarchy = buildBoxHierarchy(children.length, (out, i) => {
      transformBounds(out, this.colliders[i].localBounds, this.placements[i]);
    });
  }

  load(part: Part<C>, index: number): void {
    part.collider = this.colliders[index];
    const X = this.placements[index];
    for (let k = 0; k < 12; k++) part.X[k] = X[k];
  }

  dispose(): void {
    for (const collider of this.colliders) collider.dispose();
  }
}

/** The shapes that consist of parts. */
export type PartShape = Octree | PointCloud | HeightField | Compound;

export function createPartGroup<C extends PartCollider>(
  shape: PartShape,
  factory: PartColliderFactory<C>,
): PartGroup<C> {
  switch (shape.type) {
    case 'octree':
      return new OctreeGroup(shape, factory);
    case 'points':
      return new PointGroup(shape, factory);
    case 'heightfield':
      return new FieldGroup(shape, factory);
    case 'compound':
      return new CompoundGroup(shape, factory);
  }
}
