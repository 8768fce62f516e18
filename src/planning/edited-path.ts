/** Paths while they are simplified: in TypeScript (script-path.ts) and in the kernel (kernel/kernel-path.ts). */

/** A path that is being changed; `isFine` asks the finer check. */
export interface EditedPath {
  /** One round; whether it changed the path. */
  round(leastChange: number, isFine: boolean): boolean;
  /** Its length. */
  measure(): number;
  /** Begins again with this path and without what is remembered of failures. */
  restart(path: readonly Float64Array[]): void;
  /** Whether there is a last check. */
  readonly isChecked: boolean;
  /** Whether every motion passes it. */
  isValid(): boolean;
  /** Without what lies between its neighbours. */
  read(): Float64Array[];
  readonly checks: number;
  dispose(): void;
}
