/**
 * Boxes sorted by their lower end along one axis.
 *
 *   order   ids in ascending order of their lower ends
 *   boxes   6 per place, the boxes in that order: a sweep reads memory in sequence
 *   reach   1 per place, the largest upper end so far, so that a binary search finds the first box that can reach a value
 *
 * The axis is the one along which the centres vary most, chosen whenever the list is sorted from scratch. Few moves are
 * sorted in by insertion; when that has shifted more than a few places per box, everything is sorted anew.
 * Source: Ericson 2005, "Real-time collision detection", section 7.5 (sort and sweep, axis of largest variance).
 * Cost: refresh O(n + shifts), O(n log n) from scratch; a sweep O(n + pairs that overlap on the axis).
 * Tested by test/contract/broad-phases.test.ts.
 */
import { BOX_STRIDE, overlapBoxes, type PreparedRay, rayHitsBox } from './box.js';
import type { PairVisitor, ProxyVisitor } from './broad-phase.js';
import type { Traversal } from './traverse.js';

/** Shifts per box after which sorting from scratch is cheaper. */
const SHIFTS_PER_BOX = 16;

export class SortedAxis {
  axis = 0;
  private count = 0;
  private order = new Int32Array(0);
  private boxes = new Float64Array(0);
  private reach = new Float64Array(0);

  /** Lists the boxes of `ids` from scratch. */
  rebuild(ids: Int32Array, exact: Float64Array): void {
    this.count = ids.length;
    if (this.order.length < ids.length) {
      this.order = new Int32Array(ids.length);
      this.boxes = new Float64Array(ids.length * BOX_STRIDE);
      this.reach = new Float64Array(ids.length);
    }
    this.order.set(ids);
    this.sortAll(exact);
  }

  /** The boxes of the same ids have moved. */
  refresh(exact: Float64Array): void {
    if (!this.sortIn(exact)) this.sortAll(exact);
    else this.gather(exact);
  }

  /** Mean distance between lower ends. */
  get spacing(): number {
    const { boxes, axis, count } = this;
    return count < 2 ? 0 : (boxes[(count - 1) * BOX_STRIDE + axis] - boxes[axis]) / count;
  }

  visitSelf(margin: number, traversal: Traversal, visit: PairVisitor): boolean {
    const { boxes, order, count, axis } = this;
    const lower = axis;
    const u = (axis + 1) % 3;
    const v = (axis + 2) % 3;
    const end = count * BOX_STRIDE;
    for (let i = 0; i < end; i += BOX_STRIDE) {
      const limit = boxes[i + 3 + axis] + margin;
      const u0 = boxes[i + u];
      const u1 = boxes[i + 3 + u] + margin;
      const v0 = boxes[i + v];
      const v1 = boxes[i + 3 + v] + margin;
      let j = i + BOX_STRIDE;
      for (; j < end && boxes[j + lower] <= limit; j += BOX_STRIDE) {
        if (boxes[j + u] > u1 || u0 > boxes[j + 3 + u] + margin) continue;
        if (boxes[j + v] > v1 || v0 > boxes[j + 3 + v] + margin) continue;
        // Certain except with a negative margin.
        if (boxes[i + axis] > boxes[j + 3 + axis] + margin) continue;
        const a = order[i / BOX_STRIDE];
        const b = order[j / BOX_STRIDE];
        if ((a < b ? visit(a, b) : visit(b, a)) === false) return false;
      }
      traversal.boxTests += (j - i) / BOX_STRIDE - 1;
    }
    return true;
  }

  visitRegion(box: Float64Array, margin: number, traversal: Traversal, visit: ProxyVisitor): boolean {
    const { boxes, order, count, axis } = this;
    const limit = box[3 + axis] + margin;
    for (let i = this.firstReaching(box[axis], margin); i < count && boxes[i * BOX_STRIDE + axis] <= limit; i++) {
      traversal.boxTests++;
      if (overlapBoxes(boxes, i * BOX_STRIDE, box, 0, margin) && visit(order[i]) === false) return false;
    }
    return true;
  }

  visitRay(ray: PreparedRay, traversal: Traversal, visit: ProxyVisitor): boolean {
    const { boxes, order, count, axis } = this;
    const start = ray.origin[axis];
    const end = ray.inverse[axis] === 0 ? start : start + ray.maxT / ray.inverse[axis];
    const slack = 1e-12 * (Math.abs(start) + Math.abs(end));
    const lower = Math.min(start, end) - (slack < Infinity ? slack : 0);
    const upper = Math.max(start, end) + (slack < Infinity ? slack : 0);
    for (let i = this.firstReaching(lower, 0); i < count && boxes[i * BOX_STRIDE + axis] <= upper; i++) {
      traversal.boxTests++;
      if (rayHitsBox(ray, boxes, i * BOX_STRIDE) && visit(order[i]) === false) return false;
    }
    return true;
  }

  /** First place at which some box so far comes within `margin` of `value` from below. */
  private firstReaching(value: number, margin: number): number {
    const { reach } = this;
    let from = 0;
    let to = this.count;
    while (from < to) {
      const middle = (from + to) >> 1;
      if (value <= reach[middle] + margin) to = middle;
      else from = middle + 1;
    }
    return from;
  }

  private sortAll(exact: Float64Array): void {
    const axis = this.chooseAxis(exact);
    this.axis = axis;
    this.order.subarray(0, this.count).sort((a, b) => {
      const difference = exact[a * BOX_STRIDE + axis] - exact[b * BOX_STRIDE + axis];
      return difference === 0 ? a - b : difference;
    });
    this.gather(exact);
  }

  /** Insertion sort; false when it gave up. */
  private sortIn(exact: Float64Array): boolean {
    const { order, count, axis } = this;
    let shifts = SHIFTS_PER_BOX * count;
    for (let i = 1; i < count; i++) {
      const id = order[i];
      const key = exact[id * BOX_STRIDE + axis];
      let j = i - 1;
      while (j >= 0 && exact[order[j] * BOX_STRIDE + axis] > key) {
        order[j + 1] = order[j];
        j--;
      }
      order[j + 1] = id;
      shifts -= i - 1 - j;
      if (shifts < 0) return false;
    }
    return true;
  }

  private gather(exact: Float64Array): void {
    const { order, boxes, reach, count, axis } = this;
    let largest = -Infinity;
    for (let i = 0; i < count; i++) {
      const o = order[i] * BOX_STRIDE;
      const b = i * BOX_STRIDE;
      for (let k = 0; k < BOX_STRIDE; k++) boxes[b + k] = exact[o + k];
      if (boxes[b + 3 + axis] > largest) largest = boxes[b + 3 + axis];
      reach[i] = largest;
    }
  }

  private chooseAxis(exact: Float64Array): number {
    const { order, count } = this;
    let best = 0;
    let largest = -1;
    for (let k = 0; k < 3; k++) {
      let mean = 0;
      let variance = 0;
      for (let i = 0; i < count; i++) {
        const o = order[i] * BOX_STRIDE + k;
        // Running mean and sum of squared deviations (Welford): no cancellation far from the origin.
        const centre = 0.5 * exact[o] + 0.5 * exact[o + 3];
        const delta = centre - mean;
        mean += delta / (i + 1);
        variance += delta * (centre - mean);
      }
      if (variance > largest) {
        largest = variance;
        best = k;
      }
    }
    return best;
  }
}
