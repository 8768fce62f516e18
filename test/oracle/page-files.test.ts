/**
 * Files of the reference data and of the examples in the page, through its own modules: dropped, and by the session that `clearance view`
 * serves. Verdict, touching pairs with their depths, the nearest pair and what is assumed are those of the command line; so are the clashes
 * of proteins. ORACLE_FULL takes every file.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { startViewer } from '../../src/cli/viewer-server.js';
import { createFileSet } from '../../src/web.js';
import type { Content } from '../../viewer/src/load/content.js';
import { loadGivenFiles } from '../../viewer/src/load/given-files.js';
import { loadSession, type Session } from '../../viewer/src/load/session.js';
import { readProtein } from '../../viewer/src/protein/load-protein.js';
import { findNearest, listContacts, measureContacts } from '../../viewer/src/queries.js';
import { describeVerdict } from '../../viewer/src/verdict-state.js';
import { createWorkspace, disposeWorkspace } from '../../viewer/src/workspace.js';
import { needsShared, sharedPath } from '../shared.js';
import { callCommandLine } from '../support/command-line.js';

const isFull = process.env.ORACLE_FULL !== undefined;
const examples = fileURLToPath(new URL('../../examples/', import.meta.url));
const data = sharedPath('data');
const page = mkdtempSync(join(tmpdir(), 'clearance-no-page-'));
afterAll(() => rmSync(page, { recursive: true, force: true }));

function listFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? listFiles(path) : entry.isFile() ? [path] : [];
  });
}

const rows = data
  ? readFileSync(join(data, 'MANIFEST.tsv'), 'utf8')
      .split('\n')
      .slice(1)
      .map((line) => line.split('\t'))
  : [];
const robots = rows.filter(([path, format]) => format === 'urdf' && path.startsWith('robots/')).map(([path]) => path);
const proteins = rows.filter(([path]) => path.startsWith('proteins/') && /\.(pdb|cif|bcif)(\.gz)?$/.test(path));
/** Of every kind: meshes of each format, several packages, nothing but primitives, files that are missing. */
const some = /iiwa14_primitive|panda\.urdf|ur5|talos_left_arm|kinova\.urdf|dual/;

/** Those of the robot, and no other robot's. */
function robotFiles(folder: string, file: string, srdf: string | undefined): string[] {
  return listFiles(folder).filter(
    (path) => path === file || path === srdf || !/\.(urdf|srdf|xacro|json|csv)$/i.test(path),
  );
}

async function drop(folder: string, files: readonly string[]): Promise<Content> {
  const given = files.map((path): [string, Blob] => [relative(folder, path), new Blob([readFileSync(path)])]);
  return loadGivenFiles(await createFileSet(given));
}

async function serve(file: string, args: Parameters<typeof startViewer>[1]): Promise<Content> {
  const server = await startViewer([file], args, { port: 0, page });
  try {
    const session = (await (await fetch(`${server.url}api/session.json`)).json()) as Session;
    return (await loadSession(session, server.url, () => {})).content;
  } finally {
    await server.close();
  }
}

interface Answer {
  readonly free?: boolean;
  readonly complete?: boolean;
  readonly assumed?: readonly string[];
  readonly contacts?: readonly {
    readonly a: string;
    readonly b: string;
    readonly depth?: number;
    readonly status?: string;
  }[];
  readonly distance?: number | null;
}

function ask(args: readonly string[]): Answer {
  const { out, err } = callCommandLine([...args, '--json']);
  if (out === '') throw new Error(`${args.join(' ')}: ${err}`);
  return JSON.parse(out.split('\n')[0]) as Answer;
}

/** What the page says of a content, and the configuration of its first robot. */
function look(content: Content) {
  const workspace = createWorkspace(content);
  try {
    const { scene, objectPairs, robots: shown, basis } = workspace;
    const contacts = listContacts(scene, objectPairs);
    return {
      q: shown[0] ? [...shown[0].scene.q] : [],
      kind: describeVerdict(basis, contacts.length).kind,
      pairs: contacts.map(({ a, b }) => `${a} ${b}`).sort(),
      depths: measureContacts(scene, objectPairs).map(({ a, b, depth }) => [`${a} ${b}`, depth] as const),
      distance: findNearest(scene, objectPairs)?.distance ?? null,
      assumed: basis.assumed.length,
    };
  } finally {
    disposeWorkspace(workspace);
  }
}

function expectSame(shown: ReturnType<typeof look>, check: Answer, nearest: Answer): void {
  const contacts = check.contacts ?? [];
  expect(shown.pairs).toEqual(contacts.map(({ a, b }) => `${a} ${b}`).sort());
  const depths = new Map(shown.depths);
  for (const { a, b, depth } of contacts) if (depth !== undefined) expect(depths.get(`${a} ${b}`)).toBe(depth);
  expect(shown.distance).toBe(nearest.distance ?? null);
  if (contacts.length > 0) expect(shown.kind).toBe('contact');
  else if (check.complete === false) {
    // Where no file is missing, a robot without collision shapes leaves nothing to check.
    const dropped = check.assumed?.filter((text) => text.startsWith('dropped')) ?? [];
    const isBare = dropped.every((text) => text.includes('no link has collision geometry'));
    expect(shown.kind).toBe(isBare ? 'nothing' : 'incomplete');
  } else expect(['free', 'nothing']).toContain(shown.kind);
  // The page reads what is only drawn as well, and says what of that is missing.
  if (check.assumed?.length) expect(shown.assumed).toBeGreaterThan(0);
}

describe.skipIf(!data)(`robots in the page${needsShared('data')}`, () => {
  for (const path of robots.filter((file) => isFull || some.test(file)))
    it(`${path}: dropped and served, as the command line answers`, async () => {
      const file = join(data!, path);
      const folder = join(data!, ...path.split('/').slice(0, 2));
      const stem = basename(file, '.urdf');
      const srdf = listFiles(folder).find((other) => basename(other) === `${stem}.srdf`);
      const words = ['--package-path', folder, '--allow-missing', ...(srdf ? ['--srdf', srdf] : [])];
      const dropped = look(await drop(folder, robotFiles(folder, file, srdf)));
      const state = ['--q', JSON.stringify(dropped.q)];
      const check = ask(['check', file, ...words, ...state, '--all']);
      const nearest = ask(['distance', file, ...words, ...state]);
      expectSame(dropped, check, nearest);
      const served = look(await serve(file, { packagePath: [folder], srdf } as never));
      expect(served).toEqual(dropped);
    });
});

describe('scenes of the examples in the page', () => {
  const scenes = listFiles(examples).filter(
    (file) => /\.json$/.test(file) && /"objects"\s*:|"robots"\s*:/.test(readFileSync(file, 'utf8')),
  );
  for (const file of scenes)
    it(relative(examples, file), async () => {
      const check = callCommandLine(['check', file, '--json']);
      // Worlds and tasks are files of other commands.
      if (check.status === 2) return;
      const text = readFileSync(file, 'utf8');
      const files = listFiles(examples).filter(
        (path) =>
          path === file ||
          !/\.(json|csv|urdf|srdf)$/i.test(path) ||
          (/df$/i.test(path) && text.includes(basename(path))),
      );
      const dropped = look(await drop(examples, files));
      const served = look(await serve(file, {} as never));
      expect(served).toEqual(dropped);
      const { pairs = [] } = JSON.parse(check.out.split('\n')[0]) as {
        pairs?: { a: string; b: string; distance: number }[];
      };
      // Faces that lie on each other are apart by the last bit for one test and not for the other.
      const listed = new Set(pairs.map(({ a, b }) => `${a} ${b}`));
      expect([...listed].filter((pair) => !served.pairs.includes(pair))).toEqual([]);
      for (const [pair, depth] of served.depths) if (!listed.has(pair)) expect(Math.abs(depth)).toBeLessThan(1e-12);
      const nearest = JSON.parse(callCommandLine(['distance', file, '--json']).out.split('\n')[0]) as Answer;
      // An assembly's depths are exact ones on the command line, to the last bits another way.
      expect(served.distance ?? 0).toBeCloseTo(nearest.distance ?? 0, 12);
    });
});

describe.skipIf(!data)(`proteins in the page${needsShared('data')}`, () => {
  const small = proteins.filter(([, , size]) => Number(size) < (isFull ? Infinity : 70_000));
  for (const [path] of isFull ? small : small.filter((_, i) => i % 12 === 0))
    it(`${path}: clashes as the command line counts them`, async () => {
      const file = join(data!, path);
      const { out } = callCommandLine(['chain', 'clashes', file, '--json']);
      const given = await loadGivenFiles(await createFileSet([[basename(file), new Blob([readFileSync(file)])]]));
      if (out === '') {
        expect(given.protein === null || readProtein(given.protein, []) === null).toBe(true);
        return;
      }
      const answer = JSON.parse(out) as { atoms: number; count: number; clashes: { overlap: number }[] };
      const read = readProtein({ ...given.protein!, choice: { model: 0, hydrogens: 'add' } }, [])!;
      expect(read.report.clashes.length).toBe(answer.count);
      for (const [i, { overlap }] of answer.clashes.entries()) expect(read.report.clashes[i].overlap).toBe(overlap);
      const asGiven = callCommandLine(['chain', 'clashes', file, '--json', '--hydrogens', 'as-given']);
      const { count } = JSON.parse(asGiven.out) as { count: number };
      expect(readProtein(given.protein!, [])!.report.clashes.length).toBe(count);
    });
});
