/**
 * Pairs of moving bodies from a dynamic tree over all of them: what many robots need. Allowed pairs and margins are looked up as pairs
 * come up. Cost: O((k + n) log n); no allocation between edits of the scene.
 */
import type { BroadPhase } from '../../broadphase/broad-phase.js';
import { createDynamicTree } from '../../broadphase/dynamic-tree.js';
import type { Scene, SceneBody, SceneRobot } from '../types.js';
import { marginOfPair, mayTouch } from './pair-rules.js';
import type { MovingPairs, NearVisitor, PairVisitor } from './pair-source.js';

export class PairTree implements MovingPairs {
  readonly isEmpty = false;
  readonly showsAllowed = true;
  private readonly tree: BroadPhase = createDynamicTree();

  /** `elsewhere`: robots whose own pairs another source finds. */
  constructor(
    private readonly scene: Scene,
    private readonly moving: readonly SceneBody[],
    private readonly elsewhere: ReadonlySet<SceneRobot>,
  ) {
    // Added in order to an empty tree: ids are places in `moving`.
    for (const body of moving) this.tree.add(body.box);
  }

  visit(margin: number, reach: number, visit: PairVisitor): boolean {
    const { scene, moving, tree } = this;
    this.follow();
    let going = true;
    tree.pairs((i, j) => {
      const a = moving[i];
      const b = moving[j];
      if (this.isElsewhere(a, b)) return true;
      if (!mayTouch(scene, a, b)) going = visit(a, b, marginOfPair(scene, a, b) + margin);
      return going;
    }, reach);
    return going;
  }

  visitNear(_reach: number, radius: number, visit: NearVisitor): number {
    const { moving, tree } = this;
    this.follow();
    let limit = radius;
    tree.nearPairs(radius, (i, j, gap) => {
      if (!this.isElsewhere(moving[i], moving[j])) limit = visit(moving[i], moving[j], gap);
      return limit;
    });
    return limit;
  }

  private follow(): void {
    const { moving, tree } = this;
    for (let i = 0; i < moving.length; i++) tree.update(i, moving[i].box);
  }

  private isElsewhere(a: SceneBody, b: SceneBody): boolean {
    return a.robot !== null && a.robot === b.robot && this.elsewhere.has(a.robot);
  }

  count(): { checked: number; allowed: number } {
    const { scene, moving } = this;
    let allowed = 0;
    for (let i = 0; i < moving.length; i++) {
      for (let j = i + 1; j < moving.length; j++) if (mayTouch(scene, moving[i], moving[j])) allowed++;
    }
    return { checked: (moving.length * (moving.length - 1)) / 2 - allowed, allowed };
  }
}
