/**
 * Bodies inside a mesh that counts as a surface because it is open: were it closed they would be in collision, so the verdict
 * rests on holes that may be faults of the file.
 *
 * Method: for every part that is a mesh without a stated mode and not watertight, and every part of another body whose box lies
 * within the mesh's box: the winding number of the mesh about the middle of the other part, as the sum of the solid angles of its
 * triangles over 4 pi. Above one half it is inside: a sheet has one half at most, a shell with a hole nearly 1.
 * Source: Van Oosterom, Strackee 1983, "The solid angle of a plane triangle", doi:10.1109/TBME.1983.325207; Jacobson, Kavan,
 * Sorkine-Hornung 2013, "Robust inside-outside segmentation using generalized winding numbers", doi:10.1145/2461912.2461916.
 * Cost: nothing without such meshes, else triangles x parts inside the mesh's box. Tested by enclosed.test.ts.
 */
import { reportMesh } from '../geometry/mesh-report.js';
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import { atan2 } from '../math/scalar.js';
import { inverseTransformPoint, transformPoint } from '../math/transform.js';
import type { BodyPart } from './bodies.js';
import { isAllowedPair } from './candidates.js';
import { bodyName, requireOpen, type Scene, type SceneBody, updateScene } from './scene.js';

export interface EnclosedBody {
  /** The body with the open mesh, and the one inside it. */
  readonly mesh: string;
  readonly body: string;
  readonly boundaryEdges: number;
  /** One sentence for people. */
  readonly message: string;
}

/** As the scene stands now; each pair of bodies once. */
export function findEnclosedBodies(scene: Scene): EnclosedBody[] {
  requireOpen(scene, 'findEnclosedBodies');
  const bodies: SceneBody[] = [...scene.objects.values()].map(({ body }) => body);
  for (const { links } of scene.robots) for (const { body } of links) bodies.push(body);
  const open = bodies.flatMap((body) => body.parts.filter(isOpenMesh).map((part) => ({ body, part })));
  if (open.length === 0) return [];
  updateScene(scene);
  const found = new Map<string, EnclosedBody>();
  for (const { body, part } of open) {
    for (const other of bodies) {
      if (other === body || isAllowedPair(scene, body, other)) continue;
      const [mesh, inside] = [bodyName(scene, body), bodyName(scene, other)];
      const key = `${mesh}\u0000${inside}`;
      if (found.has(key) || !other.parts.some((inner) => isInside(part, inner))) continue;
      const boundaryEdges = countBoundaryEdges(meshOf(part)!);
      found.set(key, {
        mesh,
        body: inside,
        boundaryEdges,
        message: `its mesh is open (${boundaryEdges} edges without a neighbour) and counts as a surface, so "${inside}" inside it does not count as a contact; close it (weld its vertices), or state its mode "surface"`,
      });
    }
  }
  return [...found.values()];
}

function meshOf({ collider: { shape } }: BodyPart): TriangleMesh | null {
  return shape.type === 'mesh' ? shape.mesh : null;
}

function isOpenMesh({ collider }: BodyPart): boolean {
  const { shape } = collider;
  return shape.type === 'mesh' && shape.mode === undefined && !collider.isSolid;
}

const edgesOf = new WeakMap<TriangleMesh, number>();

/** Edges without a neighbour; counted once per mesh, since states are many. */
function countBoundaryEdges(mesh: TriangleMesh): number {
  let count = edgesOf.get(mesh);
  if (count === undefined) {
    count = reportMesh(mesh).boundaryEdges;
    edgesOf.set(mesh, count);
  }
  return count;
}

const point = new Float64Array(3);

function isInside(outer: BodyPart, inner: BodyPart): boolean {
  for (let i = 0; i < 3; i++) if (!(inner.box[i] >= outer.box[i] && inner.box[i + 3] <= outer.box[i + 3])) return false;
  transformPoint(point, inner.worldPlacement, inner.center);
  inverseTransformPoint(point, outer.worldPlacement, point);
  return Math.abs(windingNumber(meshOf(outer)!, point)) > 0.5;
}

/** Solid angle of all triangles seen from p, over 4 pi. */
function windingNumber({ vertices, triangles }: TriangleMesh, p: Float64Array): number {
  let angle = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    const [ax, ay, az] = [vertices[a] - p[0], vertices[a + 1] - p[1], vertices[a + 2] - p[2]];
    const [bx, by, bz] = [vertices[b] - p[0], vertices[b + 1] - p[1], vertices[b + 2] - p[2]];
    const [cx, cy, cz] = [vertices[c] - p[0], vertices[c + 1] - p[1], vertices[c + 2] - p[2]];
    const la = Math.sqrt(ax * ax + ay * ay + az * az);
    const lb = Math.sqrt(bx * bx + by * by + bz * bz);
    const lc = Math.sqrt(cx * cx + cy * cy + cz * cz);
    const volume = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
    const ab = ax * bx + ay * by + az * bz;
    const bc = bx * cx + by * cy + bz * cz;
    const ca = cx * ax + cy * ay + cz * az;
    angle += 2 * atan2(volume, la * lb * lc + ab * lc + bc * la + ca * lb);
  }
  return angle / (4 * Math.PI);
}
