/**
 * The rounds of simplification in TypeScript: for any space, and what the kernel's (assembly/planning/simplify.ts) are read and
 * checked by. What they do: simplify.ts.
 */
import type { EditedPath } from './edited-path.js';
import { LATER_REACH, MEMO_VERTICES } from './kernel/layout.js';
import type { StopWatch, WatchedChecks } from './stopping.js';
import type { MotionValidator, StateSpace } from './types.js';

interface Vertex {
  readonly state: Float64Array;
  readonly number: number;
  /** It lies between its neighbours, on a motion that is known to be valid. */
  between: boolean;
}

export class ScriptPath implements EditedPath {
  private vertices: Vertex[] = [];
  private next = 0;
  private rounds = 0;
  private readonly failed = new Set<number>();

  constructor(
    private readonly space: StateSpace,
    path: readonly Float64Array[],
    private readonly grow: MotionValidator,
    private readonly last: MotionValidator | null,
    private readonly counted: WatchedChecks,
    private readonly watch: StopWatch,
  ) {
    this.restart(path);
  }

  get checks(): number {
    return this.counted.count;
  }

  restart(path: readonly Float64Array[]): void {
    this.next = 0;
    this.rounds = 0;
    this.failed.clear();
    this.vertices = path.map((state) => this.number(state.slice(), false));
  }

  round(leastChange: number, isFine: boolean): boolean {
    const motion = (isFine && this.last) || this.grow;
    const skipped = this.skip(motion);
    const pulled = this.pull(leastChange, motion);
    this.rounds++;
    return skipped || pulled;
  }

  measure(): number {
    const { space, vertices } = this;
    let length = 0;
    for (let i = 1; i < vertices.length; i++) length += space.distance(vertices[i - 1].state, vertices[i].state);
    return length;
  }

  get isChecked(): boolean {
    return this.last !== null;
  }

  isValid(): boolean {
    const { vertices, last } = this;
    for (let i = 1; i < vertices.length; i++)
      if (!last?.isMotionValid(vertices[i - 1].state, vertices[i].state)) return false;
    return true;
  }

  read(): Float64Array[] {
    const { vertices } = this;
    for (let i = vertices.length - 2; i > 0; i--) if (vertices[i].between) vertices.splice(i, 1);
    return vertices.map(({ state }) => state.slice());
  }

  dispose(): void {}

  private number(state: Float64Array, between: boolean): Vertex {
    return { state, number: this.next++, between };
  }

  /** From each vertex straight to the farthest later one that can be reached. */
  private skip(motion: MotionValidator): boolean {
    const { vertices } = this;
    const reach = this.rounds === 0 ? Infinity : LATER_REACH;
    let changed = false;
    for (let i = 0; i < vertices.length - 2; i++) {
      for (let j = Math.min(vertices.length - 1, i + reach); j > i + 1; j--) {
        if (this.watch.wasOver) return changed;
        if (!this.canSkip(i, j, motion)) continue;
        if (j !== i + 2 || !vertices[i + 1].between) {
          changed = true;
          // Its neighbours changed: what lay between them may no longer.
          vertices[i].between = false;
          vertices[j].between = false;
        }
        vertices.splice(i + 1, j - i - 1);
        break;
      }
    }
    return changed;
  }

  private canSkip(i: number, j: number, motion: MotionValidator): boolean {
    const { vertices, failed } = this;
    if (j === i + 2 && vertices[i + 1].between) return true;
    const a = vertices[i].number;
    const b = vertices[j].number;
    const isKept = a < MEMO_VERTICES && b < MEMO_VERTICES;
    if (isKept && failed.has(a * MEMO_VERTICES + b)) return false;
    if (motion.isMotionValid(vertices[i].state, vertices[j].state)) return true;
    if (isKept && !this.watch.wasOver) failed.add(a * MEMO_VERTICES + b);
    return false;
  }

  /** Halves every motion; cuts the old corners off, or pulls them inwards. */
  private pull(leastChange: number, motion: MotionValidator): boolean {
    const { space } = this;
    if (this.vertices.length < 3) return false;
    const middle = (a: Float64Array, b: Float64Array): Float64Array =>
      space.interpolate(new Float64Array(space.dimension), a, b, 0.5);
    const old = this.vertices;
    const vertices: Vertex[] = [];
    old.forEach((vertex, i) => {
      if (i > 0) vertices.push(this.number(middle(old[i - 1].state, vertex.state), true));
      vertices.push(vertex);
    });
    this.vertices = vertices;
    let changed = false;
    for (let i = 2; i < vertices.length - 1; i += 2) {
      if (this.watch.wasOver) return changed;
      const { state } = vertices[i];
      const before = vertices[i - 1];
      const previous = before.state;
      const following = vertices[i + 1].state;
      const pulled = middle(middle(state, previous), middle(state, following));
      if (!(space.distance(state, pulled) > leastChange)) continue;
      if (motion.isMotionValid(previous, following)) {
        vertices.splice(i, 1);
        vertices[i].between = false;
        i--;
      } else {
        if (!motion.isMotionValid(previous, pulled) || !motion.isMotionValid(pulled, following)) continue;
        vertices[i] = this.number(pulled, false);
        vertices[i + 1].between = false;
      }
      before.between = false;
      changed = true;
    }
    return changed;
  }
}
