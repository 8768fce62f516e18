/** `npm run bench`: install and build what is missing, then the bench runner with the same arguments. */
import { kernelStep, libraryStep } from './build-steps.mjs';
import { ensureInstalled, requireVersions, run, runSteps } from './toolchain.mjs';

requireVersions();
ensureInstalled();
runSteps([kernelStep, libraryStep]);
process.exitCode = run(process.execPath, ['--expose-gc', 'bench/run.mjs', ...process.argv.slice(2)]);
