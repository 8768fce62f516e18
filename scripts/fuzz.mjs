// node scripts/fuzz.mjs [--queries N] [--meshes N] [--seed N]: random pair queries checked against themselves
// (test/contract/pair-fuzz.ts, mesh-fuzz.ts). N between convex shapes, as many (or --meshes) of meshes against convex shapes, N / 100
// degenerate ones, N / 1000 with meshes and shapes made of parts. Faults are printed with the shapes and poses that show them.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    queries: { type: 'string', default: '1000000' },
    meshes: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
});
for (const [name, value] of Object.entries(values))
  if (!/^\d+$/.test(value)) {
    process.stderr.write(`fuzz: --${name}, got ${value}, expected a whole number\n`);
    process.exit(2);
  }
const result = spawnSync('npx', ['vitest', 'run', '--project', 'unit', 'test/contract/pair-fuzz.test.ts'], {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  env: {
    ...process.env,
    CLEARANCE_FUZZ_QUERIES: values.queries,
    CLEARANCE_FUZZ_MESHES: values.meshes ?? values.queries,
    CLEARANCE_FUZZ_SEED: values.seed,
  },
  stdio: 'inherit',
});
process.exitCode = result.status ?? 1;
