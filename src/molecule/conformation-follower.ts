/**
 * Which conformation the sums of an observer (energies, clashes) belong to, so that they follow whatever was applied and
 * taken back before the observer existed, between its updates, or in another order than usual.
 *
 * Every application gives the conformation a new number, and taking it back gives it the former one again. An observer one
 * application behind looks at the torsions that it changed; one further behind looks at everything. `undo` puts an
 * observer's own sums back only where they are those of the conformation that is asked for; where the observer has none, it
 * follows like `update`. Checked by observers.test.ts.
 */
import { MisuseError } from '../math/misuse.js';
import type { ProteinState } from './protein-state.js';

/** What an update has to look at: nothing, what the last application (or its undoing) changed, or everything. */
export type Outdated = 'nothing' | 'changed' | 'all';
/** What taking back means: nothing, the observer's sums of before, or following the conformation. */
export type TakeBack = 'nothing' | 'saved' | 'follow';

const NONE = -1;

export class ConformationFollower {
  private version: number;
  private saved = NONE;

  constructor(
    private readonly name: string,
    private readonly conformation: ProteinState,
  ) {
    this.version = conformation.version;
  }

  /** At the start of an update: from now on the sums are the conformation's, and those of before are what undo puts back. */
  follow(): Outdated {
    const { version, previousVersion } = this.conformation;
    if (version === this.version) return 'nothing';
    const isNext = previousVersion === this.version;
    this.saved = this.version;
    this.version = version;
    return isNext ? 'changed' : 'all';
  }

  /** At the start of an undo, which may come before or after the conformation's. */
  takeBack(): TakeBack {
    const { version, previousVersion, canUndo } = this.conformation;
    const target = canUndo ? previousVersion : version;
    if (target === this.version) return 'nothing';
    if (target === this.saved) {
      this.version = target;
      this.saved = NONE;
      return 'saved';
    }
    return canUndo ? 'nothing' : 'follow';
  }

  /** After following in an undo: there is nothing further to take back. */
  forget(): void {
    this.saved = NONE;
  }

  /** Throws when the sums are another conformation's. */
  requireCurrent(what: string): void {
    if (this.conformation.version === this.version) return;
    throw new MisuseError(
      `${this.name}: ${what}, got asked for after a change that was not followed, expected update() after apply(), undo() after undo()`,
    );
  }
}
