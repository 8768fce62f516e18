/**
 * Spheres that contain the shapes of one link, proven, at several levels.
 * Method, cost and sources: link-fitter.ts. Checked by fit-spheres.test.ts.
 */
import {
  requireCount,
  requireFields,
  requireFunction,
  requireList,
  requireMap,
  requirePositiveNumber,
  requireText,
  unchecked,
  wholeFrom,
} from '../../math/arguments.js';
import { hashContent } from '../../math/content-hash.js';
import { MisuseError } from '../../math/misuse.js';
import type { Shape } from '../shapes.js';
import type { PlacedShape } from '../sphere-proof/parts.js';
import { requirePlacedShapes, type UncoveredPlace } from '../sphere-proof/verify-spheres.js';
import { type FittedLevel, LinkFitter, MOST_SPHERES } from './link-fitter.js';
import { measureExcess, shapeVolume } from './sphere-excess.js';
import { unionVolume } from './union-volume.js';

export interface FitSpheresOptions {
  /** At most this many spheres at the finest level. Default 8, where no `excess` is given. */
  readonly count?: number;
  /** As few spheres as stick out of the shapes by at most this at the finest level. */
  readonly excess?: number;
  /** Coarser levels before the finest, each with a quarter of the spheres of the next. Default 1. */
  readonly coarser?: number;
}

export interface SphereLevel {
  /** x, y, z, radius each. */
  readonly spheres: Float64Array;
  /** No point of the spheres is farther from the shapes. */
  readonly excess: number;
  /** Of the spheres' union. */
  readonly volume: number;
  /** Every point of the shapes lies in a sphere, by `verifySpheres`. */
  readonly proven: boolean;
  /** Null when proven. */
  readonly uncovered: UncoveredPlace | null;
}

export interface FittedSpheres {
  /** The smallest sphere around everything that was found: x, y, z, radius. */
  readonly bound: Float64Array;
  /** Coarse to fine. */
  readonly levels: readonly SphereLevel[];
  /** Of what the shapes occupy; null for open meshes. */
  readonly volume: number | null;
  /** True when the bound and every level are. */
  readonly proven: boolean;
}

const OPTIONS = {
  count: wholeFrom(1),
  excess: requirePositiveNumber,
  coarser: wholeFrom(0),
};

/**
 * `shapes` with their placements in a frame, in which the spheres are too. Same shapes and options, same bits. Throws MisuseError
 * for half-spaces, and when both a count and an excess are given.
 */
export function fitSpheres(shapes: readonly PlacedShape[], options: FitSpheresOptions = {}): FittedSpheres {
  requireFitRequest('fitSpheres', shapes, options);
  return fitLink(shapes, new LinkFitter(shapes, 'fitSpheres'), options);
}

function requireFitRequest(call: string, shapes: readonly PlacedShape[], options: FitSpheresOptions): void {
  requirePlacedShapes(call, shapes);
  if (shapes.length === 0) throw new MisuseError(`${call}: shapes, got none, expected one or more`);
  requireFields(call, 'options', options, OPTIONS);
  if (options.count !== undefined && options.excess !== undefined)
    throw new MisuseError(`${call}: options, got a count and an excess, expected one of them`);
  if (options.count !== undefined && options.count > MOST_SPHERES)
    requireCount(call, `options.count (at most ${MOST_SPHERES})`, Number.NaN);
}

function fitLink(
  shapes: readonly PlacedShape[],
  fitter: LinkFitter,
  { count = 8, excess, coarser = 1 }: FitSpheresOptions,
): FittedSpheres {
  const bound = fitter.fitBound();
  const finest = excess === undefined ? fitter.fitCount(count) : fitter.fitExcess(excess);
  const levels: FittedLevel[] = [finest];
  for (let k = 0; k < coarser; k++) {
    const next = Math.ceil(levels[0].spheres.length / 16);
    if (next < 2 || next >= levels[0].spheres.length / 4) break;
    levels.unshift(fitter.fitCount(next));
  }
  return {
    bound: bound.spheres,
    levels: levels.map(({ spheres, proof }) => ({
      spheres,
      excess: measureExcess(fitter.field, spheres),
      volume: unionVolume(spheres),
      proven: proof.proven,
      uncovered: proof.uncovered,
    })),
    volume: shapeVolume(shapes, fitter.field),
    proven: bound.proof.proven && levels.every(({ proof }) => proof.proven),
  };
}

export interface LinkShapes {
  readonly link: string;
  readonly shapes: readonly PlacedShape[];
}

export interface FitLinksOptions extends FitSpheresOptions {
  /** At most this many spheres in all at the finest level, shared out so that all links stick out about as far. */
  readonly total?: number;
  /** What was fitted before, by content; filled. A new Map is a memory of one's own. Default: a memory of the program, of some hundred links. */
  readonly memory?: Map<string, FittedSpheres>;
  /** Called before each link. */
  readonly onProgress?: (done: number, link: string) => void;
}

const LINK_OPTIONS = { ...OPTIONS, total: wholeFrom(1), memory: requireMap, onProgress: requireFunction };
const memory = new Map<string, FittedSpheres>();
const MOST_REMEMBERED = 512;
/** Changes with what the fit answers. */
const FIT_VERSION = 2;

/** One link after the other, or with `total` all against each other. Results of equal shapes and options are made once. */
export function fitLinks(links: readonly LinkShapes[], options: FitLinksOptions = {}): FittedSpheres[] {
  requireLinksRequest(links, options);
  const { total, memory: own = memory, onProgress, ...wanted } = options;
  // Links of the same shapes share what is made of them.
  const contents = links.map(({ shapes }) => contentKey(shapes, {}));
  const twins = contents.map((content, i) => (content === null ? i : contents.indexOf(content)));
  const fitters = links.map(() => null as LinkFitter | null);
  const fitterOf = (i: number): LinkFitter => {
    fitters[twins[i]] ??= new LinkFitter(links[i].shapes, 'fitLinks');
    return fitters[twins[i]] as LinkFitter;
  };
  const counts =
    total === undefined
      ? null
      : shareOut(
          links.map((_, i) => fitterOf(i)),
          total,
        );
  return links.map(({ link, shapes }, i) => {
    onProgress?.(i, link);
    const request = counts ? { ...wanted, count: counts[i], excess: undefined } : wanted;
    const key = contentKey(shapes, request);
    const known = key === null ? undefined : own.get(key);
    if (known) return known;
    const fitted = fitLink(shapes, fitterOf(i), request);
    if (twins.lastIndexOf(twins[i]) === i) fitters[twins[i]] = null;
    if (key === null) return fitted;
    if (own === memory && own.size >= MOST_REMEMBERED) own.delete(own.keys().next().value!);
    own.set(key, fitted);
    return fitted;
  });
}

function requireLinksRequest(links: readonly LinkShapes[], options: FitLinksOptions): void {
  requireList('fitLinks', 'links', links, 'a list of { link, shapes }');
  requireFields('fitLinks', 'options', options, LINK_OPTIONS);
  const { count, excess, total, coarser } = options;
  links.forEach((item, i) => {
    requireFields('fitLinks', `links[${i}]`, item, { link: requireText, shapes: unchecked });
    requireFitRequest('fitLinks', item.shapes, { count, excess, coarser });
  });
  if (total === undefined) return;
  requireCount('fitLinks', 'options.total', total, Math.max(1, links.length));
  if (count !== undefined || excess !== undefined)
    throw new MisuseError('fitLinks: options, got a total and a count or an excess, expected one of them');
}

/** Null for shapes that are no data. */
function contentKey(shapes: readonly PlacedShape[], options: FitSpheresOptions): string | null {
  const isData = (shape: Shape): boolean =>
    shape.type !== 'support' && (shape.type !== 'compound' || shape.children.every((child) => isData(child.shape)));
  if (!shapes.every(({ shape }) => isData(shape))) return null;
  const { count, excess, coarser } = options;
  const content = shapes.map(({ shape, placement }) => ({ shape, placement: placement ?? null }));
  return hashContent({ version: FIT_VERSION, content, options: { count, excess, coarser } }, 'fitLinks', 'shapes');
}

/** Numbers of spheres, at least one each: those of the least common excess at which the sum is at most `total`. */
function shareOut(fitters: readonly LinkFitter[], total: number): number[] {
  let high = Math.max(...fitters.map((fitter) => fitter.largestExcess));
  let low = 0;
  let best = fitters.map(() => 1);
  for (let step = 0; step < 10; step++) {
    const middle = 0.5 * (low + high);
    const known = new Map<LinkFitter, number>();
    const counts = fitters.map((fitter) => {
      const count = known.get(fitter) ?? fitter.countFor(middle);
      known.set(fitter, count);
      return count;
    });
    if (counts.reduce((sum, n) => sum + n, 0) <= total) {
      high = middle;
      best = counts;
    } else low = middle;
  }
  // What is left goes to the links that stick out farthest by their count.
  for (let left = total - best.reduce((sum, n) => sum + n, 0); left > 0; left--) {
    const worst = fitters.reduce(
      (w, f, i) => (f.largestExcess / best[i] > fitters[w].largestExcess / best[w] ? i : w),
      0,
    );
    best[worst]++;
  }
  return best;
}
