// Writes docs/accuracy.md: the worst observed error of every pair of shapes.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const result = spawnSync('npx', ['vitest', 'run', 'test/contract/accuracy.test.ts'], {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  env: { ...process.env, CLEARANCE_WRITE_ACCURACY: '1' },
  stdio: 'inherit',
});
process.exitCode = result.status ?? 1;
