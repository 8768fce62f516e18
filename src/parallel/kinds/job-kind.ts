/**
 * What a kind of job has to say of itself; the rest (workers, cancelling, checkpoints, queues) is the same for all.
 *
 * A job is cut into tasks that do not depend on each other, are plain data, and are answered anywhere: in this thread, in a
 * worker, on another machine. Here a plan gives tasks out and takes results in, in any order; there a performer answers them
 * from what it was prepared with. How large tasks are, who answers them and in which order may not show in the output: not
 * in one bit. A new kind is one file beside this one and a line in registry.ts.
 */

/** `Input` is plain data, as are `Task` and `Result`. */
export interface JobKind<Input = unknown, Shared = unknown, Task = unknown, Result = unknown, Output = unknown> {
  readonly name: string;
  /** Goes up when the same input gives other bits than before, or a state has another form: old checkpoints are refused. */
  readonly version: number;
  /** Throws MisuseError on what is no input of this kind; it may come from anywhere. */
  requireInput(call: string, what: string, input: unknown): void;
  /** What tasks are answered from, sent to a worker once: the same object for the same input. */
  share(input: Input): Shared;
  prepare(shared: Shared): JobPerformer<Task, Result>;
  /** From the start, or from what `save` gave; throws MisuseError for what is no state of this job. */
  plan(input: Input, seed: number, state: unknown): JobPlan<Task, Result, Output>;
}

export interface JobPerformer<Task = unknown, Result = unknown> {
  /** May keep what it made for a task before, if that changes no bit. An error with an `index` tells which part of the task failed. */
  perform(task: Task): Result;
  dispose(): void;
}

/** Where a job stands. */
export interface JobPlan<Task = unknown, Result = unknown, Output = unknown> {
  /** Units of work, of about the same size each; what one is, the kind says. */
  readonly total: number;
  /** Of them, those whose results were taken in. */
  readonly done: number;
  /** How many tasks could be taken now, at most: 0 when all that is left is under way, or nothing is left. */
  readonly width: number;
  /**
   * The next task of at most so many units, 1 or more; null while all that is left waits for results, or nothing is left.
   * `seat` names who will do it: a plan may prefer to give it what it knows.
   */
  take(units: number, seat: number): Task | null;
  unitsOf(task: Task): number;
  /** Each task that was taken once, in any order. */
  merge(task: Task, result: Result): void;
  /** Plain data; tasks that are under way are left out. A copy. */
  save(): unknown;
  /** When all is done. */
  output(): Output;
  /** What its answerer did, for messages: `answered queries 5 and following`. */
  describe(task: Task): string;
  /** Name and number of part `index` of a task, for messages: `query 7`, 7. */
  nameOf(task: Task, index: number): { readonly name: string; readonly index: number };
}
