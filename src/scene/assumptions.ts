/**
 * What the answers over a scene rest on: geometry that was left out, files that were changed or guessed on the way.
 *
 * Robots and objects bring theirs when they are added (`assumed` of a description, `issues` of loaders, meshes that were not
 * loaded or are empty). The list is made when the scene has been edited, not in queries: those hand out the same two values
 * again and again. Tested by test/contract/scene-assumptions.test.ts.
 */
import type { Shape } from '../geometry/shapes.js';
import { requireList, requireObject, requireOneOf, requireText } from '../math/arguments.js';
import { describeValue } from '../math/known-keys.js';
import { MisuseError } from '../math/misuse.js';
import { bodyNames, type SceneNames } from './body-names.js';
import type { Assumption } from './description.js';
import { requireScene } from './scene-door.js';
import type { Scene } from './types.js';

/** Goes with every answer over a scene. */
export interface SceneAssumptions {
  /** False when something was left out: then "free" is not known to be true. */
  readonly complete: boolean;
  /** What was dropped, altered or guessed, one sentence each; empty when nothing was. */
  readonly assumed: readonly string[];
}

/** An issue of any reader, as far as an answer depends on it. */
export interface AssumingIssue {
  readonly severity?: 'error' | 'warning' | 'info';
  readonly file?: string;
  readonly line?: number;
  readonly element?: string;
  readonly message: string;
  readonly assumes?: Assumption['kind'];
}

/** What an answer built on the value has to say. An error counts as something dropped, whatever its reader says of it. */
export function assumptionsOfIssues(issues: readonly AssumingIssue[]): Assumption[] {
  if (!Array.isArray(issues))
    throw new MisuseError(`addObject: issues, got ${describeValue(issues)}, expected the list that a loader returned`);
  for (const [i, issue] of issues.entries()) requireObject('addObject', `issues[${i}]`, issue, 'an issue');
  return issues.flatMap(({ assumes, severity, element, file, line, message }) => {
    const kind = assumes ?? (severity === 'error' ? 'dropped' : undefined);
    if (kind === undefined) return [];
    return [{ kind, element: element ?? [file ?? 'file', ...(line === undefined ? [] : [line])].join(':'), message }];
  });
}

/** One sentence for people and files. */
export function formatAssumption(assumption: Assumption): string {
  requireObject('formatAssumption', 'assumption', assumption);
  const { kind, element, message } = assumption;
  requireText('formatAssumption', 'assumption.message', message);
  return `${kind}: ${element}: ${message}`;
}

interface Cached {
  readonly revision: number;
  readonly notes: number;
  readonly value: SceneAssumptions;
}

const cache = new WeakMap<Scene, Cached>();

/**
 * Whether answers over the scene as it is now are complete, and what they assume. The companion of answers that cannot say so
 * themselves: `isSceneFree`, an empty list of pairs, null for the nearest pair. No cost while the scene is not edited.
 */
export function sceneAssumptions(scene: Scene): SceneAssumptions {
  // Disposed scenes too: what they held is still told.
  requireScene(scene, 'sceneAssumptions');
  const known = cache.get(scene);
  if (known && known.revision === scene.revision && known.notes === scene.notes) return known.value;
  const all = listAssumptions(scene);
  const value: SceneAssumptions = {
    complete: all.every(({ kind }) => kind !== 'dropped'),
    assumed: Object.freeze([...new Set(all.map(formatAssumption))]),
  };
  cache.set(scene, { revision: scene.revision, notes: scene.notes, value: Object.freeze(value) });
  return value;
}

/** The same as data, in the order in which robots and objects were added. */
export function listAssumptions(scene: Scene): Assumption[] {
  requireScene(scene, 'listAssumptions');
  const several = scene.robots.length > 1;
  const own = scene.robots.flatMap(({ name, assumed }) =>
    assumed.map((entry) => (several ? { ...entry, element: `robot "${name}", ${entry.element}` } : entry)),
  );
  for (const { assumed } of scene.objects.values()) own.push(...assumed);
  own.push(...scene.world.assumed);
  return [...own, ...nameAssumptions(scene, bodyNames(scene))];
}

/** Adds what is to be said of things that are not in the scene: of an object whose file is missing, say. In all its contexts. */
export function assumeOf(scene: Scene, assumed: readonly Assumption[]): void {
  requireScene(scene, 'assumeOf');
  requireList('assumeOf', 'assumed', assumed);
  for (const [i, entry] of assumed.entries()) {
    requireObject('assumeOf', `assumed[${i}]`, entry, 'an assumption');
    requireOneOf('assumeOf', `assumed[${i}].kind`, entry.kind, ['dropped', 'altered', 'guessed']);
    for (const key of ['element', 'message'] as const) requireText('assumeOf', `assumed[${i}].${key}`, entry[key]);
  }
  if (assumed.length === 0) return;
  scene.world.assumed.push(...assumed);
  scene.world.revision++;
}

/** Margins and allowed pairs of bodies that do not exist: a margin that is not kept is one that was left out. */
function nameAssumptions(scene: Scene, names: SceneNames): Assumption[] {
  const found: Assumption[] = [];
  for (const key of scene.world.pairMargins.keys())
    for (const name of key.split('\u0000'))
      if (!names.has(name))
        found.push({
          kind: 'dropped',
          element: `margin of a pair with "${name}"`,
          message: 'the scene has no such body',
        });
  for (const { a, b } of scene.allowed.list())
    for (const name of [a, b])
      if (!names.has(name))
        found.push({
          kind: 'altered',
          element: `allowed pair "${a}", "${b}"`,
          message: `the scene has no body "${name}"`,
        });
  return found;
}

/** Meshes without triangles, which nothing can touch. */
export function emptyParts(element: string, shape: Shape): Assumption[] {
  if (shape.type === 'compound') return shape.children.flatMap((child) => emptyParts(element, child.shape));
  if (shape.type !== 'mesh' || shape.mesh.triangles.length > 0) return [];
  return [{ kind: 'dropped', element, message: 'its mesh has no triangles: nothing can touch it' }];
}
