/**
 * Positions of a moving protein's atoms in the frame of link 0, brought up to date from the first link that a change
 * moves. Poses are products along the row of links, always from the same factors in the same order, so positions depend
 * on the torsions alone. Cost: linear in the links and atoms behind the first change.
 */
import { createTransform, multiplyTransformAt, type Transform } from '../../math/transform.js';
import type { ProteinState } from '../protein-state.js';

export class AtomPositions {
  /** 3 per row of `protein.atoms`. */
  readonly values: Float64Array;
  /** First row that the last update moved. */
  firstRow = 0;
  private readonly poses: Float64Array;
  private readonly saved: Float64Array;
  private readonly savedPoses: Float64Array;
  private readonly joint: Transform = createTransform();

  constructor(private readonly conformation: ProteinState) {
    const { protein } = conformation;
    this.values = new Float64Array(protein.positions.length);
    this.saved = new Float64Array(protein.positions.length);
    this.poses = new Float64Array(12 * protein.linkCount);
    this.savedPoses = new Float64Array(12 * protein.linkCount);
    this.poses[0] = this.poses[4] = this.poses[8] = 1;
    this.place(0);
  }

  /** Follows the conformation's last application; `undo` takes it back. */
  update(): void {
    const { protein, changed, changedCount } = this.conformation;
    let first = protein.linkCount;
    for (let i = 0; i < changedCount; i++) first = Math.min(first, protein.torsions[changed[i]].link);
    this.firstRow = protein.atomStarts[first];
    this.saved.set(this.values.subarray(3 * this.firstRow), 3 * this.firstRow);
    this.savedPoses.set(this.poses.subarray(12 * first), 12 * first);
    this.place(first);
  }

  undo(): void {
    const { protein } = this.conformation;
    const first = this.firstRow < protein.atoms.length ? protein.linkOf[protein.atoms[this.firstRow]] : 0;
    this.values.set(this.saved.subarray(3 * this.firstRow), 3 * this.firstRow);
    this.poses.set(this.savedPoses.subarray(12 * first), 12 * first);
  }

  private place(first: number): void {
    const { values, poses, joint } = this;
    const { protein, state } = this.conformation;
    const { positions, atomStarts } = protein;
    for (let link = first; link < protein.linkCount; link++) {
      const X = 12 * link;
      if (link > 0) {
        state.jointTransform(joint, link - 1);
        multiplyTransformAt(poses, X, poses, X - 12, joint, 0);
      }
      const end = 3 * atomStarts[link + 1];
      for (let at = 3 * atomStarts[link]; at < end; at += 3) {
        const x = positions[at];
        const y = positions[at + 1];
        const z = positions[at + 2];
        values[at] = poses[X] * x + poses[X + 1] * y + poses[X + 2] * z + poses[X + 9];
        values[at + 1] = poses[X + 3] * x + poses[X + 4] * y + poses[X + 5] * z + poses[X + 10];
        values[at + 2] = poses[X + 6] * x + poses[X + 7] * y + poses[X + 8] * z + poses[X + 11];
      }
    }
  }
}
