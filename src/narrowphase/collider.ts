/**
 * A shape with everything its queries need, computed once: a small type code for dispatch, the convex core, bounds, the
 * mesh BVH, containment data, the hierarchy of parts. Queries only read it (scratch aside) and do not allocate, with one exception: the hull and
 * the parts of a mesh are found on the first query that needs them.
 * A mesh collider owns kernel memory, and so does a hull of many vertices: call `dispose()`.
 */

import {
  type Fields,
  oneOf,
  requireFlag,
  requireNotNegative,
  requireNumbers,
  requireObject,
  requireOptions,
  unchecked,
} from '../math/arguments.js';
import '../math/disposable.js';
import { requireBvh } from '../bvh/bvh-door.js';
import { buildMeshBvh, type MeshBvh } from '../bvh/mesh-bvh.js';
import { boundShape } from '../geometry/aabb.js';
import { buildConvexHull, type ConvexHull } from '../geometry/hull.js';
import { computeMassProperties } from '../geometry/mass-properties.js';
import { reportMesh } from '../geometry/mesh-report.js';
import { hasClosedForm, measurePointToCore } from '../geometry/point-core.js';
import { operationsOf, SHAPE_TYPES, SHAPES } from '../geometry/shapes/index.js';
import type { Mesh, Shape, ShapeType } from '../geometry/shapes.js';
import { CORE_POINTS, createHullCore, ORIGIN, SupportCore, supportState } from '../geometry/support.js';
import { createSupportCore } from '../geometry/support-shape.js';
import { holdsClaim, type SurfaceClaim } from '../geometry/surface-claim.js';
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import { validateShape } from '../geometry/validate-shape.js';
import { MisuseError } from '../math/misuse.js';
import { hypot } from '../math/scalar.js';
import { findRepresentatives } from './containment.js';
import { placeHull, releaseHull } from './convex-kernel.js';
import { createPartGroup, type PartGroup, type PartShape } from './part-group.js';

function requireReport(call: string, what: string, report: unknown): void {
  requireObject(call, what, report, 'what reportMesh returned');
  const { watertight, consistentlyOriented } = report as SurfaceClaim;
  requireFlag(call, `${what}.watertight`, watertight);
  requireFlag(call, `${what}.consistentlyOriented`, consistentlyOriented);
}

function requireSurface(call: string, what: string, surface: unknown): void {
  requireReport(call, what, surface);
  const { bounds, radius, representatives } = surface as MeshSurface;
  requireNumbers(call, `${what}.bounds`, bounds, 6);
  requireNotNegative(call, `${what}.radius`, radius);
  requireNumbers(call, `${what}.representatives`, representatives);
}

const OPTIONS: Fields = {
  node: oneOf('obb', 'aabb', 'auto', 'rss', 'obb-rss'),
  bvh: unchecked,
  report: requireReport,
  surface: requireSurface,
};

/** Any numbers will do, each once: nothing depends on their order. What is convex is told by `Collider.hasCore`. */
export const SPHERE = 0;
export const CAPSULE = 1;
export const BOX = 2;
export const CYLINDER = 3;
export const CONE = 4;
export const ELLIPSOID = 5;
export const CONVEX = 6;
export const HALFSPACE = 7;
export const MESH = 8;
/** Octree, points, height field, compound: a shape that consists of placed parts. */
export const GROUP = 9;
/** Cores with a radius that a point's distance has a closed form for, and that have no pair functions of their own. */
export const ROUNDED = 10;
/** Convex by a user's function. */
export const SUPPORTED = 11;
const CODES: { readonly [Type in ShapeType]: Type extends PartShape['type'] ? typeof GROUP : number } = {
  sphere: SPHERE,
  capsule: CAPSULE,
  box: BOX,
  cylinder: CYLINDER,
  cone: CONE,
  ellipsoid: ELLIPSOID,
  'rounded-box': ROUNDED,
  'rounded-cylinder': ROUNDED,
  support: SUPPORTED,
  convex: CONVEX,
  halfspace: HALFSPACE,
  mesh: MESH,
  octree: GROUP,
  points: GROUP,
  heightfield: GROUP,
  compound: GROUP,
};
export const CODE_COUNT = 1 + Math.max(...Object.values(CODES));
/** Of the shapes with a core. In a pair the one that comes first here is first. */
export const CONVEX_CODES: readonly number[] = SHAPE_TYPES.filter((type) => SHAPES[type].core !== null)
  .map((type) => CODES[type])
  .sort((a, b) => a - b);
const NO_CORE = new SupportCore(0, 0, 0, 0, 0);
/** Of all that is no half-space. */
const NO_PLANE = new Float64Array(4);
/** Relative difference of volume below which a closed mesh is its own hull. */
const CONVEX_VOLUME = 1e-10;

export interface ColliderOptions {
  /** Node type of the mesh BVH. */
  readonly node?: 'auto' | 'obb' | 'aabb';
  /** A BVH of the same mesh built elsewhere; the collider does not dispose it. */
  readonly bvh?: MeshBvh;
  /**
   * What `reportMesh` says of the same mesh, found elsewhere (by a worker, say), so that it need not be found again. Refused when
   * it is not true of the mesh, which is looked up in a tenth of the time.
   */
  readonly report?: SurfaceClaim;
  /**
   * What `meshSurface` of a collider of the same mesh says, found elsewhere. With `bvh`, and like that taken as it is: what is wrong in it
   * makes answers wrong.
   */
  readonly surface?: MeshSurface;
}

/** What a collider finds out about its mesh, in the mesh's frame and unit. */
export interface MeshSurface extends SurfaceClaim {
  /** Least and greatest x, y, z of the vertices. */
  readonly bounds: Float64Array;
  /** Of the ball about the middle of the bounds that holds them. */
  readonly radius: number;
  /** A vertex of every connected part, x, y, z each. */
  readonly representatives: Float64Array;
}

/** Hull of a mesh, and whether the mesh fills it. */
export interface MeshHull {
  readonly core: SupportCore;
  readonly isConvex: boolean;
}

/** What only the collider itself changes. */
type Writable = {
  -readonly [Key in 'shape' | 'center' | 'isSolid' | 'isOriented' | 'isDisposed' | 'isPlain']: Collider[Key];
};

export class Collider {
  // What every query reads comes first, and its numbers in one array: queries of many pairs wait for memory.
  readonly type: number;
  /** Half sizes x, y, z and radius of the core, then extent, bounding radius and inner radius: of a ball about `center` that it holds. */
  readonly sizes = new Float64Array(7);
  /** Disposed: queries refuse it. */
  readonly isDisposed: boolean = false;
  readonly bvh: MeshBvh | null = null;
  /** The refit of the tree that bounds, hull and solidity belong to. */
  private revision = 0;
  /** A point's distance to it has a closed form, and it is not disposed. */
  readonly isPlain: boolean;
  readonly coreKind: number;
  /** The middle of its bounds is its frame's origin. */
  isCentered = false;
  /** The shape it was made for; of a mesh, with the vertices of the last refit. */
  readonly shape: Shape;
  /** A bounded convex shape: its core, with its radius, is all of it. */
  readonly hasCore: boolean;
  /** Core of a convex shape; a point for half-space, mesh and group, which have their own pair functions. */
  readonly core: SupportCore;
  /** [minX minY minZ maxX maxY maxZ] in the shape's frame; infinite for a half-space. */
  readonly localBounds = new Float64Array(6);
  /** Bounding sphere about the middle of the bounds; radius Infinity for a half-space. */
  readonly center: Float64Array = ORIGIN;
  /** Half-space: unit normal and offset. */
  readonly plane: Float64Array = NO_PLANE;
  /** Hull of a `convex`, with its faces. */
  readonly hull: ConvexHull | null = null;
  /** Parts of an octree, a point cloud, a height field or a compound. */
  readonly group: PartGroup<Collider> | null = null;
  /** The interior counts: always, but for meshes in surface mode, height fields without a floor, and what holds them. */
  readonly isSolid: boolean;
  /** Mesh whose triangles are consistently wound. */
  readonly isOriented: boolean = true;
  private readonly ownsBvh: boolean = false;
  private lazyHull: MeshHull | null = null;
  private lazyOuterCore: SupportCore | null = null;
  private lazyRepresentatives: Float64Array | null = null;
  private known: MeshSurface | null = null;
  /** A watertight mesh. */
  private isClosed = false;

  /** `core`: for parts whose corners change, a core that is used as it is. */
  constructor(shape: Shape, options: ColliderOptions = {}, core: SupportCore | null = null) {
    const { bvh, surface: known = null } = options;
    // Who built or loaded the tree has looked at the mesh.
    if (!known || shape?.type !== 'mesh' || bvh?.mesh !== shape.mesh) validateShape(shape);
    else this.known = known;
    this.shape = shape;
    this.type = CODES[shape.type];
    this.hasCore = operationsOf(shape).core !== null;
    let solid = true;
    if (shape.type === 'mesh') {
      if (options.bvh) this.shape = takeTree(shape, options.bvh);
      solid = this.reportSolid(this.known ?? takeReport((this.shape as Mesh).mesh, options.report));
      this.core = NO_CORE;
      this.ownsBvh = options.bvh === undefined;
      this.bvh = options.bvh ?? buildMeshBvh(shape.mesh, { node: options.node ?? 'auto' });
      this.revision = this.bvh.revision;
    } else if (shape.type === 'halfspace') {
      this.core = NO_CORE;
      const norm = hypot(shape.normal[0], shape.normal[1], shape.normal[2]);
      this.plane = new Float64Array(4);
      for (let k = 0; k < 3; k++) this.plane[k] = shape.normal[k] / norm;
      this.plane[3] = shape.offset / norm;
    } else if (this.type === GROUP) {
      this.core = NO_CORE;
      this.group = createPartGroup(shape as PartShape, partFactory);
      solid = this.group.isSolid;
    } else if (core) {
      this.core = core;
    } else if (shape.type === 'convex') {
      this.hull = buildConvexHull(shape.points);
      this.core = createHullCore(this.hull);
      placeHull(this.core);
    } else {
      this.core = createSupportCore(shape);
    }
    this.isSolid = solid;
    this.isPlain = this.hasCore && hasClosedForm(this.core);
    const { kind, x, y, z, radius } = this.core;
    this.coreKind = kind;
    this.sizes.set([x, y, z, radius]);
    this.updateBounds();
  }

  /** Largest coordinate size of the shape in its own frame: the scale of its rounding. */
  get extent(): number {
    return this.sizes[4];
  }

  /** Of the sphere about `center`; Infinity for a half-space. */
  get boundingRadius(): number {
    return this.sizes[5];
  }

  /** Whether the mesh is solid, from its triangles as they are now; sets whether they are consistently wound. */
  private reportSolid(report: SurfaceClaim = reportMesh((this.shape as Mesh).mesh)): boolean {
    const { mesh, mode } = this.shape as Mesh;
    const { watertight, consistentlyOriented } = report;
    (this as Writable).isOriented = consistentlyOriented;
    this.isClosed = watertight;
    if (mode === 'solid' && !watertight)
      throw new MisuseError(
        `createCollider: mode of mesh ${mesh.name ?? ''}, got solid, expected surface: the mesh is not watertight`,
      );
    return watertight && mode !== 'surface';
  }

  /**
   * What every query asks first: throws once disposed, and makes all anew that was derived from a tree since refitted.
   * @internal
   */
  requireReady(): void {
    // Apart from the common case, which is then short enough to become part of its callers.
    if (supportState.isAsking || this.isDisposed || this.bvh !== null) this.makeReady();
  }

  private makeReady(): void {
    if (supportState.isAsking)
      throw new MisuseError('support: a query, got one from within a support function, expected one from outside');
    if (this.isDisposed)
      throw new MisuseError(`collider: ${this.shape.type}, got one that was disposed, expected a live one`);
    const { bvh } = this;
    if (bvh === null || bvh.revision === this.revision) return;
    const own = this as Writable;
    own.shape = { ...(this.shape as Mesh), mesh: bvh.mesh };
    own.isSolid = this.reportSolid();
    this.revision = bvh.revision;
    if (this.lazyHull) releaseHull(this.lazyHull.core);
    this.lazyHull = null;
    this.lazyRepresentatives = null;
    this.known = null;
    this.updateBounds();
  }

  /** Bounds, centre, bounding radius and extent from the shape's numbers as they are now. */
  updateBounds(): void {
    const { shape, localBounds, known } = this;
    if (known) localBounds.set(known.bounds);
    else boundShape(localBounds, shape, IDENTITY);
    if (shape.type === 'halfspace') {
      this.sizes[4] = Math.abs(this.plane[3]);
      this.sizes[5] = Infinity;
      return;
    }
    let extent = 0;
    for (let k = 0; k < 3; k++) {
      middle[k] = 0.5 * (localBounds[k] + localBounds[k + 3]);
      extent = Math.max(extent, Math.abs(localBounds[k]), Math.abs(localBounds[k + 3]));
    }
    this.isCentered = middle[0] === 0 && middle[1] === 0 && middle[2] === 0;
    // Most shapes share one array: scenes hold many thousands of them.
    if (!this.isCentered && this.center === ORIGIN) (this as Writable).center = new Float64Array(3);
    const { center } = this;
    if (center !== ORIGIN) center.set(middle);
    this.sizes[4] = extent;
    this.sizes[5] = known?.radius ?? operationsOf(shape).boundingRadius(shape, center, localBounds);
    if (this.isPlain) this.sizes[6] = Math.max(0, this.core.radius - measurePointToCore(surface, this.core, center));
    else this.sizes[6] = this.hull?.dimension === 3 ? findInnerRadius(this.hull, center) : 0;
  }

  /** Hull of a mesh, built on first use. */
  get meshHull(): MeshHull {
    if (!this.lazyHull) {
      if (this.shape.type !== 'mesh') throw new MisuseError('meshHull: shape, got no mesh, expected a mesh');
      const hull = buildConvexHull(this.shape.mesh.vertices);
      const isConvex = this.isSolid && hull.dimension === 3 && fillsHull(this.shape, hull);
      const meshCore = createHullCore(hull);
      placeHull(meshCore);
      this.lazyHull = { core: meshCore, isConvex };
    }
    return this.lazyHull;
  }

  /** A convex core that holds the shape: its own, a mesh's hull, or the box of a group; made on first use. */
  get outerCore(): SupportCore {
    if (this.hasCore) return this.core;
    if (this.type === MESH) return this.meshHull.core;
    if (!this.lazyOuterCore) {
      const b = this.localBounds;
      const corners = Float64Array.from({ length: 24 }, (_, i) => b[(i % 3) + ((i / 3) & (1 << (i % 3)) ? 3 : 0)]);
      this.lazyOuterCore = new SupportCore(CORE_POINTS, 0, 0, 0, 0, corners);
    }
    return this.lazyOuterCore;
  }

  /** A vertex of every connected part of a mesh, found on first use. */
  get representatives(): Float64Array {
    if (!this.lazyRepresentatives) {
      if (this.shape.type !== 'mesh') throw new MisuseError('representatives: shape, got no mesh, expected a mesh');
      this.lazyRepresentatives = this.known?.representatives ?? findRepresentatives(this.shape.mesh);
    }
    return this.lazyRepresentatives;
  }

  /** Of a mesh: what it has found out about it, for a collider of the same mesh elsewhere. */
  get meshSurface(): MeshSurface {
    if (this.shape.type !== 'mesh') throw new MisuseError('meshSurface: shape, got no mesh, expected a mesh');
    const { representatives, localBounds, boundingRadius, isOriented } = this;
    return {
      watertight: this.isClosed,
      consistentlyOriented: isOriented,
      bounds: localBounds,
      radius: boundingRadius,
      representatives,
    };
  }

  /** Frees the kernel memory of a mesh or hull, of those in a compound too, and ends its use; a second call does nothing. */
  dispose(): void {
    (this as Writable).isDisposed = true;
    (this as Writable).isPlain = false;
    this.group?.dispose();
    releaseHull(this.core);
    if (this.lazyHull) releaseHull(this.lazyHull.core);
    if (this.ownsBvh && this.bvh?.isDisposed === false) this.bvh.dispose();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }
}

/** The shape with the mesh of a tree that was built for it, and perhaps refitted since. */
function takeTree(shape: Mesh, bvh: MeshBvh): Mesh {
  requireBvh('createCollider', 'bvh', bvh);
  const { mesh } = bvh;
  if (mesh === shape.mesh) return shape;
  if (mesh.triangles.length !== shape.mesh.triangles.length || mesh.vertices.length !== shape.mesh.vertices.length)
    throw new MisuseError(
      `createCollider: bvh, got a tree of ${mesh.triangles.length / 3} triangles and ${mesh.vertices.length / 3} vertices, expected the tree of the shape's ${shape.mesh.triangles.length / 3} and ${shape.mesh.vertices.length / 3}`,
    );
  return { ...shape, mesh };
}

/** The report that was handed over, once it is known to be true. */
function takeReport(mesh: TriangleMesh, report: SurfaceClaim | undefined): SurfaceClaim | undefined {
  if (report !== undefined && !holdsClaim(mesh, report))
    throw new MisuseError(
      `createCollider: report, got watertight ${report.watertight}, consistentlyOriented ${report.consistentlyOriented}, expected what reportMesh says of mesh ${mesh.name ?? ''}`,
    );
  return report;
}

const surface = new Float64Array(6);
const middle = new Float64Array(3);
const IDENTITY = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0);

/** Radius of the ball about a point inside that touches the nearest face's plane. */
function findInnerRadius({ vertices, triangles }: ConvexHull, center: Float64Array): number {
  let least = Infinity;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    const at = (v: number, k: number): number => vertices[v + k] - vertices[a + k];
    const x = at(b, 1) * at(c, 2) - at(b, 2) * at(c, 1);
    const y = at(b, 2) * at(c, 0) - at(b, 0) * at(c, 2);
    const z = at(b, 0) * at(c, 1) - at(b, 1) * at(c, 0);
    const norm = hypot(x, y, z);
    const height =
      x * (vertices[a] - center[0]) + y * (vertices[a + 1] - center[1]) + z * (vertices[a + 2] - center[2]);
    // A face without area says nothing of where it looks.
    if (norm > 0) least = Math.min(least, height / norm);
  }
  return least < Infinity ? Math.max(0, least) : 0;
}

function fillsHull(shape: Shape, hull: ConvexHull): boolean {
  const own = Math.abs(computeMassProperties(shape, 1).volume);
  const whole = computeMassProperties({ type: 'mesh', mesh: hull }, 1).volume;
  return Math.abs(own - whole) <= CONVEX_VOLUME * whole;
}

const partFactory = {
  create: (shape: Shape): Collider => new Collider(shape),
  createLoose(corners: number): Collider {
    const points = new Float64Array(3 * corners);
    return new Collider({ type: 'convex', points }, {}, new SupportCore(CORE_POINTS, 0, 0, 0, 0, points));
  },
};

/** Prepares a shape for queries. Throws on an invalid shape and on `solid` for a mesh that is not watertight. */
export function createCollider(shape: Shape, options?: ColliderOptions): Collider {
  requireOptions('createCollider', options, OPTIONS);
  return new Collider(shape, options);
}
