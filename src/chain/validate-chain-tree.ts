/**
 * Checks every promise of a ChainTree's arrays: rotations orthonormal, shortcuts equal to the product of the joints they
 * skip, children placed where their links are, and every volume holding every link below it (not only its children), tight
 * boxes likewise.
 * Cost: O(N log N). Throws an error that names the first node at fault; run after every change in the tests.
 */
import { hypot } from '../math/scalar.js';
import {
  copyTransformAt,
  createTransform,
  multiplyTransformAt,
  relativeTransform,
  TRANSFORM_STRIDE,
} from '../math/transform.js';
import type { Chain } from './chain.js';
import { type ChainTreeData, TIGHT_STRIDE } from './chain-block.js';
import { OTHER, SEGMENT } from './link-shapes.js';
import { thinnestAxis } from './rectangle-gap.js';
import { BOX_STRIDE, HALF, RADIUS } from './tree-layout.js';

const RELATIVE = 1e-11;

const X = createTransform();
const expected = createTransform();

export function validateChainTree(chain: Chain, data: ChainTreeData): void {
  const { layout, shortcuts, frames, boxes } = data;
  for (let level = 0; level <= layout.height; level++) {
    for (let j = 0; j < layout.counts[level]; j++) {
      const node = layout.starts[level] + j;
      const name = `node ${j} of level ${level}`;
      requireRotation(`${name}: frame`, frames, TRANSFORM_STRIDE * node);
      if (level < layout.height) requireRotation(`${name}: pose in its parent`, boxes, BOX_STRIDE * node);
      if (j + 1 < layout.counts[level]) {
        requireRotation(`${name}: shortcut`, shortcuts, TRANSFORM_STRIDE * node);
        if (level > 0) requireShortcut(name, data, level, j);
      }
      if (level > 0) requireChildren(name, data, level, j);
      if (level > 0 && data.tights) requireLever(name, data, data.tights, level, j);
      requireLinksInside(name, chain, data, level, j);
    }
  }
}

function fail(what: string, got: number, allowed: number): never {
  throw new Error(`validateChainTree: ${what}, got ${got}, expected at most ${allowed}`);
}

function requireRotation(what: string, R: Float64Array, at: number): void {
  for (let i = 0; i < 3; i++) {
    for (let j = i; j < 3; j++) {
      const dot = R[at + i] * R[at + j] + R[at + 3 + i] * R[at + 3 + j] + R[at + 6 + i] * R[at + 6 + j];
      const error = Math.abs(dot - (i === j ? 1 : 0));
      if (!(error <= 1e-12)) fail(`${what}, R^T R - I`, error, 1e-12);
    }
  }
}

/** Largest difference of two transforms, translations relative to their length. */
function difference(a: Float64Array, aAt: number, b: Float64Array): number {
  const scale = 1 + hypot(b[9], b[10], b[11]);
  let worst = 0;
  for (let k = 0; k < 12; k++) worst = Math.max(worst, Math.abs(a[aAt + k] - b[k]) / (k < 9 ? 1 : scale));
  return worst;
}

function requireShortcut(name: string, { layout, shortcuts }: ChainTreeData, level: number, j: number): void {
  copyTransformAt(X, 0, shortcuts, TRANSFORM_STRIDE * (j << level));
  for (let i = (j << level) + 1; i < (j + 1) << level; i++) {
    multiplyTransformAt(X, 0, X, 0, shortcuts, TRANSFORM_STRIDE * i);
  }
  const error = difference(shortcuts, TRANSFORM_STRIDE * (layout.starts[level] + j), X);
  if (!(error <= RELATIVE)) fail(`${name}: shortcut against the product of its joints`, error, RELATIVE);
}

function requireChildren(name: string, data: ChainTreeData, level: number, j: number): void {
  const { layout, shortcuts, frames, boxes } = data;
  const left = layout.starts[level - 1] + 2 * j;
  for (let child = 0; child < 2 && 2 * j + child < layout.counts[level - 1]; child++) {
    copyTransformAt(X, 0, frames, TRANSFORM_STRIDE * (left + child));
    if (child === 1) multiplyTransformAt(X, 0, shortcuts, TRANSFORM_STRIDE * left, X, 0);
    copyTransformAt(expected, 0, frames, TRANSFORM_STRIDE * (layout.starts[level] + j));
    relativeTransform(expected, expected, X);
    const error = difference(boxes, BOX_STRIDE * (left + child), expected);
    if (!(error <= RELATIVE)) fail(`${name}: pose of child ${child}`, error, RELATIVE);
  }
}

/** The ball about a tight centre holds the children's tight centres: the search bounds its rounding by that. */
function requireLever(
  name: string,
  { layout, boxes }: ChainTreeData,
  tights: Float64Array,
  level: number,
  j: number,
): void {
  const own = TIGHT_STRIDE * (layout.starts[level] + j);
  for (let child = 2 * j; child < Math.min(2 * j + 2, layout.counts[level - 1]); child++) {
    const node = layout.starts[level - 1] + child;
    const box = BOX_STRIDE * node;
    const shift = TIGHT_STRIDE * node;
    const away = [0, 1, 2].map((k) => {
      const row = box + 3 * k;
      const turned =
        boxes[row] * tights[shift] + boxes[row + 1] * tights[shift + 1] + boxes[row + 2] * tights[shift + 2];
      return boxes[box + 9 + k] + turned - tights[own + k];
    });
    const out = hypot(away[0], away[1], away[2]) - tights[own + 6];
    if (!(out <= RELATIVE)) fail(`${name}: tight centre of child ${child} beyond the tight ball`, out, RELATIVE);
  }
}

function requireLinksInside(name: string, chain: Chain, data: ChainTreeData, level: number, j: number): void {
  const { layout, shortcuts, frames, boxes } = data;
  const node = layout.starts[level] + j;
  const at = BOX_STRIDE * node;
  const first = j << level;
  const end = Math.min((j + 1) << level, layout.linkCount);
  const slack = RELATIVE * (1 + boxes[at + RADIUS]);
  const inFirst = createTransform();
  for (let i = first; i < end; i++) {
    if (i > first) multiplyTransformAt(inFirst, 0, inFirst, 0, shortcuts, TRANSFORM_STRIDE * (i - 1));
    multiplyTransformAt(X, 0, inFirst, 0, frames, TRANSFORM_STRIDE * i);
    copyTransformAt(expected, 0, frames, TRANSFORM_STRIDE * node);
    relativeTransform(X, expected, X);
    for (const {
      point: [x, y, z],
      radius,
    } of listBalls(chain, i)) {
      const p = [0, 1, 2].map((k) => X[9 + k] + X[3 * k] * x + X[3 * k + 1] * y + X[3 * k + 2] * z);
      for (let k = 0; k < 3; k++) {
        const out = Math.abs(p[k]) + radius - boxes[at + HALF + k];
        if (!(out <= slack)) fail(`${name}: link ${i} beyond axis ${k}`, out, slack);
      }
      if (data.isSwept) {
        const normal = thinnestAxis(boxes, at);
        const sweep = boxes[at + HALF + normal];
        const off = p.map((x, k) => Math.max(0, Math.abs(x) + sweep - boxes[at + HALF + k]));
        const out = hypot(off[0], off[1], off[2]) + radius - sweep;
        if (!(out <= slack)) fail(`${name}: link ${i} beyond the rectangle swept by a sphere`, out, slack);
      }
      const out = hypot(p[0], p[1], p[2]) + radius - boxes[at + RADIUS];
      if (!(out <= slack)) fail(`${name}: link ${i} beyond the ball`, out, slack);
      if (level > 0 && data.tights)
        requireInTight(`${name}: link ${i}`, data.tights, TIGHT_STRIDE * node, p, radius, slack);
    }
  }
}

/** Tight or not yet: until a search tightens it the record is that of the plain box. */
function requireInTight(
  name: string,
  tights: Float64Array,
  at: number,
  point: readonly number[],
  radius: number,
  slack: number,
): void {
  const p = point.map((x, k) => x - tights[at + k]);
  const off = p.map((x, k) => Math.abs(x) + radius - tights[at + 3 + k]);
  const out = Math.max(...off, hypot(p[0], p[1], p[2]) + radius - tights[at + 6]);
  if (!(out <= slack)) fail(`${name} beyond the tight box`, out, slack);
}

interface Ball {
  readonly point: readonly number[];
  readonly radius: number;
}

/** Balls in the link's shape frame whose hull is the link; of other shapes, points that touch their bounds. */
function listBalls({ links }: Chain, link: number): readonly Ball[] {
  const { kinds, halfLengths, radii, halfExtents, ballStarts, ballCenters, ballRadii } = links;
  if (kinds[link] === SEGMENT) {
    return [-1, 1].map((side) => ({ point: [0, 0, side * halfLengths[link]], radius: radii[link] }));
  }
  if (kinds[link] === OTHER) {
    const [x, y, z] = halfExtents.subarray(3 * link, 3 * link + 3);
    return [-1, 1].flatMap((side) =>
      [
        [side * x, 0, 0],
        [0, side * y, 0],
        [0, 0, side * z],
      ].map((point) => ({ point, radius: 0 })),
    );
  }
  const balls: Ball[] = [];
  for (let i = ballStarts[link]; i < ballStarts[link + 1]; i++) {
    balls.push({ point: Array.from(ballCenters.subarray(3 * i, 3 * i + 3)), radius: ballRadii[i] });
  }
  return balls;
}
