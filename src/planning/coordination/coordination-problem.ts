/** What coordination is asked and answers; see schedule-paths.ts. */
export interface CoordinationProblem {
  /** Intervals of each path. */
  readonly counts: readonly number[];
  /** Whether i within its element a and j within its element b never meet. The same is asked again and again. */
  isFree(i: number, a: number, j: number, b: number): boolean;
}

export interface Schedule {
  readonly ticks: number;
  /** Of each robot the place at the beginning of every tick, and at the end: ticks + 1 numbers. */
  readonly places: readonly Int32Array[];
  /** The order that gave it, null for the joint search. */
  readonly order: readonly number[] | null;
}
