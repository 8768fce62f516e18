/** Shapes that the command line or a line of input gives, and what answers about two of them rest on. */
import type { Transform } from '../math/transform.js';
import { type Collider, createCollider } from '../narrowphase/collider.js';
import { describeEnclosure, findEnclosure } from '../narrowphase/enclosure.js';
import type { Assumption } from '../scene/description.js';
import { type GroundFields, toGroundFields } from './grounds.js';
import type { MeshArguments } from './mesh-arguments.js';
import { warnOnce } from './messages.js';
import { loadShapeDescription, parseShapeArgument, requireShape } from './shape-argument.js';

/** A shape of the command line or of a line of input, with what reading it altered or guessed. */
export interface GivenShape {
  readonly name: string;
  readonly collider: Collider;
  readonly assumed: readonly Assumption[];
}

export async function createGivenShape(value: unknown, name: string, args: MeshArguments): Promise<GivenShape> {
  const assumed: Assumption[] = [];
  const shape =
    typeof value === 'string'
      ? await parseShapeArgument(value, args, assumed)
      : await loadShapeDescription(requireShape(value, name), args, assumed);
  return { name: typeof value === 'string' ? value : name, collider: createCollider(shape), assumed };
}

/** Colliders by the JSON of their shape, so that a batch over few shapes builds each once. */
export function createColliderCache(args: MeshArguments): { get(value: unknown, name: string): Promise<GivenShape> } {
  const known = new Map<string, GivenShape>();
  const CAPACITY = 256;
  return {
    async get(value, name) {
      const key = JSON.stringify(value) ?? '';
      let shape = known.get(key);
      if (!shape) {
        if (known.size >= CAPACITY) {
          const [oldestKey, oldest] = known.entries().next().value!;
          known.delete(oldestKey);
          oldest.collider.dispose();
        }
        shape = await createGivenShape(value, name, args);
        known.set(key, shape);
      }
      return shape;
    },
  };
}

/** Two placed shapes. */
export interface PlacedPair {
  readonly a: GivenShape;
  readonly X_WA: Transform;
  readonly b: GivenShape;
  readonly X_WB: Transform;
}

/** What an answer about two shapes rests on: how their files were read, and whether one is inside an open mesh at any of these places. */
export function pairGrounds(...places: readonly PlacedPair[]): GroundFields {
  const assumed: Assumption[] = [...places[0].a.assumed, ...places[0].b.assumed];
  const look = (outer: GivenShape, X_WO: Transform, inner: GivenShape, X_WI: Transform): void => {
    const edges = findEnclosure(outer.collider, X_WO, inner.collider, X_WI);
    if (edges === null) return;
    const message = describeEnclosure(edges, inner.name);
    warnOnce(`enclosed ${outer.name} ${inner.name}`, `${outer.name}: ${message}`);
    assumed.push({ kind: 'guessed', element: outer.name, message });
  };
  for (const { a, X_WA, b, X_WB } of places) {
    look(a, X_WA, b, X_WB);
    look(b, X_WB, a, X_WA);
  }
  return toGroundFields(assumed);
}
