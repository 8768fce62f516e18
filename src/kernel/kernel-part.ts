/**
 * A module of the kernel: what shares its memory with the other parts and is compiled when it is first asked for. Who imports no part
 * ships none: bundlers leave out the texts that nothing leads to.
 */
export interface KernelPart<Functions> {
  /** Its number among the parts. */
  readonly place: number;
  /** One of its functions, by which a module that joins parts is known to hold it. */
  readonly sample: string;
  /** The module, see packed-module.ts. */
  readonly text: string;
  /** For the compiler alone: what the module exports. */
  readonly functions?: Functions;
}
