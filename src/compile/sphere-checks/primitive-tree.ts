/**
 * A tree of boxes over triangles, cubes or points, as bytes that a compiled check and the generic kernel walk without a stack.
 *
 * Method: the primitives are sorted about the middle of the longest side of the box around their centres, halves by halves, down to a few
 * of them. Nodes lie in the order of a walk, each with the place of the node that follows when it is missed. Boxes are rounded outward.
 *
 *   node, 32 bytes       lowest x y z (f32) | place of the next node when missed (i32) | highest x y z | primitives (i32)
 *                        primitives: 0 for an inner node, else the place of the first plus their number
 *   triangle, 96 bytes   corners a b c | unit normal n | unit normals of the sides ab, bc, ca in the plane, inward | 1 / length^2 of the
 *                        sides (f32); without area: normals 0
 *   cube, 32 bytes       lowest x y z 0 | highest x y z 0
 *   point, 16 bytes      x y z 0
 *
 * Places are bytes from the block's start. Source: Wald, Boulos, Shirley 2007, "Ray tracing deformable scenes using dynamic bounding volume hierarchies",
 * section 2 (trees in the order of a walk), doi:10.1145/1189762.1206075. Cost: n log n. Tested by obstacle-kinds.test.ts.
 */

export const NODE_BYTES = 32;
export const PRIMITIVE_BYTES = { triangle: 96, cube: 32, point: 16 } as const;
export type PrimitiveName = keyof typeof PRIMITIVE_BYTES;
/** Below 16: the number shares a word with the place. */
const MOST_IN_LEAF: Readonly<Record<PrimitiveName, number>> = { triangle: 2, cube: 4, point: 6 };
/** Triangles whose height is below this part of their longest side have no normal of use; their sides are as near. */
const FLAT = 1e-9;

export interface PrimitiveTree {
  readonly bytes: Uint8Array;
  /** Where the nodes end. */
  readonly nodesEnd: number;
  /** Box around all: lowest, highest. */
  readonly box: Float64Array;
}

/** `boxes`: lowest x y z, highest x y z per primitive. `write` puts the floats of a primitive at an index. */
function buildTree(
  name: PrimitiveName,
  boxes: Float64Array,
  write: (out: Float32Array, at: number, i: number) => void,
) {
  const count = boxes.length / 6;
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  const nodes: { low: number; high: number; skip: number; box: Float64Array; isLeaf: boolean }[] = [];
  const middle = (i: number, k: number): number => boxes[6 * i + k] + boxes[6 * i + 3 + k];
  const grow = (low: number, high: number): void => {
    const box = Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);
    const span = box.slice();
    for (let n = low; n < high; n++)
      for (let k = 0; k < 3; k++) {
        box[k] = Math.min(box[k], boxes[6 * order[n] + k]);
        box[3 + k] = Math.max(box[3 + k], boxes[6 * order[n] + 3 + k]);
        span[k] = Math.min(span[k], middle(order[n], k));
        span[3 + k] = Math.max(span[3 + k], middle(order[n], k));
      }
    const node = { low, high, skip: 0, box, isLeaf: high - low <= MOST_IN_LEAF[name] };
    nodes.push(node);
    if (!node.isLeaf) {
      let axis = 0;
      for (let k = 1; k < 3; k++) if (span[3 + k] - span[k] > span[3 + axis] - span[axis]) axis = k;
      const part = order.subarray(low, high);
      part.set(Array.from(part).sort((a, b) => middle(a, axis) - middle(b, axis) || a - b));
      const half = (low + high) >> 1;
      grow(low, half);
      grow(half, high);
    }
    node.skip = nodes.length;
  };
  grow(0, count);
  const nodesEnd = NODE_BYTES * nodes.length;
  const size = PRIMITIVE_BYTES[name];
  const bytes = new Uint8Array(nodesEnd + size * count);
  const floats = new Float32Array(bytes.buffer);
  const words = new Int32Array(bytes.buffer);
  nodes.forEach(({ low, high, skip, box, isLeaf }, n) => {
    const at = 8 * n;
    for (let k = 0; k < 3; k++) {
      floats[at + k] = roundDown(box[k]);
      floats[at + 4 + k] = -roundDown(-box[3 + k]);
    }
    words[at + 3] = NODE_BYTES * skip;
    words[at + 7] = isLeaf ? nodesEnd + size * low + (high - low) : 0;
  });
  order.forEach((i, n) => {
    write(floats, (nodesEnd + size * n) / 4, i);
  });
  return { bytes, nodesEnd, box: nodes[0].box };
}

/** The next single-precision number that is not above x. */
function roundDown(x: number): number {
  const y = Math.fround(x);
  return y <= x ? y : Math.fround(x - Math.abs(x) * 2 ** -23 - 2 ** -140);
}

export function buildTriangleTree(vertices: ArrayLike<number>, triangles: ArrayLike<number>): PrimitiveTree {
  const boxes = new Float64Array(2 * triangles.length);
  for (let t = 0; t < triangles.length; t += 3)
    for (let k = 0; k < 3; k++) {
      const [a, b, c] = [0, 1, 2].map((n) => vertices[3 * triangles[t + n] + k]);
      boxes[2 * t + k] = Math.min(a, b, c);
      boxes[2 * t + 3 + k] = Math.max(a, b, c);
    }
  return buildTree('triangle', boxes, (out, at, i) => {
    const [a, b, c] = [0, 1, 2].map((n) => [0, 1, 2].map((k) => vertices[3 * triangles[3 * i + n] + k]));
    out.set([...a, ...b, ...c, ...describePlane(a, b, c)], at);
  });
}

/** Normal, inward normals of the sides, inverse squared lengths. */
function describePlane(a: readonly number[], b: readonly number[], c: readonly number[]): number[] {
  const sides = [minus(b, a), minus(c, b), minus(a, c)];
  const squares = sides.map((e) => dot(e, e));
  const across = cross(sides[0], minus(c, a));
  const area = Math.sqrt(dot(across, across));
  const longest = Math.max(...squares);
  const inverse = squares.map((x) => (x > 1e-36 ? 1 / x : 0));
  if (!(area > FLAT * longest)) return [...new Array(12).fill(0), ...inverse];
  const n = across.map((x) => x / area);
  const inward = sides.flatMap((e) => {
    const m = cross(n, e);
    const length = Math.sqrt(dot(m, m));
    return m.map((x) => x / length);
  });
  return [...n, ...inward, ...inverse];
}

const minus = (a: readonly number[], b: readonly number[]): number[] => a.map((x, k) => x - b[k]);
const dot = (a: readonly number[], b: readonly number[]): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: readonly number[], b: readonly number[]): number[] => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** `boxes`: lowest x y z, highest x y z each. */
export function buildCubeTree(boxes: Float64Array): PrimitiveTree {
  return buildTree('cube', boxes, (out, at, i) => {
    for (let k = 0; k < 3; k++) {
      out[at + k] = boxes[6 * i + k];
      out[at + 4 + k] = boxes[6 * i + 3 + k];
    }
  });
}

export function buildPointTree(points: ArrayLike<number>): PrimitiveTree {
  const boxes = new Float64Array(2 * points.length);
  for (let i = 0; i < points.length / 3; i++)
    for (let k = 0; k < 3; k++) boxes[6 * i + k] = boxes[6 * i + 3 + k] = points[3 * i + k];
  return buildTree('point', boxes, (out, at, i) => {
    for (let k = 0; k < 3; k++) out[at + k] = points[3 * i + k];
  });
}
