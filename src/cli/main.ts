#!/usr/bin/env node
/** The command line as a process. Contract: docs/cli.md. */
import { ExitStatus } from './exit.js';
import { runCommandLine } from './program.js';

// A reader that has seen enough (`| head`) is no fault; nothing more can be told to it.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? ExitStatus.done : ExitStatus.unusable);
  });
}

await runCommandLine(process.argv.slice(2));
