/**
 * `npm test`: install and build what is missing, then lint, types and the tests that need nothing else.
 * `npm test -- src/math` runs only the tests under that path. `--project oracle` or `--project package` runs the
 * suites against reference data or against the packed package. The last line is "N passed, N failed".
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { steps } from './build-steps.mjs';
import { ensureInstalled, requireVersions, root, runSteps, runTool } from './toolchain.mjs';

requireVersions();
ensureInstalled();
runSteps(steps);

const args = process.argv.slice(2);
const projectAt = args.indexOf('--project');
const project = projectAt < 0 ? 'unit' : args.splice(projectAt, 2)[1];
const projects = project === 'package' ? ['package', 'viewer'] : [project];
const totals = { passed: 0, failed: 0, skipped: 0 };

function runStaticChecks() {
  const checks = [
    ['lint and format', '@biomejs/biome', ['check', '--error-on-warnings'], 'biome'],
    ['types', 'typescript', ['--noEmit', '-p', '.'], 'tsc'],
    ['types of the viewer', 'typescript', ['--noEmit', '-p', 'viewer'], 'tsc'],
  ];
  for (const [title, packageName, toolArgs, binary] of checks) {
    const passed = runTool(packageName, toolArgs, { binary }) === 0;
    process.stdout.write(`${passed ? 'ok' : 'FAILED'}: ${title}\n`);
    totals[passed ? 'passed' : 'failed']++;
  }
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
  const slowest = tests.sort((a, b) => b.duration - a.duration).slice(0, 20);
  process.stdout.write('\nThe slowest tests:\n');
  for (const { file, fullName, duration } of slowest)
    process.stdout.write(`${(duration / 1000).toFixed(1).padStart(7)} s  ${file}  ${fullName.trim()}\n`);
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
  }
  // A file that cannot even be loaded fails the run without a failed test of its own.
  if (status !== 0 && totals.failed === 0) totals.failed++;
  rmSync(folder, { recursive: true, force: true });
}

if (project === 'unit' && args.length === 0) runStaticChecks();
process.chdir(root);
runVitest();
const skipped = totals.skipped ? `, ${totals.skipped} skipped` : '';
process.stdout.write(`\n${totals.passed} passed, ${totals.failed} failed${skipped}\n`);
process.exitCode = totals.failed ? 1 : 0;
