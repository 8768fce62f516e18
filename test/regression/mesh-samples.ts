/** Meshes that several regression tests use. */
import type { TriangleMesh } from '../../src/geometry/triangle-mesh.js';

/** From -1 to 1, outward. */
export const CUBE: TriangleMesh = {
  vertices: Float64Array.of(-1, -1, -1, 1, -1, -1, 1, 1, -1, -1, 1, -1, -1, -1, 1, 1, -1, 1, 1, 1, 1, -1, 1, 1),
  triangles: Uint32Array.of(
    ...[0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4],
    ...[2, 3, 7, 2, 7, 6, 1, 2, 6, 1, 6, 5, 0, 4, 7, 0, 7, 3],
  ),
};

/** A bumpy strip of that many triangles. */
export function gridMesh(count: number): TriangleMesh {
  const vertices = new Float64Array(3 * (count + 2));
  for (let i = 0; i < count + 2; i++) vertices.set([i >> 1, i & 1, Math.sin(i)], 3 * i);
  const triangles = new Uint32Array(3 * count);
  for (let t = 0; t < count; t++) triangles.set(t % 2 === 0 ? [t, t + 2, t + 1] : [t, t + 1, t + 2], 3 * t);
  return { vertices, triangles };
}

/** COLLADA of the cube from -1 to 1, or from `low` to `high`, placed by the given nodes. */
export function cubeCollada(
  asset: string,
  nodes = '<node><instance_geometry url="#cube"/></node>',
  half = 1,
): Uint8Array {
  const text =
    `<COLLADA version="1.4.1"><asset>${asset}</asset><library_geometries><geometry id="cube"><mesh>` +
    `<source id="p"><float_array id="a" count="24">${Array.from(CUBE.vertices, (x) => x * half).join(' ')}` +
    '</float_array><technique_common><accessor source="#a" count="8" stride="3"><param name="X" type="float"/>' +
    '<param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>' +
    '<vertices id="v"><input semantic="POSITION" source="#p"/></vertices><triangles count="12">' +
    `<input semantic="VERTEX" source="#v" offset="0"/><p>${CUBE.triangles.join(' ')}</p></triangles></mesh>` +
    `</geometry></library_geometries><library_visual_scenes><visual_scene id="s">${nodes}</visual_scene>` +
    '</library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>';
  return new TextEncoder().encode(text);
}

/** glTF document of the cube from -1 to 1; `change` edits it before it is encoded. */
export function cubeGltf(change: (json: Record<string, unknown>) => void = () => {}): Uint8Array {
  const positions = Float32Array.from(CUBE.vertices);
  const indices = Uint16Array.from(CUBE.triangles);
  const bytes = new Uint8Array(96 + 72);
  bytes.set(new Uint8Array(positions.buffer));
  bytes.set(new Uint8Array(indices.buffer), 96);
  const json = {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
    accessors: [
      { bufferView: 0, componentType: 5126, count: 8, type: 'VEC3' },
      { bufferView: 1, componentType: 5123, count: 36, type: 'SCALAR' },
    ],
    bufferViews: [
      { buffer: 0, byteLength: 96 },
      { buffer: 0, byteOffset: 96, byteLength: 72 },
    ],
    buffers: [{ byteLength: 168, uri: `data:application/octet-stream;base64,${btoa(String.fromCharCode(...bytes))}` }],
  };
  change(json);
  return new TextEncoder().encode(JSON.stringify(json));
}
