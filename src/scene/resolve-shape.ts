/** Turns shape descriptions (file names) into shapes (loaded meshes), sharing one scaled copy per file and scale. */
import { applyScale } from '../geometry/scale-mesh.js';
import type { MeshMode, Shape, Triple } from '../geometry/shapes.js';
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import type { ShapeDescription } from './description.js';

export interface ShapeResolver {
  /** Undefined when the shape's mesh is not loaded (the file was missing or broken). */
  resolve(shape: ShapeDescription): Shape | undefined;
}

/** `meshes` maps file names, as written in the descriptions, to loaded meshes; `mode` overrides every mesh's mode, `solid` that of watertight ones. */
export function createShapeResolver(meshes: ReadonlyMap<string, TriangleMesh>, mode?: MeshMode): ShapeResolver {
  const shapes = new Map<string, Shape>();
  const scaledMesh = (file: string, scale: Triple | undefined): TriangleMesh | undefined => {
    const mesh = meshes.get(file);
    return mesh && scale ? applyScale(mesh, scale) : mesh;
  };
  const resolveFile = (key: string, build: () => Shape | undefined): Shape | undefined => {
    const known = shapes.get(key);
    if (known) return known;
    const shape = build();
    if (shape) shapes.set(key, shape);
    return shape;
  };
  return {
    resolve(shape) {
      if (shape.type === 'mesh') {
        // Left to the mesh, "solid" means: where it is watertight.
        const wanted = mode === 'solid' ? undefined : (mode ?? shape.mode);
        return resolveFile(`mesh ${wanted} ${shape.scale ?? ''} ${shape.file}`, () => {
          const mesh = scaledMesh(shape.file, shape.scale);
          return mesh && { type: 'mesh', mesh, mode: wanted };
        });
      }
      if (shape.type === 'convex') {
        const { file, points, scale } = shape;
        if (points) return { type: 'convex', points: Float64Array.from(points.flat()) };
        if (!file) return undefined;
        return resolveFile(`convex ${scale ?? ''} ${file}`, () => {
          const mesh = scaledMesh(file, scale);
          return mesh && { type: 'convex', points: mesh.vertices };
        });
      }
      return shape;
    },
  };
}
