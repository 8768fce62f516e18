/** Torsions before each change that can be undone, and before the one that is going on. */

const MOST = 100;

export class TurnHistory {
  private past: Float64Array[] = [];
  /** Taken back, and to be done again. */
  private future: Float64Array[] = [];
  /** A change by slider or drag that is going on: how things stood before. */
  private before: Float64Array | null = null;

  get canUndo(): boolean {
    return this.past.length > 0;
  }

  get canRedo(): boolean {
    return this.future.length > 0;
  }

  clear(): void {
    this.past = [];
    this.future = [];
    this.before = null;
  }

  /** The first call of a change notes how things stand. */
  begin(torsions: Float64Array): void {
    this.before ??= torsions.slice();
  }

  /** Ends a change; one that changed nothing leaves no trace. */
  end(torsions: Float64Array): void {
    const { before } = this;
    this.before = null;
    if (before?.some((value, i) => value !== torsions[i])) this.push(before);
  }

  /** How things stood before the change that is going on, which is forgotten. */
  takeBack(): Float64Array | null {
    const { before } = this;
    this.before = null;
    return before;
  }

  push(torsions: Float64Array): void {
    this.past.push(torsions);
    this.future = [];
    if (this.past.length > MOST) this.past.shift();
  }

  /** How things stood before the last change; `now` is what can be done again. */
  undo(now: Float64Array): Float64Array | undefined {
    const last = this.past.pop();
    if (last) this.future.push(now.slice());
    return last;
  }

  redo(now: Float64Array): Float64Array | undefined {
    const next = this.future.pop();
    if (next) this.past.push(now.slice());
    return next;
  }
}
