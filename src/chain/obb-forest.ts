/**
 * Trees of oriented boxes over stretches of an explicit chain, built from scratch: what the baselines 1-OBBTree and
 * K-OBBTree test.
 *
 * Method: each link enters the builder of mesh hierarchies (assembly/mesh/build.ts, mean and covariance of the corners, split
 * across the longest axis) as a triangle: a point for spheres, clusters and other shapes, a segment for capsules. The binary
 * nodes become records like those of a ChainTree, their extents grown by the largest radius below. All boxes of a forest
 * are given in the frame of link 0, so the pose of one in another is one product.
 *
 *   records   16 per node, see tree-layout.ts; the pose is that in link 0
 *   children  number of the left child, the right one follows; -1 - link for a leaf
 *
 * Source: Gottschalk, Lin, Manocha 1996, sections 3 and 4, doi:10.1145/237170.237244; the baselines of Lotan, Schwarzer,
 *   Halperin, Latombe 2002, section 5, ACM Symposium on Computational Geometry.
 * Rounding: the builder's boxes are 32-bit numbers rounded outward; their axes are made orthonormal again here, and the
 *   extents grow by what that can move. Cost: O(n log n) per build. Checked by test/contract/chain.test.ts.
 */
import { getKernel } from '../kernel/kernel.js';
import {
  BINARY_FIRST,
  BINARY_LEFT,
  BINARY_NODE_BYTES,
  FIT_PQP,
  KIND_OBB,
  SPLIT_LONGEST,
  TRIANGLE_BYTES,
} from '../kernel/layout.js';
import { meshBuild } from '../kernel/parts/mesh-build.js';
import type { Chain } from './chain.js';
import { orthonormalizeAt } from './orthonormalize.js';
import { BOX_STRIDE, HALF, RADIUS } from './tree-layout.js';

/** More than the 32-bit axes move a point, per unit of its distance. */
const AXIS_ERROR = 1e-6;

export class ObbForest {
  readonly records: Float64Array;
  readonly children: Int32Array;
  private count = 0;
  /** Largest radius of a link below a node. */
  private readonly radii: Float64Array;
  private readonly middle = new Float64Array(3);

  constructor(private readonly chain: Chain) {
    const nodes = 2 * chain.linkCount;
    this.records = new Float64Array(BOX_STRIDE * nodes);
    this.children = new Int32Array(nodes);
    this.radii = new Float64Array(nodes);
  }

  clear(): void {
    this.count = 0;
  }

  /** Adds a tree over links from .. to - 1, `shapes` their poses in link 0; returns the number of its root. */
  add(shapes: Float64Array, from: number, to: number): number {
    const kernel = getKernel();
    const count = to - from;
    const functions = kernel.part(meshBuild);
    const work = kernel.allocate(functions.buildWorkBytes(count, FIT_PQP, SPLIT_LONGEST) >>> 0);
    try {
      this.writeCorners(kernel.f64, work / 8, shapes, from, to);
      functions.planTree(work, count, KIND_OBB, FIT_PQP, SPLIT_LONGEST);
      const root = this.count;
      this.count += 2 * count - 1;
      this.readNodes(
        kernel.f32,
        kernel.u32,
        functions.workNodes() >>> 0,
        (functions.workOrder() >>> 0) / 4,
        root,
        from,
      );
      this.growNodes(root);
      return root;
    } finally {
      kernel.release(work);
    }
  }

  /** Corners relative to the middle of the links' centres, which keeps 32 bits precise. */
  private writeCorners(f64: Float64Array, out: number, shapes: Float64Array, from: number, to: number): void {
    const { halfLengths } = this.chain.links;
    for (let k = 0; k < 3; k++) {
      let lower = Infinity;
      let upper = -Infinity;
      for (let i = from; i < to; i++) {
        const x = shapes[12 * i + 9 + k];
        if (x < lower) lower = x;
        if (x > upper) upper = x;
      }
      const middle = 0.5 * (lower + upper);
      this.middle[k] = middle;
      for (let i = from, at = out + k; i < to; i++, at += TRIANGLE_BYTES / 8) {
        const x = shapes[12 * i + 9 + k] - middle;
        const along = shapes[12 * i + 2 + 3 * k] * halfLengths[i];
        f64[at] = x - along;
        f64[at + 3] = x + along;
        f64[at + 6] = x + along;
      }
    }
  }

  private readNodes(
    f32: Float32Array,
    u32: Uint32Array,
    nodes: number,
    order: number,
    root: number,
    from: number,
  ): void {
    const { records, children, middle } = this;
    for (let node = root; node < this.count; node++) {
      const at = (nodes + BINARY_NODE_BYTES * (node - root)) / 4;
      const out = BOX_STRIDE * node;
      for (let k = 0; k < 3; k++) {
        records[out + 9 + k] = f32[at + k] + middle[k];
        records[out + HALF + k] = f32[at + 3 + k];
      }
      for (let k = 0; k < 9; k++) records[out + k] = f32[at + 6 + k];
      const left = u32[at + BINARY_LEFT / 4];
      children[node] = left > 0 ? root + left : -1 - (from + u32[order + u32[at + BINARY_FIRST / 4]]);
    }
  }

  /** Children come after their parents: radii from the leaves up, and the extents that follow from them. */
  private growNodes(root: number): void {
    const { records, children, radii } = this;
    const { halfLengths, radii: linkRadii } = this.chain.links;
    for (let node = this.count - 1; node >= root; node--) {
      const at = BOX_STRIDE * node;
      const child = children[node];
      const radius = child < 0 ? linkRadii[-1 - child] : Math.max(radii[child], radii[child + 1]);
      radii[node] = radius;
      if (child < 0 && halfLengths[-1 - child] === 0) {
        // A ball; its centre went through 32 bits.
        const grown =
          radius +
          AXIS_ERROR * (Math.abs(records[at + 9]) + Math.abs(records[at + 10]) + Math.abs(records[at + 11]) + radius);
        for (let k = HALF; k <= RADIUS; k++) records[at + k] = grown;
        continue;
      }
      orthonormalizeAt(records, at);
      const x = records[at + HALF] + radius;
      const y = records[at + HALF + 1] + radius;
      const z = records[at + HALF + 2] + radius;
      const slack = AXIS_ERROR * (x + y + z);
      records[at + HALF] = x + slack;
      records[at + HALF + 1] = y + slack;
      records[at + HALF + 2] = z + slack;
      records[at + RADIUS] = Math.sqrt(x * x + y * y + z * z) + 2 * slack;
    }
  }
}
