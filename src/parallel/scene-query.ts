/** What is asked of every configuration of a batch: checked, and completed by what goes without saying. */
import {
  type Fields,
  requireFields,
  requireFinite,
  requireFlag,
  requireNumber,
  requireObject,
  requireOneOf,
  requirePositiveNumber,
  unchecked,
} from '../math/arguments.js';
import { type OverlapDepth, requireDepth } from '../scene/queries/body-pairs.js';
import type { SceneJob } from '../scene/transfer/batch.js';

/** Its fields mean what they mean for `isSceneFree`, `checkScene`, `nearestPair` and `createSceneMotionChecker`. */
export type SceneQuery =
  | { readonly kind: 'free'; readonly margin?: number }
  | { readonly kind: 'check'; readonly margin?: number; readonly all?: boolean; readonly depth?: 'none' | OverlapDepth }
  | { readonly kind: 'nearest'; readonly maxDistance?: number; readonly depth?: OverlapDepth }
  /** Straight motions from each configuration to the next. */
  | { readonly kind: 'motion'; readonly margin?: number; readonly tolerance?: number };

type Kind = SceneQuery['kind'];

/** Of the options of each kind. */
export const QUERY_OPTIONS: Readonly<Record<Kind, Fields>> = {
  free: { margin: requireFinite },
  check: { margin: requireFinite, all: requireFlag, depth: unchecked },
  nearest: { maxDistance: requireNumber, depth: unchecked },
  motion: { margin: requireFinite, tolerance: requirePositiveNumber },
};

/** `what` begins the messages about its fields. */
export function completeQuery(call: string, what: string, query: SceneQuery): SceneJob {
  requireObject(call, what, query);
  requireOneOf(call, `${what}.kind`, query.kind, Object.keys(QUERY_OPTIONS));
  requireFields(call, what, query, { kind: unchecked, ...QUERY_OPTIONS[query.kind] });
  switch (query.kind) {
    case 'free':
      return { kind: 'free', margin: query.margin ?? 0 };
    case 'check': {
      const { margin = 0, all = false, depth } = query;
      return { kind: 'check', margin, all, depth: depth === 'none' ? depth : requireDepth(call, depth, "'none', ") };
    }
    case 'nearest':
      return { kind: 'nearest', maxDistance: query.maxDistance ?? Infinity, depth: requireDepth(call, query.depth) };
    case 'motion':
      return { kind: 'motion', margin: query.margin ?? 0, tolerance: query.tolerance ?? 1e-4 };
  }
}
