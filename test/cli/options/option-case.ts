/**
 * For each option of each command: two command lines that differ by it and must answer differently, one that must be refused
 * by its name, or one that must write a file. Paths are relative to the folder of the fixtures.
 */
export type OptionCase =
  /** `with`: what is added to `base`, the option among it. */
  | { readonly base: readonly string[]; readonly with: readonly string[] }
  | { readonly refused: readonly string[]; readonly why: RegExp }
  /** `other`: a file that it must differ from. */
  | { readonly writes: string; readonly line: readonly string[]; readonly other?: string }
  /** The same answers by contract, with the reason. */
  | { readonly base: readonly string[]; readonly same: readonly string[]; readonly reason: string };

export type CommandCases = Readonly<Record<string, OptionCase>>;

export const differs = (base: readonly string[], ...added: readonly string[]): OptionCase => ({ base, with: added });

/** Options of every command: messages and form. */
export const output = (base: readonly string[], warning: readonly string[] = base): CommandCases => ({
  '--json': differs(
    base.filter((word) => word !== '--json'),
    '--json',
  ),
  '--quiet': differs(warning, '--quiet'),
});

/** A command whose argument or another option leaves some of its options without a meaning: those are refused by name. */
export interface Mode {
  readonly command: string;
  readonly line: readonly string[];
  readonly accepts: CommandCases;
  /** Rows of the command itself that hold here too, or that make it another mode. */
  readonly optional: readonly string[];
}

export const OUTPUT = ['--json', '--quiet'];
