/**
 * GLB (glTF 2.0, binary) of named meshes, each with a colour and, where it moves, an animation along its poses.
 *
 * Method: one buffer; positions as float32, indices as uint32; one node per mesh under a node that turns z up into glTF's y up. A way
 * becomes channels of translation and rotation with linear keys, which glTF defines as the straight way and the slerp of this
 * library's rigid motions; quaternions are written with the signs that make each turn the shorter one.
 * Source: Khronos Group, glTF 2.0 specification, 2021, sections 3.6, 3.7, 3.11 and appendix C (interpolation).
 * Units as the meshes' (glTF means metres). What float32 rounds off is at most 6e-8 of a coordinate. Tested by gltf.test.ts.
 */
import { requireIndexedMesh } from '../../geometry/require-mesh.js';
import type { TriangleMesh } from '../../geometry/triangle-mesh.js';
import { requireList, requireNumbers, requireObject, requireText, throwMisuse } from '../../math/arguments.js';
import { requireKnownKeys } from '../../math/known-keys.js';

export interface GlbPart {
  readonly name: string;
  readonly mesh: TriangleMesh;
  /** Red, green, blue, opacity, 0 to 1. Default: grey. */
  readonly color?: readonly number[];
  /** Poses x y z qx qy qz qw, and when they are reached: as many times, seconds, rising. Without it the mesh stands where it is. */
  readonly motion?: { readonly times: readonly number[]; readonly poses: readonly ArrayLike<number>[] };
}

const FLOAT = 5126;
const UNSIGNED_INT = 5125;
const GREY = [0.6, 0.63, 0.67, 1];
/** "glTF", "JSON" and "BIN" as little-endian numbers. */
const MAGIC = 0x46546c67;
const JSON_CHUNK = 0x4e4f534a;
const BINARY_CHUNK = 0x004e4942;

/** The file's bytes. Throws MisuseError for what is no mesh, colour or motion. */
export function writeGlb(parts: readonly GlbPart[]): Uint8Array {
  requireParts(parts);
  const buffer = new GlbBuffer();
  const nodes: Record<string, unknown>[] = [];
  const meshes: unknown[] = [];
  const materials: unknown[] = [];
  const channels: unknown[] = [];
  const samplers: unknown[] = [];
  for (const { name, mesh, color = GREY, motion } of parts) {
    const node: Record<string, unknown> = { name };
    if (mesh.triangles.length > 0) {
      const position = buffer.add(Float32Array.from(mesh.vertices), FLOAT, 3, { target: 34962, isBounded: true });
      const indices = buffer.add(Uint32Array.from(mesh.triangles), UNSIGNED_INT, 1, { target: 34963 });
      materials.push(toMaterial(color));
      meshes.push({
        name,
        primitives: [{ attributes: { POSITION: position }, indices, material: materials.length - 1 }],
      });
      node.mesh = meshes.length - 1;
    }
    if (motion && motion.times.length > 0) {
      const rows = signPoses(motion.poses);
      node.translation = rows[0].slice(0, 3);
      node.rotation = rows[0].slice(3);
      const input = buffer.add(Float32Array.from(motion.times), FLOAT, 1, { isBounded: true });
      for (const [path, from, width] of [
        ['translation', 0, 3],
        ['rotation', 3, 4],
      ] as const) {
        const values = Float32Array.from(rows.flatMap((row) => row.slice(from, from + width)));
        const output = buffer.add(values, FLOAT, width);
        samplers.push({ input, output, interpolation: 'LINEAR' });
        channels.push({ sampler: samplers.length - 1, target: { node: nodes.length, path } });
      }
    }
    nodes.push(node);
  }
  const half = Math.SQRT1_2;
  nodes.push({ name: 'z up', rotation: [-half, 0, 0, half], children: parts.map((_, i) => i) });
  const document: Record<string, unknown> = {
    asset: { version: '2.0', generator: 'clearance' },
    scene: 0,
    scenes: [{ nodes: [parts.length] }],
    nodes,
  };
  if (meshes.length > 0) Object.assign(document, { meshes, materials });
  if (channels.length > 0) document.animations = [{ name: 'motion', channels, samplers }];
  return buffer.finish(document);
}

function requireParts(parts: readonly GlbPart[]): void {
  requireList('writeGlb', 'parts', parts);
  parts.forEach((part, i) => {
    const what = `parts[${i}]`;
    requireObject('writeGlb', what, part);
    requireKnownKeys('writeGlb', what, part, ['name', 'mesh', 'color', 'motion']);
    requireText('writeGlb', `${what}.name`, part.name);
    requireIndexedMesh('writeGlb', `${what}.mesh`, part.mesh);
    if (part.color !== undefined) requireNumbers('writeGlb', `${what}.color`, part.color, 4);
    if (part.motion === undefined) return;
    requireObject('writeGlb', `${what}.motion`, part.motion);
    const { times, poses } = part.motion;
    requireNumbers('writeGlb', `${what}.motion.times`, times);
    requireList('writeGlb', `${what}.motion.poses`, poses);
    if (poses.length !== times.length)
      throwMisuse('writeGlb', `${what}.motion.poses`, poses, `one for each of ${times.length} times`);
    poses.forEach((pose, k) => {
      requireNumbers('writeGlb', `${what}.motion.poses[${k}]`, pose, 7);
      if (k > 0 && !(times[k] > times[k - 1]))
        throwMisuse('writeGlb', `${what}.motion.times`, times, 'numbers that rise');
    });
  });
}

/** Each quaternion with the sign that makes the turn from the one before the shorter one. */
function signPoses(poses: readonly ArrayLike<number>[]): number[][] {
  const rows = poses.map((pose) => Array.from(pose));
  for (let i = 1; i < rows.length; i++) {
    let dot = 0;
    for (let k = 3; k < 7; k++) dot += rows[i - 1][k] * rows[i][k];
    if (dot < 0) for (let k = 3; k < 7; k++) rows[i][k] = -rows[i][k];
  }
  return rows;
}

function toMaterial(color: readonly number[]): Record<string, unknown> {
  const pbrMetallicRoughness = { baseColorFactor: [...color], metallicFactor: 0, roughnessFactor: 0.8 };
  return color[3] < 1
    ? { pbrMetallicRoughness, alphaMode: 'BLEND', doubleSided: true }
    : { pbrMetallicRoughness, doubleSided: true };
}

interface AccessorUse {
  readonly target?: number;
  /** With least and largest values, which positions and times need. */
  readonly isBounded?: boolean;
}

class GlbBuffer {
  private readonly chunks: Uint8Array[] = [];
  private bytes = 0;
  private readonly views: unknown[] = [];
  private readonly accessors: unknown[] = [];

  /** Number of the accessor over these values, `width` of them per element. */
  add(values: Float32Array | Uint32Array, componentType: number, width: 1 | 3 | 4, use: AccessorUse = {}): number {
    const view: Record<string, unknown> = { buffer: 0, byteOffset: this.bytes, byteLength: values.byteLength };
    if (use.target !== undefined) view.target = use.target;
    this.views.push(view);
    const accessor: Record<string, unknown> = {
      bufferView: this.views.length - 1,
      componentType,
      count: values.length / width,
      type: { 1: 'SCALAR', 3: 'VEC3', 4: 'VEC4' }[width],
    };
    if (use.isBounded) {
      const min = new Array<number>(width).fill(Infinity);
      const max = new Array<number>(width).fill(-Infinity);
      for (let i = 0; i < values.length; i++) {
        min[i % width] = Math.min(min[i % width], values[i]);
        max[i % width] = Math.max(max[i % width], values[i]);
      }
      Object.assign(accessor, { min, max });
    }
    this.accessors.push(accessor);
    this.chunks.push(new Uint8Array(values.buffer));
    this.bytes += values.byteLength;
    return this.accessors.length - 1;
  }

  finish(document: Record<string, unknown>): Uint8Array {
    const whole =
      this.bytes > 0
        ? {
            ...document,
            buffers: [{ byteLength: this.bytes }],
            bufferViews: this.views,
            accessors: this.accessors,
          }
        : document;
    const text = new TextEncoder().encode(JSON.stringify(whole));
    const padded = Math.ceil(text.length / 4) * 4;
    const out = new Uint8Array(12 + 8 + padded + (this.bytes > 0 ? 8 + this.bytes : 0));
    const view = new DataView(out.buffer);
    view.setUint32(0, MAGIC, true);
    view.setUint32(4, 2, true);
    view.setUint32(8, out.length, true);
    view.setUint32(12, padded, true);
    view.setUint32(16, JSON_CHUNK, true);
    out.set(text, 20);
    out.fill(0x20, 20 + text.length, 20 + padded);
    let at = 20 + padded;
    if (this.bytes === 0) return out;
    view.setUint32(at, this.bytes, true);
    view.setUint32(at + 4, BINARY_CHUNK, true);
    at += 8;
    for (const chunk of this.chunks) {
      out.set(chunk, at);
      at += chunk.length;
    }
    return out;
  }
}
