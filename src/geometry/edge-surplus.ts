/** Which edges of a mesh are used oftener in one direction than in the other: where its surface ends, or turns its side. */
import type { TriangleMesh } from './triangle-mesh.js';
import { mapEqualVertices, type VertexMap } from './triangle-mesh-weld.js';

export interface EdgeSurplus extends VertexMap {
  /** Uses from the lower to the higher position less those back, by lower * positions + higher; 0 where they cancel. */
  readonly surplus: ReadonlyMap<number, number>;
}

/** Vertices of equal position count as one. Triangles with a repeated corner add nothing. Cost: linear. */
export function countEdgeSurplus({ vertices, triangles }: TriangleMesh): EdgeSurplus {
  const { positionOf, firstVertex } = mapEqualVertices(vertices);
  const count = firstVertex.length;
  const surplus = new Map<number, number>();
  for (let t = 0; t < triangles.length; t += 3)
    for (let k = 0; k < 3; k++) {
      const from = positionOf[triangles[t + k]];
      const to = positionOf[triangles[t + ((k + 1) % 3)]];
      if (from === to) continue;
      const key = Math.min(from, to) * count + Math.max(from, to);
      surplus.set(key, (surplus.get(key) ?? 0) + (from < to ? 1 : -1));
    }
  return { positionOf, firstVertex, surplus };
}
