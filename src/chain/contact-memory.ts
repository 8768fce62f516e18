/**
 * What is known of a chain's self-contacts, and which joints changed since it was known.
 *
 * Two links keep their relative pose as long as no joint between them changes, so contacts found at an earlier state
 * (the reference) still hold inside every piece of the chain that no changed joint cuts, and nothing new can appear there.
 * The paper skips unchanged pieces because the chain was free before; with the contacts remembered, the skip is right for
 * a chain that was not free as well.
 *
 * Method: the changed joints since the reference are a sorted list; a search that looked at every pair cut by one of them
 * makes the present state the new reference. Both lists keep their previous version, so that the last change can be
 * undone with what was known before it.
 * Source: Lotan, Schwarzer, Halperin, Latombe 2002, section 2.3, ACM Symposium on Computational Geometry.
 * Cost: O(changed joints) per change, O(log of that) to ask whether a stretch is cut. Checked by chain.test.ts.
 */
import { LinkPairs } from './link-pairs.js';

export class ContactMemory {
  /** Contacts of the reference state, sorted. */
  known = new LinkPairs();
  changedCount: number;
  /** Joints changed since the reference, ascending, in [0, changedCount). */
  changed: Int32Array;
  private previous: Int32Array = new Int32Array(0);
  private previousCount = 0;
  private saved = new LinkPairs();
  private isRenewed = false;
  private canUndo = false;

  /** Nothing is known at first: every joint counts as changed. */
  constructor(private readonly jointCount: number) {
    this.changed = new Int32Array(jointCount);
    this.changedCount = 0;
    this.changeAll();
  }

  private changeAll(): void {
    if (this.changed.length < this.jointCount) this.changed = new Int32Array(this.jointCount);
    for (let i = 0; i < this.jointCount; i++) this.changed[i] = i;
    this.changedCount = this.jointCount;
    this.isRenewed = false;
  }

  /** Adds `count` ascending joints; from now on `undo` returns to what was known until now. */
  addChanges(joints: Int32Array, count: number): void {
    const most = this.changedCount + count;
    if (this.previous.length < most) this.previous = new Int32Array(2 * most);
    const merged = this.previous;
    let size = 0;
    for (let i = 0, j = 0; i < this.changedCount || j < count; ) {
      const a = i < this.changedCount ? this.changed[i] : Infinity;
      const b = j < count ? joints[j] : Infinity;
      merged[size++] = Math.min(a, b);
      if (a <= b) i++;
      if (b <= a) j++;
    }
    this.previous = this.changed;
    this.previousCount = this.changedCount;
    this.changed = merged;
    this.changedCount = size;
    this.isRenewed = false;
    this.canUndo = true;
  }

  /**
   * Takes the last changes back. Where they were made before this memory existed, what it knows is of the state that is taken
   * back: that stays its reference, and any joint may be another than there.
   */
  undo(): void {
    if (!this.canUndo) {
      this.changeAll();
      return;
    }
    this.canUndo = false;
    [this.changed, this.previous] = [this.previous, this.changed];
    this.changedCount = this.previousCount;
    if (this.isRenewed) [this.known, this.saved] = [this.saved, this.known];
    this.isRenewed = false;
  }

  /** The present state becomes the reference; `contacts` are all of its contacts, sorted. */
  renew(contacts: LinkPairs): void {
    if (!this.isRenewed) [this.known, this.saved] = [this.saved, this.known];
    this.known.copyFrom(contacts);
    this.isRenewed = true;
    this.changedCount = 0;
  }

  /** Whether a joint in [from, to) changed: whether links from and to may have moved against each other. */
  isCut(from: number, to: number): boolean {
    // One changed joint, the usual case, needs no search.
    if (this.changedCount === 1) return this.changed[0] >= from && this.changed[0] < to;
    const at = this.firstChangedFrom(from);
    return at < this.changedCount && this.changed[at] < to;
  }

  /** Index into `changed` of the first joint >= from. */
  firstChangedFrom(from: number): number {
    let low = 0;
    let high = this.changedCount;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.changed[middle] < from) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Rigid pieces: the changed joints cut the chain into changedCount + 1 stretches of links. */
  get pieceCount(): number {
    return this.changedCount + 1;
  }

  /** First link of a piece; of piece number pieceCount, the number of links. */
  pieceStart(piece: number): number {
    if (piece === 0) return 0;
    return piece > this.changedCount ? this.jointCount + 1 : this.changed[piece - 1] + 1;
  }

  longestPiece(): number {
    let longest = 0;
    let most = 0;
    for (let piece = 0; piece < this.pieceCount; piece++) {
      const size = this.pieceStart(piece + 1) - this.pieceStart(piece);
      if (size > most) {
        most = size;
        longest = piece;
      }
    }
    return longest;
  }
}
