/** `npm run build`: everything, from scratch. `npm run build -- kernel library` builds only the named parts. */
import { steps } from './build-steps.mjs';
import { ensureInstalled, fail, requireVersions, runSteps } from './toolchain.mjs';

requireVersions();
ensureInstalled();
const names = process.argv.slice(2);
const unknown = names.find((name) => !steps.some((step) => step.name === name));
if (unknown) fail(`build: no part is called ${unknown}; the parts are ${steps.map((step) => step.name).join(', ')}.`);
runSteps(names.length ? steps.filter((step) => names.includes(step.name)) : steps, { force: true });
