/** How objects are drawn. The geometry of a mesh is kept with it: every scene that shows it again takes the same. */
import type { Shape, TriangleMesh } from 'clearance/geometry';
import { toShapeGeometry } from 'clearance/three';
import { Box3, BufferAttribute, BufferGeometry, Sphere, Vector3 } from 'three';
import type { DrawnMesh } from '../load/prepare.js';

const kept = new WeakMap<TriangleMesh, BufferGeometry>();

export function objectGeometry(shape: Shape): BufferGeometry {
  if (shape.type !== 'mesh') return toShapeGeometry(shape);
  const geometry = kept.get(shape.mesh) ?? toShapeGeometry(shape);
  kept.set(shape.mesh, geometry);
  return geometry;
}

/** As a worker has made it. */
export function keepGeometry(mesh: TriangleMesh, { positions, normals, bounds, radius }: DrawnMesh): void {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(positions, 3));
  geometry.setAttribute('normal', new BufferAttribute(normals, 3));
  geometry.boundingBox = new Box3(new Vector3(...bounds.slice(0, 3)), new Vector3(...bounds.slice(3)));
  geometry.boundingSphere = new Sphere(geometry.boundingBox.getCenter(new Vector3()), radius);
  if (mesh.name) geometry.name = mesh.name;
  kept.set(mesh, geometry);
}
