/**
 * Is something inside an open mesh that counts as a surface for want of a stated mode? Were the mesh closed the two would be in
 * collision, so the verdict rests on holes that may be faults of the file.
 *
 * Method: a point of every connected part of the inner shape; one about which the open mesh winds by more than one half is inside:
 * a sheet has one half at most, a shell with a hole nearly 1. See winding.ts.
 * Frames: those of the transforms. Cost: nothing where no mesh is open, else a microsecond and 50 ns per open edge and point within the
 * mesh's bounds. Of octrees, points and height fields MAX_PROBES parts are looked at. Checked by test/contract/open-meshes.test.ts.
 */

import { reportMesh } from '../geometry/mesh-report.js';
import { CORE_POINTS } from '../geometry/support.js';
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import { requireCount, requireText } from '../math/arguments.js';
import {
  createTransform,
  inverseTransformPoint,
  multiplyTransform,
  type Transform,
  transformPoint,
} from '../math/transform.js';
import { type Collider, GROUP, HALFSPACE, MESH } from './collider.js';
import { requireColliders, requirePoses } from './pair-arguments.js';
import { Part } from './part-group.js';
import { findRim, windingNumber } from './winding.js';

const MAX_PROBES = 64;

interface OpenMesh {
  readonly collider: Collider;
  /** X_GM, mesh in the frame of the whole shape. */
  readonly placement: Transform;
}

const NONE = new Float64Array(0);
const IDENTITY = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0);
const openMeshes = new WeakMap<Collider, readonly OpenMesh[]>();
const groupProbes = new WeakMap<Collider, Float64Array>();

/** Of a mesh: made when first asked for, once. A refit makes another mesh. */
function once<T>(make: (mesh: TriangleMesh) => T): (mesh: TriangleMesh) => T {
  const known = new WeakMap<TriangleMesh, { readonly value: T }>();
  return (mesh) => {
    let found = known.get(mesh);
    if (!found) {
      found = { value: make(mesh) };
      known.set(mesh, found);
    }
    return found.value;
  };
}

const rimOf = once(findRim);
/** For what is said where something is inside. */
const countBoundaryEdges = once((mesh) => reportMesh(mesh).boundaryEdges);

function isOpen({ shape, isSolid }: Collider): boolean {
  return shape.type === 'mesh' && shape.mode === undefined && !isSolid;
}

/** Parts of a group, at most `most` of them, evenly spread. */
function listParts({ group }: Collider, most: number): OpenMesh[] {
  if (!group) return [];
  const count = group.hierarchy.order.length;
  const part = new Part<Collider>(0);
  return Array.from({ length: Math.min(count, most) }, (_, i) => {
    group.load(part, count <= most ? i : Math.floor((i * count) / most));
    return { collider: part.collider!, placement: Float64Array.from(part.X) as Transform };
  });
}

/** Of a mesh itself, or of the children of a compound. */
function listOpenMeshes(whole: Collider): readonly OpenMesh[] {
  // A tree that is refitted may close or open its mesh.
  if (whole.type === MESH) return isOpen(whole) ? [{ collider: whole, placement: IDENTITY }] : [];
  if (!whole.group?.isCompound || whole.isSolid) return [];
  let found = openMeshes.get(whole);
  if (!found) {
    found = listParts(whole, Infinity).flatMap(({ collider, placement }) =>
      listOpenMeshes(collider).map((inner) => ({
        collider: inner.collider,
        placement: multiplyTransform(createTransform(), placement, inner.placement),
      })),
    );
    openMeshes.set(whole, found);
  }
  return found;
}

/** Whether the shape has an open mesh that counts as a surface for want of a stated mode. */
export function hasOpenMesh(collider: Collider): boolean {
  return listOpenMeshes(collider).length > 0;
}

/** A point of every connected part, in the collider's frame. */
function listProbes(collider: Collider): Float64Array {
  if (collider.type === HALFSPACE) return NONE;
  if (collider.type === MESH) return collider.representatives;
  if (collider.type !== GROUP) {
    const { kind, points, center } = collider.core;
    return kind === CORE_POINTS ? points.subarray(0, 3) : center;
  }
  let found = groupProbes.get(collider);
  if (!found) {
    const most = collider.group?.isCompound ? Infinity : MAX_PROBES;
    found = Float64Array.from(
      listParts(collider, most).flatMap((part) => {
        const own = Float64Array.from(listProbes(part.collider));
        for (let i = 0; i < own.length; i += 3) {
          const point = own.subarray(i, i + 3);
          transformPoint(point, part.placement, point);
        }
        return [...own];
      }),
    );
    groupProbes.set(collider, found);
  }
  return found;
}

const probe = new Float64Array(3);
const X_WM = createTransform();

function isWithin(mesh: Collider, X_WM: Transform, inner: Collider, X_WI: Transform): boolean {
  const { bvh, localBounds: b } = mesh;
  if (!bvh) return false;
  const points = listProbes(inner);
  for (let i = 0; i < points.length; i += 3) {
    inverseTransformPoint(probe, X_WM, transformPoint(probe, X_WI, points.subarray(i, i + 3)));
    const [x, y, z] = probe;
    if (!(x >= b[0] && y >= b[1] && z >= b[2] && x <= b[3] && y <= b[4] && z <= b[5])) continue;
    if (Math.abs(windingNumber(bvh, rimOf(bvh.mesh), x, y, z)) > 0.5) return true;
  }
  return false;
}

/**
 * Edges without a neighbour of the open mesh of `a` that holds some of `b`; null when none does. Placements are in one frame.
 * A mesh whose mode is stated, or that is closed, is no matter of this: its verdicts are what was asked for.
 */
export function findEnclosure(a: Collider, X_WA: Transform, b: Collider, X_WB: Transform): number | null {
  requireColliders('findEnclosure', a, b);
  requirePoses('findEnclosure', X_WA, X_WB);
  b.requireReady();
  a.requireReady();
  for (const { collider, placement } of listOpenMeshes(a)) {
    multiplyTransform(X_WM, X_WA, placement);
    if (isWithin(collider, X_WM, b, X_WB)) return countBoundaryEdges(collider.bvh!.mesh);
  }
  return null;
}

/** One sentence for people about an open mesh and the name of what is inside it. */
export function describeEnclosure(boundaryEdges: number, inner: string): string {
  requireCount('describeEnclosure', 'boundaryEdges', boundaryEdges);
  requireText('describeEnclosure', 'inner', inner);
  return `its mesh is open (${boundaryEdges} edges without a neighbour) and counts as a surface, so "${inner}" inside it does not count as a contact; close it (weld its vertices or fill its holes), or state its mode "surface"`;
}
