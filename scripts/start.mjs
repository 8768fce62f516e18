/** `npm start`: install and build what is missing, then the demonstration. Arguments go to it: `npm start -- --once`. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { steps } from './build-steps.mjs';
import { ensureInstalled, requireVersions, root, runSteps } from './toolchain.mjs';

requireVersions();
ensureInstalled();
runSteps(steps);
// In this process, so that signals reach the demonstration and its exit status is ours.
const main = join(root, 'dist/esm/cli.js');
process.argv = [process.argv[0], main, 'demo', ...process.argv.slice(2)];
await import(pathToFileURL(main).href);
