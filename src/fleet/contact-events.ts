/** What became of contacts in a step, written down until it is told. Shapes: phase, smaller and larger id per event. Tested by fleet-world.test.ts. */

export type ContactPhase = 'begin' | 'stay' | 'end';
export const BEGIN = 0;
export const STAY = 1;
export const END = 2;
const PHASES: readonly ContactPhase[] = ['begin', 'stay', 'end'];

export class ContactEvents {
  private rows = new Int32Array(96);
  private count = 0;

  add(phase: number, a: number, b: number): void {
    const o = 3 * this.count++;
    if (o === this.rows.length) {
      const grown = new Int32Array(2 * o);
      grown.set(this.rows);
      this.rows = grown;
    }
    this.rows[o] = phase;
    this.rows[o + 1] = Math.min(a, b);
    this.rows[o + 2] = Math.max(a, b);
  }

  clear(): void {
    this.count = 0;
  }

  /** Takes all events out and calls with each; what is added meanwhile is told the next time. */
  tell(visit: (phase: ContactPhase, a: number, b: number) => void): void {
    const told = this.rows.slice(0, 3 * this.count);
    this.count = 0;
    for (let o = 0; o < told.length; o += 3) visit(PHASES[told[o]], told[o + 1], told[o + 2]);
  }
}
