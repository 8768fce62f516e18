/**
 * Bodies inside a mesh that counts as a surface because it is open: were it closed they would be in collision, so the verdict
 * rests on holes that may be faults of the file. Answers over a scene say so among what they assume.
 *
 * Method: such meshes are listed once per edit of the scene; bodies whose boxes overlap theirs are looked at with a point of the inner
 * one (narrowphase/enclosure.ts). Those are found among the bodies that move one by one, among free objects by their tree.
 * Cost: nothing without such meshes, else per mesh a comparison of boxes for each body that moves and O(log n) for free objects. Tested by enclosed.test.ts.
 */
import { requireFlag } from '../../math/arguments.js';
import { describeEnclosure, findEnclosure, hasOpenMesh } from '../../narrowphase/enclosure.js';
import { formatAssumption, type SceneAssumptions, sceneAssumptions } from '../assumptions.js';
import type { BodyPart } from '../bodies.js';
import { bodyName } from '../body-names.js';
import { requireOpen } from '../scene-door.js';
import type { Scene, SceneBody } from '../types.js';
import { updateScene } from '../update.js';
import { mayTouch, movingBodies } from './pair-rules.js';

export interface EnclosedBody {
  /** The body with the open mesh, and the one inside it. */
  readonly mesh: string;
  readonly body: string;
  readonly boundaryEdges: number;
  /** One sentence for people. */
  readonly message: string;
}

/** What may enclose others, and all that may be enclosed, in the order of answers. */
interface OpenParts {
  readonly revision: number;
  readonly parts: readonly { readonly body: SceneBody; readonly part: BodyPart }[];
  readonly moving: readonly SceneBody[];
  readonly places: ReadonlyMap<SceneBody, number>;
}

const tables = new WeakMap<Scene, OpenParts>();

function findOpenParts(scene: Scene): OpenParts {
  const known = tables.get(scene);
  if (known?.revision === scene.revision) return known;
  const parts: OpenParts['parts'][number][] = [];
  const look = (body: SceneBody): void => {
    for (const part of body.parts) if (hasOpenMesh(part.collider)) parts.push({ body, part });
  };
  for (const { body } of scene.objects.values()) look(body);
  for (const { links } of scene.robots) for (const { body } of links) look(body);
  const places = new Map<SceneBody, number>();
  if (parts.length > 0) {
    for (const { body } of scene.objects.values()) places.set(body, places.size);
    for (const { links } of scene.robots) for (const { body } of links) places.set(body, places.size);
  }
  const moving = parts.length > 0 ? movingBodies(scene) : [];
  const open = { revision: scene.revision, parts, moving, places };
  tables.set(scene, open);
  return open;
}

/** Whose boxes meet the part's, in order. */
function listInside(scene: Scene, { moving, places }: OpenParts, { box }: BodyPart): SceneBody[] {
  const inside = moving.filter((other) => doBoxesOverlap(box, other.box));
  scene.objectTree.queryBox(box, (id) => {
    inside.push(scene.bodyOfProxy[id]!);
  });
  return inside.sort((a, b) => places.get(a)! - places.get(b)!);
}

function doBoxesOverlap(a: Float64Array, b: Float64Array): boolean {
  for (let k = 0; k < 3; k++) if (a[k] > b[k + 3] || b[k] > a[k + 3]) return false;
  return true;
}

const isFreeObject = ({ object }: SceneBody): boolean => object !== null && !object.attachment;

/** Bodies are as `updateScene` placed them. */
function collectEnclosed(scene: Scene, open: OpenParts, objectPairs: boolean): EnclosedBody[] {
  const found: EnclosedBody[] = [];
  const seen = new Set<string>();
  for (const { body, part } of open.parts) {
    for (const other of listInside(scene, open, part)) {
      if (other === body || (!objectPairs && isFreeObject(body) && isFreeObject(other))) continue;
      const key = `${body.id} ${other.id}`;
      if (seen.has(key) || mayTouch(scene, body, other)) continue;
      const boundaryEdges = findPartInside(part, other);
      if (boundaryEdges === null) continue;
      seen.add(key);
      const [mesh, name] = [bodyName(scene, body), bodyName(scene, other)];
      found.push({ mesh, body: name, boundaryEdges, message: describeEnclosure(boundaryEdges, name) });
    }
  }
  return found;
}

/** Boundary edges of the mesh around one of the body's parts, null where none is inside. */
function findPartInside({ box, collider, worldPlacement }: BodyPart, other: SceneBody): number | null {
  for (const inner of other.parts) {
    if (!doBoxesOverlap(box, inner.box)) continue;
    const boundaryEdges = findEnclosure(collider, worldPlacement, inner.collider, inner.worldPlacement);
    if (boundaryEdges !== null) return boundaryEdges;
  }
  return null;
}

/**
 * As the scene stands now; each pair of bodies once. `objectPairs`: free objects in each other too; default as in checks: only in a
 * scene without robots.
 */
export function findEnclosedBodies(scene: Scene, objectPairs?: boolean): EnclosedBody[] {
  requireOpen(scene, 'findEnclosedBodies');
  if (objectPairs !== undefined) requireFlag('findEnclosedBodies', 'objectPairs', objectPairs);
  const open = findOpenParts(scene);
  if (open.parts.length === 0) return [];
  updateScene(scene);
  return collectEnclosed(scene, open, objectPairs ?? scene.robots.length === 0);
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
    return findOpenParts(this.scene).parts.length > 0;
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
