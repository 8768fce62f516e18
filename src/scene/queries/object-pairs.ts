/**
 * Pairs with free objects, from the tree that a context keeps over them: each moving body against it, and the objects against each
 * other. Cost: O(log n) per moving body, O((k + n) log n) for objects among themselves; no allocation.
 */
import { boxesOverlap } from '../bodies.js';
import type { Scene, SceneBody } from '../types.js';
import { marginOfPair, mayTouch, orderById } from './pair-rules.js';
import type { NearVisitor, PairSource, PairVisitor } from './pair-source.js';

const reachBox = new Float64Array(6);

function inflate(box: Float64Array, reach: number): Float64Array {
  for (let i = 0; i < 3; i++) {
    reachBox[i] = box[i] - reach;
    reachBox[i + 3] = box[i + 3] + reach;
  }
  return reachBox;
}

/** Moving bodies against free objects. */
export class ObjectsNearby implements PairSource {
  readonly showsAllowed = true;

  constructor(
    private readonly scene: Scene,
    private readonly moving: readonly SceneBody[],
  ) {}

  get isEmpty(): boolean {
    return this.scene.objectTree.size === 0;
  }

  visit(margin: number, reach: number, visit: PairVisitor): boolean {
    const { scene, moving } = this;
    const { objectTree, bodyOfProxy } = scene;
    let going = true;
    let current: SceneBody;
    const filter = scene.allowed.size > 0;
    const onProxy = (id: number): boolean => {
      const other = bodyOfProxy[id]!;
      const bound = marginOfPair(scene, current, other) + margin;
      if (boxesOverlap(current.box, other.box, bound) && !(filter && mayTouch(scene, current, other)))
        going = visit(current, other, bound);
      return going;
    };
    for (const body of moving) {
      current = body;
      objectTree.queryBox(inflate(body.box, reach), onProxy);
      if (!going) return false;
    }
    return true;
  }

  visitNear(_reach: number, radius: number, visit: NearVisitor): number {
    const { objectTree, bodyOfProxy } = this.scene;
    let limit = radius;
    let current: SceneBody;
    const onProxy = (id: number, gap: number): number => {
      limit = visit(current, bodyOfProxy[id]!, gap);
      return limit;
    };
    for (const body of this.moving) {
      current = body;
      objectTree.nearBox(body.box, limit, onProxy);
    }
    return limit;
  }
}

/** Free objects against each other. */
export class ObjectPairs implements PairSource {
  readonly showsAllowed = true;

  constructor(private readonly scene: Scene) {}

  get isEmpty(): boolean {
    return this.scene.objectTree.size < 2;
  }

  visit(margin: number, reach: number, visit: PairVisitor): boolean {
    const { scene } = this;
    const { objectTree, bodyOfProxy } = scene;
    let going = true;
    objectTree.pairs((i, j) => {
      // By body, not by proxy: proxy ids depend on what was added and removed before.
      const [a, b] = orderById(bodyOfProxy[i]!, bodyOfProxy[j]!);
      const bound = marginOfPair(scene, a, b) + margin;
      if (boxesOverlap(a.box, b.box, bound) && !mayTouch(scene, a, b)) going = visit(a, b, bound);
      return going;
    }, reach);
    return going;
  }

  visitNear(_reach: number, radius: number, visit: NearVisitor): number {
    const { objectTree, bodyOfProxy } = this.scene;
    let limit = radius;
    objectTree.nearPairs(radius, (i, j, gap) => {
      const a = bodyOfProxy[i]!;
      const b = bodyOfProxy[j]!;
      limit = a.id < b.id ? visit(a, b, gap) : visit(b, a, gap);
      return limit;
    });
    return limit;
  }
}
