/**
 * Bodies inside a mesh that counts as a surface because it is open: were it closed they would be in collision, so the verdict
 * rests on holes that may be faults of the file. Answers over a scene say so among what they assume.
 *
 * Method: the pairs of bodies with such a mesh are listed once per edit of the scene; those whose boxes overlap are looked at with
 * a point of the inner one (narrowphase/enclosure.ts).
 * Cost: nothing without such meshes, else a comparison of boxes per pair. Tested by enclosed.test.ts.
 */
import { requireFlag } from '../../math/arguments.js';
import { describeEnclosure, findEnclosure, hasOpenMesh } from '../../narrowphase/enclosure.js';
import { formatAssumption, type SceneAssumptions, sceneAssumptions } from '../assumptions.js';
import type { BodyPart } from '../bodies.js';
import { bodyName } from '../body-names.js';
import { requireOpen } from '../scene-door.js';
import type { Scene, SceneBody } from '../types.js';
import { updateScene } from '../update.js';
import { isAllowedPair } from './pair-rules.js';

export interface EnclosedBody {
  /** The body with the open mesh, and the one inside it. */
  readonly mesh: string;
  readonly body: string;
  readonly boundaryEdges: number;
  /** One sentence for people. */
  readonly message: string;
}

interface OpenPair {
  readonly body: SceneBody;
  readonly part: BodyPart;
  readonly other: SceneBody;
}

interface OpenPairs {
  readonly revision: number;
  readonly pairs: readonly OpenPair[];
}

const tables = new WeakMap<Scene, OpenPairs>();
const NONE: readonly OpenPair[] = [];

function listOpenPairs(scene: Scene): readonly OpenPair[] {
  const known = tables.get(scene);
  if (known?.revision === scene.revision) return known.pairs;
  const bodies: SceneBody[] = [...scene.objects.values()].map(({ body }) => body);
  for (const { links } of scene.robots) for (const { body } of links) bodies.push(body);
  const open = bodies.flatMap((body) =>
    body.parts.filter(({ collider }) => hasOpenMesh(collider)).map((part) => ({ body, part })),
  );
  const pairs =
    open.length === 0
      ? NONE
      : open.flatMap(({ body, part }) =>
          bodies
            .filter((other) => other !== body && !isAllowedPair(scene, body, other))
            .map((other) => ({ body, part, other })),
        );
  tables.set(scene, { revision: scene.revision, pairs });
  return pairs;
}

function doBoxesOverlap(a: Float64Array, b: Float64Array): boolean {
  for (let k = 0; k < 3; k++) if (a[k] > b[k + 3] || b[k] > a[k + 3]) return false;
  return true;
}

const isFreeObject = ({ object }: SceneBody): boolean => object !== null && !object.attachment;

/** Bodies are as `updateScene` placed them. */
function collectEnclosed(scene: Scene, pairs: readonly OpenPair[], objectPairs: boolean): EnclosedBody[] {
  const found: EnclosedBody[] = [];
  const seen = new Set<string>();
  for (const { body, part, other } of pairs) {
    if (!doBoxesOverlap(part.box, other.box)) continue;
    if (!objectPairs && isFreeObject(body) && isFreeObject(other)) continue;
    const key = `${body.id} ${other.id}`;
    if (seen.has(key)) continue;
    for (const inner of other.parts) {
      if (!doBoxesOverlap(part.box, inner.box)) continue;
      const boundaryEdges = findEnclosure(part.collider, part.worldPlacement, inner.collider, inner.worldPlacement);
      if (boundaryEdges === null) continue;
      seen.add(key);
      const [mesh, name] = [bodyName(scene, body), bodyName(scene, other)];
      found.push({ mesh, body: name, boundaryEdges, message: describeEnclosure(boundaryEdges, name) });
      break;
    }
  }
  return found;
}

/**
 * As the scene stands now; each pair of bodies once. `objectPairs`: free objects in each other too; default as in checks: only in a
 * scene without robots.
 */
export function findEnclosedBodies(scene: Scene, objectPairs?: boolean): EnclosedBody[] {
  requireOpen(scene, 'findEnclosedBodies');
  if (objectPairs !== undefined) requireFlag('findEnclosedBodies', 'objectPairs', objectPairs);
  const pairs = listOpenPairs(scene);
  if (pairs.length === 0) return [];
  updateScene(scene);
  return collectEnclosed(scene, pairs, objectPairs ?? scene.robots.length === 0);
}

const describe = ({ mesh, message }: EnclosedBody): string =>
  formatAssumption({ kind: 'guessed', element: `"${mesh}"`, message });

/** What an answer about the scene as it stands now rests on: `sceneAssumptions`, and what is inside open meshes. */
export function stateAssumptions(scene: Scene, objectPairs?: boolean): SceneAssumptions {
  const fixed = sceneAssumptions(scene);
  const found = findEnclosedBodies(scene, objectPairs);
  return found.length === 0 ? fixed : { ...fixed, assumed: [...fixed.assumed, ...found.map(describe)] };
}

/** What an answer about many states rests on: each is looked at in its turn. */
export class AssumptionCollector implements SceneAssumptions {
  private readonly found = new Set<string>();

  constructor(private readonly scene: Scene) {}

  /** At the state that the scene is in; the scene is asked for nothing when no mesh is open. */
  look(): void {
    for (const body of findEnclosedBodies(this.scene)) this.found.add(describe(body));
  }

  /** Whether `look` could find anything. */
  get isNeeded(): boolean {
    return listOpenPairs(this.scene).length > 0;
  }

  clear(): void {
    this.found.clear();
  }

  /** What another answer about the same scene rests on. */
  add({ assumed }: SceneAssumptions): void {
    const fixed = sceneAssumptions(this.scene).assumed;
    for (const text of assumed) if (!fixed.includes(text)) this.found.add(text);
  }

  get complete(): boolean {
    return sceneAssumptions(this.scene).complete;
  }

  get assumed(): readonly string[] {
    const { assumed } = sceneAssumptions(this.scene);
    return this.found.size === 0 ? assumed : [...assumed, ...this.found];
  }
}
