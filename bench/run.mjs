/**
 * `npm run bench -- [SUITE ...] [--json] [--report=FOLDER]`: runs the named suites, or all, and prints one row per case.
 * With --report each suite's rows are written as JSON and as a table, and its plots as SVG where it has any; rows of cases
 * that the folder has from earlier runs and this run has not are kept, so that a long suite can be run case by case.
 * Suites that say so also take --full (all of a published experiment), --case=TEXT (cases whose name holds it) and
 * --file=PATH (their input).
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const args = process.argv.slice(2);
const asJson = args.includes('--json');
const wanted = args.filter((arg) => !arg.startsWith('--'));
const available = readdirSync(new URL('./suites/', import.meta.url))
  .filter((file) => file.endsWith('.mjs'))
  .map((file) => file.slice(0, -'.mjs'.length))
  .sort();
const unknown = wanted.find((suite) => !available.includes(suite));
if (unknown) {
  process.stderr.write(`bench: no suite is called ${unknown}; the suites are ${available.join(', ')}\n`);
  process.exit(2);
}

const round = (value) => (value === null ? null : Number(value.toPrecision(4)));

function print(row) {
  if (asJson) {
    process.stdout.write(`${JSON.stringify(row)}\n`);
    return;
  }
  const { suite, case: name, ours, peer, peerName, ratio, unit, n, spread, work } = row;
  const against =
    peer === null ? '' : `  ${peerName} ${round(peer)} ${unit}  ratio ${round(ratio)} +- ${round(spread / 2)}`;
  process.stdout.write(
    `${suite.padEnd(8)} ${name.padEnd(48)} ${String(round(ours)).padStart(9)} ${unit}${against}  (n = ${n})${work ? `  work ${work}` : ''}\n`,
  );
}

const valuesOf = (option) =>
  args.filter((arg) => arg.startsWith(`--${option}=`)).map((arg) => arg.slice(option.length + 3));

const [folder = null] = valuesOf('report');
const [only = null] = valuesOf('case');
const options = { full: args.includes('--full'), only, files: valuesOf('file') };

function writeReport(suite, rows, plots) {
  mkdirSync(folder, { recursive: true });
  const cells = (row) => [
    row.case,
    `${round(row.ours)} ${row.unit}`,
    row.peer === null ? '' : `${row.peerName} ${round(row.peer)} ${row.unit}`,
    row.peer === null ? '' : round(row.ratio),
    row.n,
  ];
  const lines = [['case', 'ours', 'peer', 'ratio', 'n'], ['---', '---:', '---:', '---:', '---:'], ...rows.map(cells)];
  writeFileSync(join(folder, `${suite}.md`), lines.map((line) => `| ${line.join(' | ')} |\n`).join(''));
  writeFileSync(join(folder, `${suite}.json`), `${JSON.stringify(rows, null, 1)}\n`);
  for (const { name, content } of plots) writeFileSync(join(folder, name), content);
}

/** Measured rows of earlier runs in the folder, those of `rows` in the place of their cases. */
function mergeRows(suite, rows) {
  const file = join(folder, `${suite}.json`);
  if (!existsSync(file)) return rows;
  const keyOf = (row) => JSON.stringify([row.case, row.peerName ?? null]);
  const renewed = new Map(rows.map((row) => [keyOf(row), row]));
  const measured = JSON.parse(readFileSync(file, 'utf8')).filter(({ derived }) => !derived);
  const kept = measured.map((row) => {
    const fresh = renewed.get(keyOf(row));
    renewed.delete(keyOf(row));
    return fresh ?? row;
  });
  return [...kept, ...renewed.values()];
}

for (const suite of wanted.length ? wanted : available) {
  // `derive` gives rows that follow from other rows, such as growth over sizes.
  const { run, derive = () => [], plot = () => [] } = await import(`./suites/${suite}.mjs`);
  const rows = [];
  for await (const row of run(options)) {
    print(row);
    rows.push(row);
  }
  const gathered = folder === null ? rows : mergeRows(suite, rows);
  const derived = derive(gathered).map((row) => ({ ...row, derived: true }));
  for (const row of derived) print(row);
  if (folder === null) continue;
  const all = [...gathered, ...derived];
  writeReport(suite, all, plot(all));
}
