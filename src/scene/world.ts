/**
 * What the contexts of a scene share: robots and objects as they are wherever they stand, who may touch whom, margins, and one
 * collider per shape. Edited through the functions of scene.ts, robot.ts and allow-pairs.ts; every edit raises `revision`, by which
 * contexts see that their tables are old.
 */
import type { Shape } from '../geometry/shapes.js';
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import { MisuseError } from '../math/misuse.js';
import type { Transform } from '../math/transform.js';
import type { Model } from '../model/model.js';
import { type Collider, type ColliderOptions, createCollider } from '../narrowphase/collider.js';
import type { SemanticDescription } from '../semantics/description.js';
import type { AllowedCollisions } from './allowed-collisions.js';
import { createPartShape, type PartShape } from './bodies.js';
import type { Assumption, GeometryDescription, RobotDescription } from './description.js';

/** What takes long to make of a mesh: in a page its worker does it, and sends `serializeBvh` and `reportMesh` of it. */
export type PreparedMesh = Pick<ColliderOptions, 'bvh' | 'report' | 'surface'>;

/** A body wherever it stands. */
export interface BodyDefinition {
  readonly name: string;
  readonly margin: number;
  readonly parts: readonly PartShape[];
}

export interface LinkDefinition {
  readonly name: string;
  readonly frame: number;
  readonly body: BodyDefinition;
}

export interface RobotDefinition {
  readonly name: string;
  readonly model: Model;
  readonly description: RobotDescription;
  readonly semantic: SemanticDescription | null;
  /** Links with geometry, in the description's order; robots that are alike share them. */
  readonly links: readonly LinkDefinition[];
  /** Id of the first link's body; the others follow. */
  readonly firstBodyId: number;
  readonly allowed: AllowedCollisions;
  /** Start and count of what must have length 1 in q. */
  readonly unitCoordinates: Int32Array;
  readonly missing: readonly GeometryDescription[];
  readonly assumed: readonly Assumption[];
  readonly selfCheck: 'auto' | 'chain' | 'pairs';
  /** X_WR in contexts that it comes into. */
  readonly placement: Transform;
}

export interface ObjectDefinition {
  readonly name: string;
  readonly shape: Shape;
  readonly body: BodyDefinition;
  readonly bodyId: number;
  readonly assumed: readonly Assumption[];
  /** X_WO in contexts that it comes into. */
  readonly placement: ArrayLike<number>;
}

export interface World {
  /** Told apart from other worlds by it; copies that were sent elsewhere keep it. */
  id: number;
  margin: number;
  readonly robots: RobotDefinition[];
  readonly robotNames: Set<string>;
  /** A robot has, or had, a name with a slash in it. */
  slashed: boolean;
  /** Where the numbers of robots that are named alike begin to be free. */
  readonly nextNumbers: Map<string, number>;
  readonly objects: ObjectDefinition[];
  readonly allowed: AllowedCollisions;
  /** Per-pair margins by unordered full names, replacing the sum of scene and body margins. */
  readonly pairMargins: Map<string, number>;
  /** Of what is not in the scene, though it should be. */
  readonly assumed: Assumption[];
  /** Raised by every edit. */
  revision: number;
  /** How often something was taken away: what is there beyond a list's known length is new, as long as nothing was. */
  removals: number;
  /** Contexts that are not disposed. */
  contexts: number;
  nextBodyId: number;
  /** What a robot's allowed pairs call when they change. */
  readonly onChange: () => void;
  readonly colliders: Map<Shape, { readonly collider: Collider; uses: number }>;
  readonly prepared: ReadonlyMap<TriangleMesh, PreparedMesh>;
  disposed: boolean;
}

/** `place`: shapes with X_BG. Throws where a shape is not one; then nothing is kept of it. */
export function createBodyDefinition(
  world: World,
  name: string,
  margin: number,
  place: readonly (readonly [Shape, Transform])[],
): BodyDefinition {
  const parts: PartShape[] = [];
  try {
    for (const [shape, placement] of place)
      parts.push(createPartShape(shape, acquireCollider(world, shape), placement));
  } catch (error) {
    releaseParts(world, parts);
    throw new MisuseError(`addObject: shape of "${name}": ${(error as Error).message}`, { cause: error });
  }
  return { name, margin, parts };
}

export function acquireCollider(world: World, shape: Shape): Collider {
  const known = world.colliders.get(shape);
  if (known) {
    known.uses++;
    return known.collider;
  }
  const collider = createCollider(shape, shape?.type === 'mesh' ? findPrepared(world, shape.mesh) : undefined);
  world.colliders.set(shape, { collider, uses: 1 });
  return collider;
}

function findPrepared({ prepared }: World, mesh: TriangleMesh): PreparedMesh | undefined {
  const found = prepared.get(mesh);
  if (found?.bvh && found.bvh.mesh !== mesh)
    throw new MisuseError(
      'createScene: options.prepared, got the tree of another mesh, expected that of the mesh it is for',
    );
  return found;
}

export function releaseParts(world: World, parts: readonly PartShape[]): void {
  for (const { shape } of parts) {
    const entry = world.colliders.get(shape);
    if (!entry || --entry.uses > 0) continue;
    entry.collider.dispose();
    world.colliders.delete(shape);
  }
}
