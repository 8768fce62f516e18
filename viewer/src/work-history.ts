/** What the user did to a content, step by step, so that it can be taken back and done again. The view is no step. */
import type { Work } from './work.js';

const MOST = 200;

export class WorkHistory {
  private steps: Work[] = [];
  private keys: string[] = [];
  private at = -1;

  get canUndo(): boolean {
    return this.at > 0;
  }

  get canRedo(): boolean {
    return this.at < this.steps.length - 1;
  }

  /** Another content, as it stands. */
  begin(work: Work | null): void {
    this.steps = [];
    this.keys = [];
    this.at = -1;
    if (work) this.note(work);
  }

  /** How things stand; a step if that differs from before. What was taken back is forgotten then. */
  note(work: Work): void {
    const key = keyOf(work);
    if (key === this.keys[this.at]) return;
    this.at++;
    this.steps.length = this.keys.length = this.at;
    this.steps.push(work);
    this.keys.push(key);
    if (this.steps.length <= MOST) return;
    this.steps.shift();
    this.keys.shift();
    this.at--;
  }

  undo(): Work | null {
    return this.canUndo ? this.steps[--this.at] : null;
  }

  redo(): Work | null {
    return this.canRedo ? this.steps[++this.at] : null;
  }
}

function keyOf({ view: _, ...work }: Work): string {
  return JSON.stringify(work);
}
