/** Puts instances of meshes together to one mesh; refuses before it allocates when instancing multiplies too far. */
import { isMirroring, transformVertices } from '../../geometry/triangle-mesh-transform.js';
import type { FileIssues } from '../file-issues.js';
import type { Parsed } from '../issue.js';
import type { Affine } from './mesh-affine.js';
import {
  DEFAULT_MAXIMUM_MESH_BYTES,
  finishMesh,
  type MeshFileContent,
  type MeshPart,
  type MeshReadOptions,
  meshBytes,
  tooLargeMessage,
} from './mesh-content.js';

export interface MeshInstance {
  readonly name: string;
  readonly vertices: Float64Array;
  readonly triangles: Uint32Array;
  readonly placement: Affine;
}

/** One mesh of all instances, in order; mirrored instances keep their outside outside. */
export function assembleInstances(
  instances: readonly MeshInstance[],
  content: Pick<MeshFileContent, 'format' | 'unit' | 'upAxis'>,
  options: MeshReadOptions,
  issues: FileIssues,
): Parsed<MeshFileContent> {
  const limit = options.maximumBytes ?? DEFAULT_MAXIMUM_MESH_BYTES;
  let numbers = 0;
  let corners = 0;
  for (const instance of instances) {
    numbers += instance.vertices.length;
    corners += instance.triangles.length;
  }
  const needed = meshBytes(numbers / 3, corners / 3);
  if (needed > limit) {
    return issues.refuse('too-large', tooLargeMessage(`a mesh of ${instances.length} instances`, needed, limit));
  }
  const vertices = new Float64Array(numbers);
  const triangles = new Uint32Array(corners);
  const parts: MeshPart[] = [];
  let vertexAt = 0;
  let at = 0;
  for (const instance of instances) {
    transformVertices(vertices, vertexAt, instance.vertices, instance.placement);
    const base = vertexAt / 3;
    const swap = isMirroring(instance.placement) ? 1 : 0;
    const source = instance.triangles;
    for (let i = 0; i < source.length; i += 3) {
      triangles[at + i] = base + source[i];
      triangles[at + i + 1] = base + source[i + 1 + swap];
      triangles[at + i + 2] = base + source[i + 2 - swap];
    }
    parts.push({ name: instance.name, firstTriangle: at / 3, triangleCount: source.length / 3 });
    vertexAt += instance.vertices.length;
    at += source.length;
  }
  for (let i = 0; i < vertices.length; i++) {
    if (vertices[i] - vertices[i] !== 0) {
      return issues.refuse('bad-number', 'the node transforms carry a vertex to infinity: correct their matrices');
    }
  }
  const mesh = { vertices, triangles, name: options.file };
  return finishMesh(issues, { ...content, mesh, parts });
}
