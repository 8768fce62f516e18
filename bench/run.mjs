/** `npm run bench -- [SUITE ...] [--json]`: runs the named suites, or all, and prints one row per case. */
import { readdirSync } from 'node:fs';

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
  const { suite, case: name, ours, peer, peerName, ratio, unit, n, spread } = row;
  const against =
    peer === null ? '' : `  ${peerName} ${round(peer)} ${unit}  ratio ${round(ratio)} +- ${round(spread / 2)}`;
  process.stdout.write(
    `${suite.padEnd(8)}${name.padEnd(48)} ${String(round(ours)).padStart(9)} ${unit}${against}  (n = ${n})\n`,
  );
}

for (const suite of wanted.length ? wanted : available) {
  const { run } = await import(`./suites/${suite}.mjs`);
  for await (const row of run()) print(row);
}
