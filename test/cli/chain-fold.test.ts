/** `clearance chain fold` of the built command line: files, statuses, and a run that is killed and goes on with the same bytes. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatCheckpoint } from '../../src/cli/fold/fold-checkpoint.js';
import { parseDcd } from '../../src/io/molecule/dcd.js';
import { parsePdb } from '../../src/io/molecule/pdb.js';
import { writePdb } from '../../src/io/molecule/pdb-write.js';
import { buildPeptide } from '../../src/molecule/peptide.js';
import { type CommandLineOutcome, callCommandLine } from '../support/command-line.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const cli = join(root, 'dist/esm/cli.js');
const isBuilt = existsSync(join(root, 'dist/esm/cli.js'));

let folder = '';
let input = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'clearance-fold-'));
  input = join(folder, 'helix.pdb');
  const sequence = 'GSEEAAKLPEELKKW';
  writeFileSync(
    input,
    writePdb(
      buildPeptide(
        sequence,
        Array.from(sequence, () => ({ phi: -1.0, psi: -0.82 })),
      ),
    ),
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(...args: string[]): CommandLineOutcome {
  return callCommandLine(['chain', 'fold', ...args], { cwd: folder });
}

const bytes = (name: string) => readFileSync(join(folder, name));
const outputs = (name: string) => ['--out', `${name}.pdb`, '--out', `${name}.dcd`, '--table', `${name}.csv`];

/** Starts a run and ends it with a signal once its checkpoint is there. */
async function interrupt(signal: 'SIGKILL' | 'SIGINT', checkpoint: string, args: string[]): Promise<number | null> {
  const child = spawn(process.execPath, [cli, 'chain', 'fold', ...args], { cwd: folder, stdio: 'ignore' });
  const ended = once(child, 'exit');
  const before = existsSync(join(folder, checkpoint)) ? readFileSync(join(folder, checkpoint), 'utf8') : '';
  while (child.exitCode === null) {
    if (existsSync(join(folder, checkpoint)) && readFileSync(join(folder, checkpoint), 'utf8') !== before) break;
    await setTimeout(5);
  }
  child.kill(signal);
  const [status] = await ended;
  return status;
}

describe.skipIf(!isBuilt)(`chain fold${isBuilt ? '' : ' (skipped: not built, run npm run build)'}`, () => {
  it('--help', () => {
    const { status, out } = run('--help');
    expect(status).toBe(0);
    for (const word of [
      '--steps',
      '--seed',
      '--temperature',
      '--moves',
      '--out',
      '--checkpoint',
      '--resume',
      '--json',
    ]) {
      expect(out).toContain(word);
    }
  });

  it('writes samples as models, frames and rows that agree, a plot, and the last conformation', () => {
    const args = [
      input,
      '--steps',
      '400',
      '--every',
      '100',
      '--seed',
      '3',
      '--plot',
      'a.svg',
      '--last',
      'a.cif',
      '--json',
    ];
    const { status, out } = run(...args, ...outputs('a'));
    expect(status).toBe(0);
    const result = JSON.parse(out);
    expect(result).toMatchObject({ status: 'done', step: 400, samples: 5, seed: 3 });
    expect(result.clashRemark).toBe('heavy atoms only, not comparable');
    const proposed = Object.values<{ proposed: number }>(result.moves).reduce((sum, move) => sum + move.proposed, 0);
    expect(proposed).toBe(400);
    const models = parsePdb(bytes('a.pdb')).value!.models;
    const frames = parseDcd(bytes('a.dcd'));
    expect(frames.issues).toEqual([]);
    expect([models.length, frames.value!.frameCount, frames.value!.stepInterval]).toEqual([5, 5, 100]);
    const start = parsePdb(readFileSync(input)).value!.models[0].atoms;
    models.forEach(({ number, atoms }, i) => {
      expect(number).toBe(i + 1);
      expect(atoms.names).toEqual(start.names);
      const frame = frames.value!.readFrame(new Float64Array(3 * atoms.count), i);
      atoms.positions.forEach((x, k) => {
        expect(Math.abs(x - frame[k])).toBeLessThan(6e-4);
      });
    });
    expect(models[0].atoms.positions).toEqual(start.positions);
    const [head, ...rows] = bytes('a.csv').toString().trim().split('\n');
    expect(head).toBe('step,temperature,energy,lennardJones,electrostatic,torsion,radiusOfGyration,rmsd,acceptance');
    // Shares of the steps since the sample before; together all that were accepted.
    const shares = rows.map((row) => row.split(',')[8]);
    expect(shares[0]).toBe('');
    const accepted = Object.values<{ accepted: number }>(result.moves).reduce((sum, move) => sum + move.accepted, 0);
    expect(shares.slice(1).reduce((sum, share) => sum + 100 * Number(share), 0)).toBeCloseTo(accepted, 9);
    expect(rows.map((row) => Number(row.split(',')[0]))).toEqual([0, 100, 200, 300, 400]);
    const last = rows[4].split(',').map(Number);
    expect(last[2]).toBe(result.energy.total);
    expect(last[2]).toBeCloseTo(last[3] + last[4] + last[5], 9);
    expect(last[6]).toBe(result.radiusOfGyration);
    expect(bytes('a.svg').toString()).toMatch(
      /^<svg [\s\S]*energy, kcal\/mol[\s\S]*radius of gyration[\s\S]*accepted, share of steps[\s\S]*<\/svg>\n$/,
    );
    expect(bytes('a.cif').toString()).toContain('_atom_site.Cartn_x');
  });

  it('killed and resumed, stopped and resumed, it writes the same bytes as in one go', async () => {
    const common = [
      input,
      '--steps',
      '3000',
      '--every',
      '50',
      '--seed',
      '5',
      '--anneal',
      '250',
      '--temperature',
      '600',
    ];
    expect(run(...common, ...outputs('whole'), '--last', 'whole.last.pdb', '--quiet').status).toBe(0);
    const kept = ['--checkpoint', 'part.json', '--checkpoint-every', '200', '--quiet'];
    await interrupt('SIGKILL', 'part.json', [...common, ...outputs('part'), ...kept]);
    const resume = ['--resume', 'part.json', '--checkpoint-every', '700', '--quiet'];
    await interrupt('SIGKILL', 'part.json', resume);
    const stopped = await interrupt('SIGINT', 'part.json', resume);
    // A fast machine may be done before the signal comes.
    expect([0, 3]).toContain(stopped);
    expect(run('--resume', 'part.json', '--last', 'part.last.pdb', '--quiet').status).toBe(0);
    for (const ending of ['pdb', 'dcd', 'csv', 'last.pdb']) {
      expect([ending, bytes(`part.${ending}`).equals(bytes(`whole.${ending}`))]).toEqual([ending, true]);
    }
    // More steps than first asked for: the same as asked for at once, as far as the schedule allows.
    expect(run('--resume', 'part.json', '--steps', '3100', '--quiet').status).toBe(0);
    expect(bytes('part.csv').toString()).toMatch(/\n3100,250,/);
    expect(parsePdb(bytes('part.pdb')).value!.models.length).toBe(63);
  });

  it('replicas exchange and go on as well', async () => {
    const common = [
      input,
      '--steps',
      '1500',
      '--every',
      '100',
      '--replicas',
      '3',
      '--highest',
      '900',
      '--exchange-every',
      '50',
    ];
    const whole = run(...common, '--out', 'r1.dcd', '--json', '--quiet');
    expect(whole.status).toBe(0);
    expect(JSON.parse(whole.out).exchangeRates.length).toBe(2);
    await interrupt('SIGKILL', 'r2.json', [
      ...common,
      '--out',
      'r2.dcd',
      '--checkpoint',
      'r2.json',
      '--checkpoint-every',
      '170',
    ]);
    expect(run('--resume', 'r2.json', '--quiet').status).toBe(0);
    expect(bytes('r2.dcd').equals(bytes('r1.dcd'))).toBe(true);
  });

  it('starts from a sequence', () => {
    const { status, out } = run(
      '--sequence',
      'GAW',
      '--steps',
      '50',
      '--energy',
      'none',
      '--moves',
      'pivot:2,rotamer',
      '--json',
    );
    expect(status).toBe(0);
    expect(Object.keys(JSON.parse(out).moves)).toEqual(['pivot', 'rotamer']);
  });

  it.each([
    [['--steps', '10'], /expected a structure file, or --sequence, or --resume/],
    [['helix.pdb', '--sequence', 'AA'], /expected a structure file, or --sequence/],
    [['missing.pdb'], /no such file: missing\.pdb/],
    [['helix.pdb', '--out', 'x.xyz'], /--out x\.xyz: expected a name that ends in/],
    [['helix.pdb', '--out', 'x.pdb', '--last', 'x.pdb'], /--last x\.pdb: named twice/],
    [['helix.pdb', '--moves', 'jump'], /--moves "jump": expected one of torsion, torsions/],
    [['helix.pdb', '--rmsd', 'name XX'], /--rmsd "name XX": no atom of the chain/],
    [['helix.pdb', '--rmsd', 'nome CA'], /at column 1, expected a condition/],
    [['helix.pdb', '--chains', 'Q'], /--chains: helix\.pdb has no chain "Q", expected some of A/],
    [['helix.pdb', '--altloc', 'Z'], /--altloc Z: no atom of helix\.pdb has it/],
    [['helix.pdb', '--temperature', '0'], /--temperature "0": expected at least/],
    [['helix.pdb', '--temperature', '-3'], /--temperature "-3": expected at least/],
    [['helix.pdb', '--steps', '0'], /--steps "0": expected at least 1/],
    [['helix.pdb', '--seed', 'lucky'], /--seed "lucky": expected a whole number/],
    [['helix.pdb', '--moves', 'torsion:2:3'], /--moves "torsion:2:3": expected one of/],
    [['helix.pdb', '--moves', 'chi,torsion,chi:2'], /--moves "chi:2": chi is named twice/],
    [['helix.pdb', '--moves', 'chi', '--rigid-side-chains'], /helix\.pdb: .*got chi, expected a move/],
    [['helix.pdb', '--out', './helix.pdb'], /--out \.\/helix\.pdb: the file that is read, expected another one/],
    [['helix.pdb', '--out', 'x.dcd', '--checkpoint', './x.dcd'], /--checkpoint \.\/x\.dcd: named twice/],
    [['helix.pdb', '--out', 'nowhere/x.dcd'], /--out nowhere\/x\.dcd: there is no folder nowhere, create it first/],
    [['--sequence', ' '], /--sequence: empty/],
    [['helix.pdb', '--replicas', '2', '--anneal', '100'], /--anneal: replicas keep their temperatures/],
    [['--sequence', 'AXA'], /sequence, got "X" at 2/],
    [['--resume', 'helix.pdb'], /--resume helix\.pdb: /],
  ])('refuses %j', (args, message) => {
    const { status, err } = run(...args);
    expect(err).toMatch(message);
    expect(status).toBe(2);
  });

  it('refuses a checkpoint whose files or options are others', () => {
    const made = [input, '--steps', '200', '--every', '100', '--out', 'c.dcd', '--checkpoint', 'c.json', '--quiet'];
    expect(run(...made).status).toBe(0);
    expect(run('--resume', 'c.json', '--seed', '4').err).toMatch(/--seed: stands in the checkpoint/);
    writeFileSync(join(folder, 'c.dcd'), '');
    expect(run('--resume', 'c.json', '--steps', '300').err).toMatch(/c\.dcd: 0 bytes, the checkpoint knows \d+/);
    rmSync(join(folder, 'c.dcd'));
    expect(run('--resume', 'c.json', '--steps', '300').err).toMatch(/c\.dcd: gone, the checkpoint knows \d+ bytes/);
    expect(run('--resume', 'c.json', '--steps', '100').err).toMatch(/--steps 100: the checkpoint has done 200/);
    writeFileSync(join(folder, 'c.json'), '{"format":"other"}');
    const { status, err } = run('--resume', 'c.json');
    expect([status, /no checkpoint of chain fold/.test(err)]).toEqual([2, true]);
  });

  describe('a checkpoint that was cut off or changed', () => {
    let text = '';
    beforeAll(() => {
      expect(run('helix.pdb', '--steps', '100', '--checkpoint', 'd.json', '--quiet').status).toBe(0);
      text = bytes('d.json').toString();
    });

    // biome-ignore lint/suspicious/noExplicitAny: a checkpoint that is bent on purpose
    const changed = (change: (checkpoint: any) => void) => () => {
      const { sha256, ...checkpoint } = JSON.parse(text);
      expect(sha256).toMatch(/^[0-9a-f]{64}$/);
      change(checkpoint);
      return formatCheckpoint(checkpoint);
    };
    it.each<[string, () => string, RegExp]>([
      ['cut off', () => text.slice(0, text.length >> 1), /--resume d\.json: no JSON, or cut off/],
      [
        'with a torsion turned by hand',
        () => {
          const checkpoint = JSON.parse(text);
          checkpoint.state.torsions[0] += 0.01;
          return JSON.stringify(checkpoint);
        },
        /--resume d\.json: changed since it was written/,
      ],
      ['with another seed', () => text.replace(/"seed":\d+/, '"seed":77'), /changed since it was written/],
      ['empty', () => '', /--resume d\.json: no JSON, or cut off/],
      [
        'of another version',
        changed((c) => {
          c.version = 1;
        }),
        /a checkpoint of version 1, expected 3/,
      ],
      [
        'without its state',
        changed((c) => {
          c.state = null;
        }),
        /--resume d\.json: state: .*damaged/,
      ],
      [
        'that would take samples every 0 steps',
        changed((c) => {
          c.outputs.every = 0;
        }),
        /outputs\.every: .*damaged/,
      ],
      [
        'with a torsion missing',
        changed((c) => {
          c.state.torsions.pop();
        }),
        /state does not fit its structure/,
      ],
      [
        'with a torsion that is no number',
        changed((c) => {
          c.state.torsions[0] = null;
        }),
        /state.*damaged/,
      ],
      [
        'whose generator is dead',
        changed((c) => {
          c.state.random = [0, 0, 0, 0];
        }),
        /state does not fit.*not all zero/,
      ],
      [
        'below absolute zero',
        changed((c) => {
          c.settings.temperature = -1;
        }),
        /temperature, got -1/,
      ],
      [
        'whose structure is elsewhere',
        changed((c) => {
          c.settings.input.file = 'gone.pdb';
        }),
        /no such file: gone\.pdb, the structure that the checkpoint names/,
      ],
      [
        'whose structure is another',
        changed((c) => {
          c.settings.input.sha256 = '0';
        }),
        /helix\.pdb: not the file/,
      ],
    ])('%s is refused', (_, content, message) => {
      writeFileSync(join(folder, 'd.json'), content());
      const { status, out, err } = run('--resume', 'd.json', '--steps', '200');
      expect(err).toMatch(message);
      expect([status, out]).toEqual([2, '']);
    });
  });

  it.skipIf(process.platform === 'win32')(
    'a full disk ends the run by name, and it goes on from its checkpoint',
    () => {
      const common = [input, '--steps', '600', '--every', '20', '--seed', '8', '--checkpoint-every', '20', '--quiet'];
      expect(run(...common, '--out', 'f1.pdb', '--checkpoint', 'f1.json').status).toBe(0);
      // No file may grow beyond 128 blocks of 512 or 1024 bytes.
      const words = [process.execPath, cli, 'chain', 'fold', ...common, '--out', 'f2.pdb', '--checkpoint', 'f2.json'];
      const script = `ulimit -f 128; exec ${words.map((word) => `'${word}'`).join(' ')}`;
      const full = spawnSync('sh', ['-c', script], { cwd: folder, encoding: 'utf8' });
      expect(full.stderr).toMatch(/f2\.pdb: cannot be written: EFBIG/);
      expect(full.status).toBe(2);
      expect(run('--resume', 'f2.json', '--quiet').status).toBe(0);
      expect(bytes('f2.pdb').equals(bytes('f1.pdb'))).toBe(true);
    },
  );
});
