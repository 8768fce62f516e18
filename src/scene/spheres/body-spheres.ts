/**
 * Spheres around and inside a body's parts, in its frame: for what no fitted spheres are given. Made once for
 * shapes of one content.
 *
 * Method: a cover of lattice cells (geometry/sphere-cover/lattice-cover.ts) where the parts have distances, else the cells of their boxes
 * (cover-body.ts), which has no spheres inside. Fails: null for a part without bounds. Tested by sphere-checker.test.ts.
 */

import type { Shape } from '../../geometry/shapes.js';
import { coverByLattice } from '../../geometry/sphere-cover/lattice-cover.js';
import { hashContent } from '../../math/content-hash.js';
import type { Collider } from '../../narrowphase/collider.js';
import type { Body } from '../bodies.js';
import { coverBody } from './cover-body.js';

export interface BodySpheres {
  /** They contain all parts. */
  readonly outer: Float64Array;
  /** What touches one of them touches the body. */
  readonly inner: Float64Array;
}

const NONE = new Float64Array(0);
/** By content, the latest last. */
const memory = new Map<string, BodySpheres>();
const MOST_REMEMBERED = 300;
/** Since a hash of a large mesh takes its time. */
const ofCollider = new WeakMap<Collider, { readonly shape: Shape; readonly key: string | null }>();

export function spheresOfBody(body: Pick<Body, 'parts'>): BodySpheres | null {
  if (body.parts.length === 0) return { outer: NONE, inner: NONE };
  const keys = body.parts.map(keyOfPart);
  const key = keys.includes(null) ? null : keys.join(' ');
  const found = key === null ? undefined : memory.get(key);
  if (found) return found;
  const made = makeSpheres(body);
  if (key === null || made === null) return made;
  if (memory.size >= MOST_REMEMBERED) memory.delete(memory.keys().next().value as string);
  memory.set(key, made);
  return made;
}

/** Null for shapes that are no data. */
function keyOfPart({ collider, placement }: Body['parts'][number]): string | null {
  const { shape } = collider;
  let known = ofCollider.get(collider);
  // A refit makes another shape.
  if (known?.shape !== shape) {
    known = { shape, key: isData(shape) ? hashContent(shape, 'spheresOfBody', 'shape') : null };
    ofCollider.set(collider, known);
  }
  return known.key && `${known.key} ${placement.join()}`;
}

function isData(shape: Shape): boolean {
  return (
    shape.type !== 'support' && (shape.type !== 'compound' || shape.children.every((child) => isData(child.shape)))
  );
}

function makeSpheres(body: Pick<Body, 'parts'>): BodySpheres | null {
  const found = coverByLattice(body.parts.map(({ collider, placement }) => ({ shape: collider.shape, placement })));
  if (found) return found;
  const outer = coverBody(body);
  return outer && { outer, inner: NONE };
}
