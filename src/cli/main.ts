#!/usr/bin/env node
/** The command line as a process. Contract: docs/cli.md. */
import * as module from 'node:module';
import { ExitStatus } from './exit.js';
import { runCommandLine } from './program.js';

// What was compiled stays for the next start, where Node can keep it (22.8).
(module as { enableCompileCache?(): unknown }).enableCompileCache?.();

// A reader that has seen enough (`| head`) is no fault; nothing more can be told to it.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? ExitStatus.done : ExitStatus.unusable);
  });
}

void runCommandLine(process.argv.slice(2));
