/**
 * Every pair tested: the oracle of all other broad phases, and the fastest one below some dozen boxes.
 *
 * Boxes lie densely in one array in the order of their ids, holes of removed proxies included.
 * Cost: pairs O(n^2), other queries O(n), update O(1). Open boxes (half-spaces) need no special care.
 * Tested by brute-force.test.ts against hand-computed cases.
 */
import type { NumericArray } from '../math/vec3.js';
import {
  BOX_STRIDE,
  containsPoint,
  copyBox,
  overlapBoxes,
  prepareRay,
  rayHitsBox,
  requireBox,
  requireMargin,
  squaredGapOfBoxes,
} from './box.js';
import type { BroadPhase, NearPairQuery, NearPairVisitor, PairVisitor, ProxyVisitor } from './broad-phase.js';

export class BruteForce implements BroadPhase, NearPairQuery {
  boxTests = 0;
  private boxes = new Float64Array(16 * BOX_STRIDE);
  private present = new Uint8Array(16);
  private idCount = 0;
  private freeIds: number[] = [];

  get size(): number {
    return this.idCount - this.freeIds.length;
  }

  resetCounts(): void {
    this.boxTests = 0;
  }

  add(box: NumericArray): number {
    requireBox('BruteForce.add', box);
    const id = this.freeIds.pop() ?? this.idCount++;
    if (id >= this.present.length) {
      const boxes = new Float64Array(2 * this.boxes.length);
      boxes.set(this.boxes);
      this.boxes = boxes;
      const present = new Uint8Array(2 * this.present.length);
      present.set(this.present);
      this.present = present;
    }
    this.present[id] = 1;
    copyBox(this.boxes, id * BOX_STRIDE, box);
    return id;
  }

  remove(id: number): void {
    this.requireProxy('remove', id);
    this.present[id] = 0;
    this.freeIds.push(id);
  }

  update(id: number, box: NumericArray): void {
    this.requireProxy('update', id);
    requireBox('BruteForce.update', box);
    copyBox(this.boxes, id * BOX_STRIDE, box);
  }

  pairs(visit: PairVisitor, margin = 0): void {
    requireMargin('BruteForce.pairs', margin);
    const { boxes, present, idCount } = this;
    for (let a = 0; a < idCount; a++) {
      if (present[a] === 0) continue;
      for (let b = a + 1; b < idCount; b++) {
        if (present[b] === 0) continue;
        this.boxTests++;
        if (overlapBoxes(boxes, a * BOX_STRIDE, boxes, b * BOX_STRIDE, margin) && visit(a, b) === false) return;
      }
    }
  }

  nearPairs(radius: number, visit: NearPairVisitor): void {
    requireMargin('BruteForce.nearPairs', radius);
    const { boxes, present, idCount } = this;
    for (let a = 0; a < idCount && radius >= 0; a++) {
      if (present[a] === 0) continue;
      for (let b = a + 1; b < idCount; b++) {
        if (present[b] === 0) continue;
        this.boxTests++;
        const squaredGap = squaredGapOfBoxes(boxes, a * BOX_STRIDE, boxes, b * BOX_STRIDE);
        if (squaredGap > radius * radius) continue;
        const next = visit(a, b, Math.sqrt(squaredGap));
        if (next !== undefined) radius = next as number;
        if (radius < 0) return;
      }
    }
  }

  queryBox(box: NumericArray, visit: ProxyVisitor): void {
    requireBox('BruteForce.queryBox', box);
    const region = Float64Array.from(box);
    this.visitAll((o) => overlapBoxes(this.boxes, o, region, 0, 0), visit);
  }

  queryPoint(point: NumericArray, visit: ProxyVisitor): void {
    if (point.length !== 3 || Number.isNaN(point[0] + point[1] + point[2]))
      throw new RangeError(`BruteForce.queryPoint: point, got [${Array.from(point).join(', ')}], expected 3 numbers`);
    this.visitAll((o) => containsPoint(this.boxes, o, point[0], point[1], point[2]), visit);
  }

  castRay(origin: NumericArray, direction: NumericArray, maxT: number, visit: ProxyVisitor): void {
    const ray = prepareRay('BruteForce.castRay', origin, direction, maxT);
    this.visitAll((o) => rayHitsBox(ray, this.boxes, o), visit);
  }

  private visitAll(test: (offset: number) => boolean, visit: ProxyVisitor): void {
    for (let id = 0; id < this.idCount; id++) {
      if (this.present[id] === 0) continue;
      this.boxTests++;
      if (test(id * BOX_STRIDE) && visit(id) === false) return;
    }
  }

  private requireProxy(operation: string, id: number): void {
    if (id >= 0 && id < this.idCount && this.present[id] === 1) return;
    throw new RangeError(`BruteForce.${operation}: id, got ${id}, expected the id of a proxy that is present`);
  }
}

export function createBruteForce(): BruteForce {
  return new BruteForce();
}
