/**
 * Every pair tested: the oracle of all other broad phases, and the fastest one below some dozen boxes.
 *
 * Boxes lie densely in one array in the order of their ids, holes of removed proxies included.
 * Cost: pairs O(n^2), other queries O(n), update O(1). Open boxes (half-spaces) need no special care.
 * Tested by brute-force.test.ts against hand-computed cases.
 */
import type { NumericArray } from '../math/vec3.js';
import { BOX_STRIDE, containsPoint, overlapBoxes, type PreparedRay, rayHitsBox } from './box.js';
import type { BroadPhase, PairVisitor, ProxyVisitor } from './broad-phase.js';
import { ProxySet } from './proxy-set.js';
import type { Traversal } from './traverse.js';

export class BruteForce extends ProxySet implements BroadPhase {
  constructor() {
    super('BruteForce');
  }

  add(box: NumericArray): number {
    return this.addProxy(box);
  }

  remove(id: number): void {
    this.removeProxy(id);
  }

  protected override accepts(): boolean {
    return true;
  }

  protected firstRadius(): number {
    return Infinity;
  }

  protected refresh(): void {}
  protected place(): void {}
  protected displace(): void {}
  protected shift(): void {}
  protected reserveIndex(): void {}

  protected visitSelf(margin: number, traversal: Traversal, visit: PairVisitor): boolean {
    const { exact, idCount } = this;
    for (let a = 0; a < idCount; a++) {
      if (!this.isIndexed(a)) continue;
      for (let b = a + 1; b < idCount; b++) {
        if (!this.isIndexed(b)) continue;
        traversal.boxTests++;
        if (overlapBoxes(exact, a * BOX_STRIDE, exact, b * BOX_STRIDE, margin) && visit(a, b) === false) return false;
      }
    }
    return true;
  }

  protected visitRegion(box: Float64Array, margin: number, traversal: Traversal, visit: ProxyVisitor): boolean {
    return this.visitEach((o) => overlapBoxes(this.exact, o, box, 0, margin), traversal, visit);
  }

  protected visitAt(x: number, y: number, z: number, traversal: Traversal, visit: ProxyVisitor): boolean {
    return this.visitEach((o) => containsPoint(this.exact, o, x, y, z), traversal, visit);
  }

  protected visitAlong(ray: PreparedRay, traversal: Traversal, visit: ProxyVisitor): boolean {
    return this.visitEach((o) => rayHitsBox(ray, this.exact, o), traversal, visit);
  }

  private visitEach(test: (offset: number) => boolean, traversal: Traversal, visit: ProxyVisitor): boolean {
    for (let id = 0; id < this.idCount; id++) {
      if (!this.isIndexed(id)) continue;
      traversal.boxTests++;
      if (test(id * BOX_STRIDE) && visit(id) === false) return false;
    }
    return true;
  }
}

export function createBruteForce(): BruteForce {
  return new BruteForce();
}
