/** `clearance bench`: the bench suites of a source checkout. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { ExitStatus, UsageError } from '../exit.js';
import { refuseOptions } from '../given-options.js';

export function benchCommand(): Command {
  return new Command('bench')
    .description('run the bench suites against installable peers (needs a source checkout)')
    .argument('[suite]', 'one suite; default: all')
    .action((suite: string | undefined, args: { readonly json?: boolean }, command: Command) => {
      refuseOptions(command, ['quiet'], 'means nothing here, the suites write no messages of their own');
      const runner = fileURLToPath(new URL('../../../../scripts/bench.mjs', import.meta.url));
      if (!existsSync(runner))
        throw new UsageError(
          'bench: the installed package has no bench suites; clone the source and run `npm run bench`',
        );
      const words = [runner, ...(suite === undefined ? [] : [suite]), ...(args.json ? ['--json'] : [])];
      const { status } = spawnSync(process.execPath, words, { stdio: 'inherit' });
      process.exitCode = status ?? ExitStatus.unusable;
    });
}
