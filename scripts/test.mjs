/**
 * `npm test`: install and build what is missing, then lint, types and the tests that need nothing else.
 * `npm test -- src/math` runs only the tests under that path. `--project oracle` or `--project package` runs the
 * suites against reference data or against the packed package. The last line is "N passed, N failed".
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { steps } from './build-steps.mjs';
import { lintAssembly } from './lint-assembly.mjs';
import { captureTool, ensureInstalled, requireVersions, root, runSteps, runTool } from './toolchain.mjs';

requireVersions();
ensureInstalled();
runSteps(steps);

const args = process.argv.slice(2);
const projectAt = args.indexOf('--project');
const project = projectAt < 0 ? 'unit' : args.splice(projectAt, 2)[1];
const projects = project === 'package' ? ['package', 'viewer'] : [project];
const totals = { passed: 0, failed: 0, skipped: 0 };

/** Type checks use one processor each: they run side by side, and each prints when it ends. */
async function runStaticChecks() {
  const check = async (title, packageName, toolArgs, binary) =>
    report(title, await captureTool(packageName, toolArgs, { binary }));
  const report = (title, { status, output }) => {
    const passed = status === 0;
    process.stdout.write(`${output}${passed ? 'ok' : 'FAILED'}: ${title}\n`);
    totals[passed ? 'passed' : 'failed']++;
  };
  await Promise.all([
    check('types of the viewer', 'typescript', ['--noEmit', '-p', 'viewer', '--pretty'], 'tsc').then(() =>
      check(
        'types of its oracle test',
        'typescript',
        ['--noEmit', '-p', 'viewer/tsconfig.oracle.json', '--pretty'],
        'tsc',
      ),
    ),
    check('types', 'typescript', ['--noEmit', '-p', '.', '--pretty'], 'tsc').then(() =>
      check('lint and format', '@biomejs/biome', ['check', '--error-on-warnings'], 'biome'),
    ),
    lintAssembly().then((result) => report('lint and format of the kernel', result)),
  ]);
}

/** What to look at when the suite grows slow. */
function printSlowest(files) {
  const tests = files.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, duration }) => ({
      file: relative(root, name),
      fullName,
      duration: duration ?? 0,
    })),
  );
  printLongest(
    'tests',
    tests.map(({ file, fullName, duration }) => ({ name: `${file}  ${fullName.trim()}`, duration })),
  );
  printLongest(
    'files',
    files.map(({ name, startTime, endTime }) => ({ name: relative(root, name), duration: endTime - startTime })),
  );
}

/** Said again at the end, where a reader of a long log looks first. */
function printFailed(files) {
  for (const { name, assertionResults, message } of files) {
    const file = relative(root, name);
    const failed = assertionResults.filter(({ status }) => status === 'failed');
    for (const { fullName, failureMessages } of failed)
      process.stdout.write(`\nFAILED: ${file}  ${fullName.trim()}\n${firstLines(failureMessages.join('\n'))}\n`);
    if (failed.length === 0 && message) process.stdout.write(`\nFAILED: ${file}\n${firstLines(message)}\n`);
  }
}

function firstLines(message) {
  return message
    .split('\n')
    .slice(0, 12)
    .map((line) => `  ${line.slice(0, 400)}`)
    .join('\n');
}

function printLongest(title, entries) {
  const slowest = entries.sort((a, b) => b.duration - a.duration).slice(0, 20);
  process.stdout.write(`\nThe slowest ${title}:\n`);
  for (const { name, duration } of slowest)
    process.stdout.write(`${(duration / 1000).toFixed(1).padStart(7)} s  ${name}\n`);
}

function runVitest() {
  const folder = mkdtempSync(join(tmpdir(), 'clearance-test-'));
  const report = join(folder, 'report.json');
  const status = runTool('vitest', [
    'run',
    ...projects.flatMap((name) => ['--project', name]),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...args,
  ]);
  if (existsSync(report)) {
    const counts = JSON.parse(readFileSync(report, 'utf8'));
    totals.passed += counts.numPassedTests;
    totals.failed += counts.numFailedTests;
    totals.skipped += counts.numPendingTests + counts.numTodoTests;
    printSlowest(counts.testResults);
    printFailed(counts.testResults);
  }
  // A file that cannot even be loaded fails the run without a failed test of its own.
  if (status !== 0 && totals.failed === 0) totals.failed++;
  rmSync(folder, { recursive: true, force: true });
}

if (project === 'unit' && args.length === 0) await runStaticChecks();
process.chdir(root);
runVitest();
const skipped = totals.skipped ? `, ${totals.skipped} skipped` : '';
process.stdout.write(`\n${totals.passed} passed, ${totals.failed} failed${skipped}\n`);
process.exitCode = totals.failed ? 1 : 0;
