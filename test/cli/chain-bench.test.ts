/** `clearance chain bench` of the built command line: the same steps and counts for a seed, tables, plots, and what is refused. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writePdb } from '../../src/io/molecule/pdb-write.js';
import { buildPeptide } from '../../src/molecule/peptide.js';
import { type CommandLineOutcome, callCommandLine } from '../support/command-line.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const isBuilt = existsSync(join(root, 'dist/esm/cli.js'));

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'clearance-chain-bench-'));
  const sequence = 'GSEEAAKLPEELKKWG'.repeat(3);
  const torsions = Array.from(sequence, (_, i) => ({ phi: -1.0, psi: i % 16 === 15 ? 2 : -0.82 }));
  writeFileSync(join(folder, 'bundle.pdb'), writePdb(buildPeptide(sequence, torsions)));
  const twice = writePdb(buildPeptide('GAVLSK')).replace(/END\n$/, '');
  writeFileSync(join(folder, 'twice.pdb'), `${twice}${twice}END\n`);
  const links = Array.from({ length: 60 }, (_, i) => ({
    shape: i % 2 ? { type: 'capsule', radius: 0.3, length: 1 } : { type: 'box', size: [0.5, 0.5, 0.5] },
  }));
  const joints = links.slice(1).map((_, i) => ({
    type: i % 5 === 4 ? 'fixed' : 'revolute',
    origin: [2, 0, 0.3, 0, 0, 0, 1],
    axis: [0, 1, 1],
  }));
  writeFileSync(join(folder, 'row.json'), JSON.stringify({ links, joints }));
  writeFileSync(join(folder, 'short.json'), JSON.stringify({ links, joints: joints.slice(1) }));
  const touching = joints.map((joint) => ({ ...joint, origin: [0.1, 0, 0, 0, 0, 0, 1] }));
  writeFileSync(join(folder, 'touching.json'), JSON.stringify({ links, joints: touching }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(...args: string[]): CommandLineOutcome {
  return callCommandLine(['chain', 'bench', ...args], { cwd: folder });
}

describe.skipIf(!isBuilt)(`chain bench${isBuilt ? '' : ' (skipped: not built, run npm run build)'}`, () => {
  it('--help', () => {
    const { status, out } = run('--help');
    expect(status).toBe(0);
    for (const word of ['--steps', '--seed', '--degrees', '--methods', '--plot', 'K-OBBTree'])
      expect(out).toContain(word);
  });

  it('has every method take the same steps of a backbone, and counts the same for a seed', () => {
    const args = ['bundle.pdb', '--steps', '100', '--seed', '4', '--json', '--plot', 'a.svg'];
    const { status, out } = run(...args);
    expect(status).toBe(0);
    const result = JSON.parse(out);
    expect(result).toMatchObject({ kind: 'backbone', residues: 48, links: 144, steps: 100, degrees: 180, seed: 4 });
    expect(result.freeSteps + result.collidingSteps).toBe(100);
    expect(result.auto).toMatchObject({ method: 'chain tree' });
    const names = result.methods.map(({ name }: { name: string }) => name);
    for (const name of ['ChainTree', 'grid', '1-OBBTree', 'K-OBBTree', 'dynamic tree', 'brute force']) {
      expect(names).toContain(name);
    }
    expect(result.methods[0]).toMatchObject({ name: 'ChainTree', ratio: 1 });
    for (const { step, update, linkPairs, ratio } of result.methods) {
      expect(step).toBeGreaterThanOrEqual(update);
      // What stands beside each other agrees.
      expect(ratio).toBeCloseTo(step / result.methods[0].step, 12);
      expect(linkPairs).toBeGreaterThan(0);
    }
    const counts = (text: string) =>
      JSON.parse(text).methods.map((row: Record<string, unknown>) => [row.name, row.boxTests, row.linkPairs]);
    expect(counts(run(...args).out)).toEqual(counts(out));
    const svg = readFileSync(join(folder, 'a.svg'), 'utf8');
    for (const name of names) expect(svg).toContain(`>${name}</text>`);
  });

  it('reads chain files, and takes the methods named', () => {
    const { status, out } = run('row.json', '--steps', '50', '--degrees', '5', '--methods', 'grid;brute force');
    expect(status).toBe(0);
    expect(out).toContain('row.json: chain of 60 links');
    const first = out
      .split('\n')
      .slice(2)
      .map((line) => line.split('  ')[0]);
    expect(first).toEqual(['us', 'ChainTree', 'grid', 'brute force', expect.stringContaining('auto would take'), '']);
  });

  it('says what it cannot use, with status 2', () => {
    const refused = (...args: string[]) => {
      const { status, out, err } = run(...args);
      expect([status, out]).toEqual([2, '']);
      return err;
    };
    expect(refused('none.pdb')).toContain('none.pdb');
    expect(refused('bundle.pdb', '--chain', 'Q')).toContain('no chain "Q"');
    const repeated = refused('twice.pdb');
    expect(repeated).toMatch(/twice\.pdb: .*are in the same place, as where a file holds a chain twice/);
    expect(repeated).not.toMatch(/createBackboneChain|molecule, got/);
    expect(refused('row.json', '--chain', 'A')).toContain('--chain: means nothing for a chain file');
    expect(refused('row.json', '--methods', 'magic')).toContain('--methods "magic": expected some of ChainTree');
    expect(refused('short.json')).toContain('58 joints for 60 links');
    expect(refused('touching.json')).toContain('the chain touches itself at the start (links');
    expect(refused('row.json', '--steps', '0')).toContain('--steps');
    expect(refused('row.json', '--plot', 'no/where.svg')).toContain('--plot');
    expect(refused('row.json', '--plot', './row.json')).toContain('--plot ./row.json: the file that is read');
  });
});
