/** How objects are drawn. The geometry of a mesh is kept with it: every scene that shows it again takes the same. */
import type { Shape, TriangleMesh } from 'clearance/geometry';
import { toShapeGeometry } from 'clearance/three';
import type { BufferGeometry } from 'three';

const kept = new WeakMap<TriangleMesh, BufferGeometry>();

export function objectGeometry(shape: Shape): BufferGeometry {
  if (shape.type !== 'mesh') return toShapeGeometry(shape);
  const geometry = kept.get(shape.mesh) ?? toShapeGeometry(shape);
  kept.set(shape.mesh, geometry);
  return geometry;
}
