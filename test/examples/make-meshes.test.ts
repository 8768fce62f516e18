/** The generated example files are what their generators write. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportMesh } from '../../src/geometry.js';
import { parseStl } from '../../src/io.js';

const examples = fileURLToPath(new URL('../../examples', import.meta.url));
const isBuilt = existsSync(join(examples, '../dist/esm/index.js'));
const copy = mkdtempSync(join(tmpdir(), 'clearance-examples-'));
const meshes = ['arm/meshes', 'assembly/meshes'].flatMap((folder) =>
  readdirSync(join(examples, folder)).map((file) => `${folder}/${file}`),
);

describe('generated example files', () => {
  beforeAll(() => {
    for (const folder of ['snake', 'humanoid']) mkdirSync(join(copy, folder));
    for (const generator of ['make-meshes.mjs', 'make-snake.mjs', 'make-assemblies.mjs', 'make-humanoid.mjs']) {
      copyFileSync(join(examples, generator), join(copy, generator));
      const result = spawnSync(process.execPath, [generator], { cwd: copy, encoding: 'utf8' });
      expect(result.stderr).toBe('');
    }
  });
  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  it.each([...meshes, 'snake/snake-30.urdf', 'humanoid/humanoid.urdf'])('%s is what the generator writes', (file) => {
    expect(readFileSync(join(copy, file)).equals(readFileSync(join(examples, file)))).toBe(true);
  });

  // It imports the built package, which a copy elsewhere does not find.
  it.skipIf(!isBuilt)(
    `peptide/hairpin.pdb is what its generator writes${isBuilt ? '' : ' (skipped: nothing built)'}`,
    () => {
      const result = spawnSync(process.execPath, [join(examples, 'make-peptide.mjs'), copy], { encoding: 'utf8' });
      expect(result.stderr).toBe('');
      expect(readFileSync(join(copy, 'hairpin.pdb'), 'utf8')).toBe(
        readFileSync(join(examples, 'peptide/hairpin.pdb'), 'utf8'),
      );
    },
  );

  it.each(meshes)('%s is small, closed and turned outward', (file) => {
    const bytes = readFileSync(join(examples, file));
    expect(bytes.length).toBeLessThan(20_000);
    const report = reportMesh(parseStl(bytes).value!.mesh);
    expect(report).toMatchObject({ watertight: true, degenerate: 0, duplicate: 0, nonManifoldEdges: 0 });
    expect(report.volume).toBeGreaterThan(0);
  });
});
