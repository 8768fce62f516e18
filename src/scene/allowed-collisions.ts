/**
 * The allowed-collision matrix: which body pairs are not checked, and why.
 *
 * Method: a map from the unordered name pair to a reason. `allowed` means skipped: the pair may touch without
 * being reported. Adjacency follows MoveIt's setup assistant: links joined by a joint, where links without
 * geometry are passed over, and links that no movable joint separates.
 * Source: Chitta, Sucan, Cousins 2012, "MoveIt!", doi:10.1109/MRA.2011.2181749 (setup assistant).
 */

import { type Fields, requireFields, requireFunction, requireIterable } from '../math/arguments.js';
import { describeValue } from '../math/known-keys.js';
import { MisuseError } from '../math/misuse.js';
import type { ModelDescription } from '../model/description.js';
import { requireDescription } from '../model/require-description.js';
import type { SemanticDescription } from '../semantics/description.js';
import { requireSemantic } from '../semantics/require-semantic.js';

const OPTIONS: Fields = { onChange: requireFunction, resolve: requireFunction };

export type AllowedReason = 'adjacent' | 'always' | 'never' | 'default' | 'user';

export interface AllowedPair {
  readonly a: string;
  readonly b: string;
  readonly reason: AllowedReason;
  /** The source's own words, e.g. an SRDF reason. */
  readonly note?: string;
}

/** Pairs to be skipped, besides those that are already (SRDF, adjacency), or instead of them. */
export interface AllowedPairs {
  readonly pairs: Iterable<AllowedPair>;
  /** Default false. */
  readonly replace?: boolean;
}

export interface AllowedCollisions {
  /** Reason why the pair is skipped, or undefined when it is checked. Order of names does not matter. */
  get(a: string, b: string): AllowedPair | undefined;
  allow(pair: AllowedPair): void;
  forbid(a: string, b: string): void;
  /** All allowed pairs, a < b by code unit, sorted. */
  list(): AllowedPair[];
  readonly size: number;
}

const SEPARATOR = '\u0000';

const keyOf = (a: string, b: string): string => (a < b ? a + SEPARATOR + b : b + SEPARATOR + a);

export interface AllowedCollisionsOptions {
  /** Called after every later change, so that tables built from the matrix can be renewed. */
  readonly onChange?: () => void;
  /** The name under which a given name is kept and looked up; default: itself. */
  readonly resolve?: (name: string) => string;
}

export function createAllowedCollisions(
  pairs: Iterable<AllowedPair> = [],
  options: AllowedCollisionsOptions = {},
): AllowedCollisions {
  requireIterable('createAllowedCollisions', 'pairs', pairs, 'a list of { a, b, reason }');
  requireFields('createAllowedCollisions', 'options', options, OPTIONS);
  const matrix = new Matrix(options);
  for (const pair of pairs) matrix.enter(pair);
  return matrix;
}

/** A matrix that begins as another one; what either becomes is its own. They share their pairs until one of them is edited. */
export function shareAllowedCollisions(
  source: AllowedCollisions,
  options: AllowedCollisionsOptions,
): AllowedCollisions {
  return new Matrix(options, source as Matrix);
}

class Matrix implements AllowedCollisions {
  private byKey: Map<string, AllowedPair>;
  private isShared = false;
  private readonly onChange: () => void;
  private readonly resolve: ((name: string) => string) | undefined;

  constructor({ onChange = () => undefined, resolve }: AllowedCollisionsOptions, source?: Matrix) {
    this.onChange = onChange;
    this.resolve = resolve;
    this.byKey = source?.byKey ?? new Map();
    if (source) source.isShared = this.isShared = true;
  }

  get size(): number {
    return this.byKey.size;
  }

  get(a: string, b: string): AllowedPair | undefined {
    return this.byKey.get(this.findKey(a, b));
  }

  allow(pair: AllowedPair): void {
    this.enter(pair);
    this.onChange();
  }

  forbid(a: string, b: string): void {
    const key = this.findKey(a, b);
    if (!this.byKey.has(key)) return;
    this.own().delete(key);
    this.onChange();
  }

  list(): AllowedPair[] {
    return [...this.byKey.entries()].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, pair]) => pair);
  }

  /** As `allow`, of a matrix that nobody has seen yet. */
  enter(pair: AllowedPair): void {
    for (const name of [pair?.a, pair?.b])
      if (typeof name !== 'string' || name === '' || name.includes(SEPARATOR))
        throw new MisuseError(
          `createAllowedCollisions: name in pairs, got ${describeValue(name)}, expected a text without U+0000`,
        );
    const [a, b] = [this.nameOf(pair.a), this.nameOf(pair.b)];
    this.own().set(keyOf(a, b), a < b ? { ...pair, a, b } : { ...pair, a: b, b: a });
  }

  private own(): Map<string, AllowedPair> {
    if (this.isShared) {
      this.byKey = new Map(this.byKey);
      this.isShared = false;
    }
    return this.byKey;
  }

  private nameOf(name: string): string {
    return this.resolve ? this.resolve(name) : name;
  }

  /** As the names resolve now, or as they were given when they did not yet. */
  private findKey(a: string, b: string): string {
    if (!this.resolve) return keyOf(a, b);
    const key = keyOf(this.resolve(a), this.resolve(b));
    return this.byKey.has(key) ? key : keyOf(a, b);
  }
}

/**
 * Pairs that touch by construction. `hasGeometry` tells links that can collide: a link without geometry connects its
 * neighbours, so both sides of an empty flange count as adjacent.
 */
export function adjacentPairs(model: ModelDescription, hasGeometry: (link: string) => boolean): AllowedPair[] {
  requireDescription('adjacentPairs', model);
  requireFunction('adjacentPairs', 'hasGeometry', hasGeometry);
  const parentJoint = new Map(model.joints.map((joint) => [joint.child, joint]));
  const pairs: AllowedPair[] = [];
  const seen = new Set<string>();
  const add = (a: string, b: string, note: string): void => {
    const key = keyOf(a, b);
    if (a === b || seen.has(key)) return;
    seen.add(key);
    pairs.push({ a, b, reason: 'adjacent', note });
  };
  const rigidRoot = new Map<string, string>();
  const findRigidRoot = (link: string): string => {
    let root = link;
    for (let steps = 0; steps <= model.joints.length; steps++) {
      const joint = parentJoint.get(root);
      if (joint?.type !== 'fixed') break;
      root = joint.parent;
    }
    return root;
  };
  const rigidGroups = new Map<string, string[]>();
  for (const { name } of model.links) {
    const root = findRigidRoot(name);
    rigidRoot.set(name, root);
    if (!hasGeometry(name)) continue;
    const group = rigidGroups.get(root) ?? [];
    group.push(name);
    rigidGroups.set(root, group);
  }
  for (const { name } of model.links) {
    if (!hasGeometry(name)) continue;
    let joint = parentJoint.get(name);
    for (let steps = 0; joint && steps <= model.joints.length; steps++) {
      if (hasGeometry(joint.parent)) {
        add(joint.parent, name, 'share a joint');
        break;
      }
      joint = parentJoint.get(joint.parent);
    }
  }
  for (const group of rigidGroups.values()) {
    for (let i = 0; i < group.length; i++)
      for (let j = i + 1; j < group.length; j++) add(group[i], group[j], 'rigidly connected');
  }
  return pairs;
}

/** `disable_collisions` of an SRDF as allowed pairs; reasons outside MoveIt's vocabulary become `user`. */
export function semanticPairs(semantic: SemanticDescription): AllowedPair[] {
  requireSemantic('semanticPairs', semantic);
  const reasons: Record<string, AllowedReason> = {
    adjacent: 'adjacent',
    always: 'always',
    never: 'never',
    default: 'default',
    user: 'user',
  };
  return semantic.disabledPairs.map(({ a, b, reason }) => ({
    a,
    b,
    reason: reasons[reason.toLowerCase()] ?? 'user',
    note: reason,
  }));
}
