/** `npm start`: install and build what is missing, then the demonstration. Arguments go to it: `npm start -- --once`. */
import { steps } from './build-steps.mjs';
import { ensureInstalled, requireVersions, run, runSteps } from './toolchain.mjs';

requireVersions();
ensureInstalled();
runSteps(steps);
// Ctrl-C reaches the child as well; it says goodbye and we pass its status on.
process.on('SIGINT', () => {});
process.exitCode = run(process.execPath, ['dist/esm/cli/main.js', 'demo', ...process.argv.slice(2)]);
