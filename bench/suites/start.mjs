/**
 * The first second: processor time of a new process, from its start to its exit, above that of a bare Node that does nothing.
 * Processes take turns with the bare one; medians. Times of the wall clock would be the machine's load.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { median } from '../measure.mjs';

const ROUNDS = 9;
const inProject = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const esm = (door) => pathToFileURL(inProject(`dist/esm/${door}.js`)).href;
const arm = [inProject('examples/arm/arm.urdf'), '--srdf', inProject('examples/arm/arm.srdf')];
const module = (code) => ['--input-type=module', '-e', code];

const cases = [
  { name: 'clearance --version', words: [inProject('dist/esm/cli.js'), '--version'] },
  { name: 'clearance --help', words: [inProject('dist/esm/cli.js'), '--help'] },
  { name: 'clearance check, bundled arm', words: [inProject('dist/esm/cli.js'), 'check', ...arm] },
  { name: "import 'clearance'", words: module(`import '${esm('index')}'`) },
  { name: "require('clearance')", words: ['-e', `require('${inProject('dist/cjs/index.js')}')`] },
  {
    name: "import 'clearance/narrowphase', first distance of meshes",
    words: module(`
      import { createCollider, createDistanceResult, distance } from '${esm('narrowphase')}';
      const mesh = {
        vertices: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1),
        triangles: Uint32Array.of(0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3),
      };
      const [a, b] = [mesh, mesh].map((m) => createCollider({ type: 'mesh', mesh: m, mode: 'solid' }));
      const at = (x) => Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, x, 0, 0);
      if (distance(createDistanceResult(), a, at(0), b, at(3)).distance !== 2) throw new Error('wrong');`),
  },
];

export async function* run({ only }) {
  const folder = mkdtempSync(join(tmpdir(), 'clearance-start-'));
  const probe = join(folder, 'probe.cjs');
  const file = join(folder, 'times.json');
  writeFileSync(
    probe,
    `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(file)}, JSON.stringify(process.cpuUsage())));`,
  );
  const measure = (words) => {
    const { status, stderr } = spawnSync(process.execPath, ['--require', probe, ...words], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`${words.join(' ')}: exit status ${status}\n${stderr}`);
    const { user, system } = JSON.parse(readFileSync(file, 'utf8'));
    return (user + system) / 1e3;
  };
  try {
    for (const { name, words } of cases) {
      if (only && !name.includes(only)) continue;
      measure(words);
      const above = Array.from({ length: ROUNDS }, () => -measure(['-e', '0']) + measure(words));
      yield {
        suite: 'start',
        case: name,
        ours: median(above),
        peer: null,
        peerName: null,
        ratio: null,
        unit: 'ms',
        n: ROUNDS,
        spread: 0,
      };
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
