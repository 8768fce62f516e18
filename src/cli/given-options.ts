/** Options that were given but mean nothing where they were: refused by name, since an ignored one looks obeyed. */
import type { Command } from 'commander';
import { UsageError } from './exit.js';

function wasGiven(command: Command, attribute: string): boolean {
  return command.getOptionValueSource(attribute) === 'cli';
}

/** Throws on the first of `names` (attribute names, as the arguments have them) that was given; `why` follows its flag. */
export function refuseOptions(command: Command, names: readonly string[], why: string): void {
  for (const option of command.options) {
    const attribute = option.attributeName();
    // `--x` and `--no-x` set one attribute.
    if (option.negate !== (command.getOptionValue(attribute) === false)) continue;
    if (names.includes(attribute) && wasGiven(command, attribute)) throw new UsageError(`${option.long}: ${why}`);
  }
}

/** Throws on the first given option that is none of `names`, nor of those that every command has. */
export function acceptOptions(command: Command, names: readonly string[], why: string): void {
  const others = command.options.map((option) => option.attributeName());
  refuseOptions(
    command,
    others.filter((name) => !names.includes(name) && name !== 'json' && name !== 'quiet'),
    why,
  );
}
