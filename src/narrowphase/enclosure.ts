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
import { createTransform, multiplyTransform, type Transform } from '../math/transform.js';
import { type Collider, GROUP, HALFSPACE, MESH } from './collider.js';
import { Part } from './part-group.js';
import { requireColliders, requirePoses } from './query-door.js';
import { findRim, windingNumber } from './winding.js';

const MAX_PROBES = 64;

interface OpenMesh {
  readonly collider: Collider;
  /** X_GM, mesh in the frame of the whole shape. */
  readonly placement: Transform;
}

const ORIGIN = new Float64Array(3);
const NONE = new Float64Array(0);
const IDENTITY = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0);
const openMeshes = new WeakMap<Collider, readonly OpenMesh[]>();
const groupProbes = new WeakMap<Collider, Float64Array>();

interface OpenEdges {
  readonly rim: Float64Array;
  readonly boundaryEdges: number;
}

const openEdges = new WeakMap<TriangleMesh, OpenEdges>();

function edgesOf(mesh: TriangleMesh): OpenEdges {
  let found = openEdges.get(mesh);
  if (!found) {
    found = { rim: findRim(mesh), boundaryEdges: reportMesh(mesh).boundaryEdges };
    openEdges.set(mesh, found);
  }
  return found;
}

function isOpen({ shape, isSolid }: Collider): boolean {
  return shape.type === 'mesh' && shape.mode === undefined && !isSolid;
}

/** Parts of a group, at most `most` of them, evenly spread. */
function listParts({ group }: Collider, most: number): OpenMesh[] {
  if (!group) return [];
  const count = group.hierarchy.order.length;
  const part = new Part(0);
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
    const { kind, points } = collider.core;
    return kind === CORE_POINTS ? points.subarray(0, 3) : ORIGIN;
  }
  let found = groupProbes.get(collider);
  if (!found) {
    const most = collider.group?.isCompound ? Infinity : MAX_PROBES;
    found = Float64Array.from(
      listParts(collider, most).flatMap((part) => {
        const own = listProbes(part.collider);
        const out: number[] = [];
        for (let i = 0; i < own.length; i += 3)
          for (let k = 0; k < 3; k++) out.push(apply(part.placement, k, own[i], own[i + 1], own[i + 2]));
        return out;
      }),
    );
    groupProbes.set(collider, found);
  }
  return found;
}

function apply(X: Transform, k: number, x: number, y: number, z: number): number {
  return X[3 * k] * x + X[3 * k + 1] * y + X[3 * k + 2] * z + X[9 + k];
}

/** Coordinate k of p, given in W, in the frame of X. */
function applyInverse(X: Transform, k: number, p: Float64Array): number {
  return X[k] * (p[0] - X[9]) + X[3 + k] * (p[1] - X[10]) + X[6 + k] * (p[2] - X[11]);
}

const probe = new Float64Array(3);
const X_WM = createTransform();

function isWithin(mesh: Collider, X_WM: Transform, inner: Collider, X_WI: Transform): boolean {
  const { bvh, localBounds: b } = mesh;
  if (!bvh) return false;
  const points = listProbes(inner);
  for (let i = 0; i < points.length; i += 3) {
    for (let k = 0; k < 3; k++) probe[k] = apply(X_WI, k, points[i], points[i + 1], points[i + 2]);
    const [x, y, z] = [applyInverse(X_WM, 0, probe), applyInverse(X_WM, 1, probe), applyInverse(X_WM, 2, probe)];
    if (!(x >= b[0] && y >= b[1] && z >= b[2] && x <= b[3] && y <= b[4] && z <= b[5])) continue;
    if (Math.abs(windingNumber(bvh, edgesOf(bvh.mesh).rim, x, y, z)) > 0.5) return true;
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
    if (isWithin(collider, X_WM, b, X_WB)) return edgesOf(collider.bvh!.mesh).boundaryEdges;
  }
  return null;
}

/** One sentence for people about an open mesh and the name of what is inside it. */
export function describeEnclosure(boundaryEdges: number, inner: string): string {
  requireCount('describeEnclosure', 'boundaryEdges', boundaryEdges);
  requireText('describeEnclosure', 'inner', inner);
  return `its mesh is open (${boundaryEdges} edges without a neighbour) and counts as a surface, so "${inner}" inside it does not count as a contact; close it (weld its vertices), or state its mode "surface"`;
}
