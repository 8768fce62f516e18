/** The rules of the code base that a reader relies on: who imports whom, what a file may hold, what is committed. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const longestFile = 800;
/** Files beyond this stand below with a reason. */
const longFile = 500;
const longFiles: Readonly<Record<string, string>> = {
  'assembly/chain/chain-update.ts': 'one pass over a chain: what it fits a box from is in registers of the same loop',
  'assembly/convex/convex-epa.ts':
    'one polytope: its faces, edges and horizon share memory that nothing else may touch',
  'assembly/convex/convex-polish.ts': 'every way to sharpen a depth, tried one after another on the same state',
  'assembly/mesh/ray.ts': 'first, all and any hit on both kinds of trees, inlined into one walk each',
  'bench/suites/chain.mjs': 'tables and figures of one paper, which are read side by side',
  'src/broadphase/proxy-set.ts': 'three files would each need all of its private rows',
  'src/io/robot/xacro/expand.ts': 'one interpreter: every element of the language once',
  'src/io/scene-file.ts': 'one schema, field by field, as docs/formats.md has it',
  'src/model/build-model.ts': 'one pass from a description to flat arrays, in the order of the arrays',
  'src/narrowphase/cast-ray-shape.ts': 'one closed form per shape, each of some lines',
  'src/narrowphase/ray-spans.ts': 'where a line meets each convex shape, some lines a shape',
  'src/scene/queries/monitor.ts': 'bounds, candidates and events of one loop that runs at control rate',
  'src/trajectory/time-optimal.ts': 'one method of one paper, section by section',
  'test/package/golden.mjs': 'one file that every engine runs: an area after the other',
  'test/cli/cli.test.ts': 'what holds for all commands together',
  'test/cli/options/cases.ts': 'a table: one row per option',
  'test/cli/options/fixtures.ts': 'files of every kind that the rows of the options read',
  'test/contract/broad-phases.test.ts': 'one suite that every broad phase passes',
  'test/contract/joints.test.ts': 'one suite that every joint passes',
  'test/support/doors/scene-arguments.ts': 'a table: one entry per function',
};

/** Imports go strictly down this list; folders of one row never import each other. */
const ranks: readonly (readonly string[])[] = [
  ['math'],
  ['kernel'],
  ['geometry', 'model', 'plane'],
  ['bvh', 'broadphase', 'kinematics', 'semantics'],
  ['narrowphase', 'dynamics'],
  ['chain', 'compile'],
  ['scene', 'molecule', 'planning'],
  ['ik', 'trajectory', 'rigid', 'simulation', 'fleet'],
  ['control', 'tasks'],
  ['io'],
  ['node', 'three', 'parallel', 'web'],
  ['cli'],
];
const rankOf = new Map(ranks.flatMap((folders, rank) => folders.map((folder) => [folder, rank] as const)));

/** Folders that may import a host's own modules. */
const hostImports: readonly { readonly module: RegExp; readonly folders: readonly string[] }[] = [
  { module: /^node:/, folders: ['node', 'cli', 'parallel'] },
  { module: /^three(\/|$)/, folders: ['three'] },
];

/** Every file here holds an algorithm and opens with the comment that says which. */
const algorithmFolders = ['narrowphase', 'bvh', 'broadphase', 'planning', 'kinematics'];

/** Files that may use functions whose last bits the engine chooses, and why no result depends on them. */
const engineDefinedAllowed: Readonly<Record<string, string>> = {
  'src/cli/plots/bar-plot.ts': 'axis of a picture',
  'src/cli/plots/line-plot.ts': 'ticks of a picture',
  'src/io/robot/xacro/parse-expression.ts': 'names of operators',
  'src/io/robot/xacro/evaluate.ts': 'the power of big integers, which is exact; others go through math/elementary',
  'viewer/src/protein/backbone-tube.ts': 'drawn tube',
  'viewer/src/protein/torsion-drag.ts': "angle of a pointer's gesture",
  'viewer/src/protein/torsion-editor.ts': 'pointer distances and labels on the screen',
  'viewer/src/protein/torsion-handle.ts': 'drawn handle and the gesture on it',
  'viewer/src/stage/fit-view.ts': 'camera',
  'viewer/src/stage/limit-arcs.ts': 'drawn arcs',
  'viewer/src/stage/picking.ts': 'pointer distance on the screen',
  'viewer/src/stage/stage.ts': 'camera and ground grid',
  'viewer/src/stage/start-view.ts': 'camera',
};

/** Names that exist only in a page or only in Node; code that runs anywhere uses neither. */
const hostGlobals = 'document window navigator localStorage process Buffer __dirname require'.split(' ');

/** Host globals that the text uses without declaring the name itself. */
function findHostGlobals(code: string): string[] {
  return hostGlobals.filter((name) => {
    const isUsed = new RegExp(`(?<![\\w.'"\`#])${name}\\s*[.(\\[]`).test(code);
    const isDeclared = new RegExp(`\\b(?:const|let|function|private|class)\\s+${name}\\b|\\b${name}\\??: `).test(code);
    return isUsed && !isDeclared;
  });
}

function listSourceFiles(folder: string): string[] {
  const path = join(root, folder);
  if (!existsSync(path)) return [];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|mjs|js)$/.test(entry.name) && !/\.d\.ts$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split('\\').join('/'))
    .filter((file) => !/(^|\/)(dist|generated|node_modules)\//.test(file))
    .sort();
}

const readText = (file: string) => readFileSync(join(root, file), 'utf8');

/** The code without comments and without the inside of plain strings' quotes being touched. */
function stripComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[^:'"`\\])\/\/.*$/gm, '$1');
}

function listImports(text: string): string[] {
  const found = stripComments(text).matchAll(
    /\b(?:import|export)\b[^'";]*?\bfrom\s*['"]([^'"]+)['"]|\bimport\s*\(?\s*['"]([^'"]+)['"]/g,
  );
  return [...found].map((match) => match[1] ?? match[2]);
}

const folderOf = (file: string) => file.split('/')[1];
const isDoor = (file: string) => /^src\/[^/]+\.ts$/.test(file);
const isTest = (file: string) => /\.test(?:-support)?\.ts$/.test(file);

const sources = listSourceFiles('src');
const library = sources.filter((file) => !isTest(file));
const inFolders = library.filter((file) => !isDoor(file));
const doors = library.filter(isDoor);
const everything = [
  ...sources,
  ...['test', 'scripts', 'examples', 'bench', 'assembly', 'viewer/src'].flatMap(listSourceFiles),
];

describe('architecture', () => {
  it('finds the code', () => {
    expect(inFolders.length).toBeGreaterThan(10);
  });

  it('gives every folder of src a rank', () => {
    const unknown = readdirSync(join(root, 'src'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !rankOf.has(entry.name))
      .map((entry) => entry.name);
    expect(unknown).toEqual([]);
  });

  it('imports strictly down the ranks', () => {
    const wrong: string[] = [];
    for (const file of sources.filter((source) => !isDoor(source))) {
      for (const specifier of listImports(readText(file))) {
        if (!specifier.startsWith('.')) continue;
        const target = relative(root, join(root, dirname(file), specifier))
          .split('\\')
          .join('/');
        // Unit tests may use the helpers of the test folder; library code may not.
        if (isTest(file) && target.startsWith('test/')) continue;
        const from = folderOf(file);
        const to = target.startsWith('src/') && target.split('/').length > 2 ? folderOf(target) : null;
        if (to === from) continue;
        const isDown = to !== null && (rankOf.get(to) ?? Infinity) < (rankOf.get(from) ?? -Infinity);
        if (!isDown) wrong.push(`${file} imports ${specifier}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('has no circle of files that import each other, types included', () => {
    const importsOf = new Map(
      library.map((file) => [
        file,
        listImports(readText(file))
          .filter((specifier) => specifier.startsWith('.'))
          .map((specifier) => join(dirname(file), specifier).replace(/\.js$/, '.ts')),
      ]),
    );
    const circles: string[] = [];
    const done = new Set<string>();
    const visit = (file: string, path: readonly string[]): void => {
      const at = path.indexOf(file);
      if (at >= 0) circles.push([...path.slice(at), file].join(' -> '));
      if (at >= 0 || done.has(file)) return;
      for (const next of importsOf.get(file) ?? []) visit(next, [...path, file]);
      done.add(file);
    };
    for (const file of library) visit(file, []);
    expect(circles).toEqual([]);
  });

  it('has no command that imports a command', () => {
    const wrong = library
      .filter((file) => file.startsWith('src/cli/commands/'))
      .flatMap((file) =>
        listImports(readText(file))
          .filter((specifier) => /^\.\/|\/commands\//.test(specifier))
          .map((specifier) => `${file} imports ${specifier}`),
      );
    expect(wrong).toEqual([]);
  });

  it('names only tests that exist', () => {
    const tests = everything.filter(isTest);
    const wrong = [...library, ...listSourceFiles('assembly')].flatMap((file) =>
      [...readText(file).matchAll(/[\w./-]*\.test\.ts\b/g)]
        .map(([name]) => name)
        .filter((name) => !tests.some((test) => test === name || test.endsWith(`/${name.split('/').pop()}`)))
        .map((name) => `${file} names ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  it('spells out the extension of every relative import', () => {
    const wrong = library.flatMap((file) =>
      listImports(readText(file))
        .filter((specifier) => specifier.startsWith('.') && !specifier.endsWith('.js'))
        .map((specifier) => `${file} imports ${specifier}`),
    );
    expect(wrong).toEqual([]);
  });

  it('keeps Node and three.js in their own folders', () => {
    const wrong = inFolders.flatMap((file) =>
      listImports(readText(file))
        .filter((specifier) =>
          hostImports.some(({ module, folders }) => module.test(specifier) && !folders.includes(folderOf(file))),
        )
        .map((specifier) => `${file} imports ${specifier}`),
    );
    expect(wrong).toEqual([]);
  });

  it('keeps the globals of pages and of Node out of code that runs anywhere', () => {
    const wrong = inFolders
      .filter((file) => !['node', 'cli', 'three', 'parallel', 'web'].includes(folderOf(file)))
      .flatMap((file) => findHostGlobals(stripComments(readText(file))).map((name) => `${file}: ${name}`));
    expect(wrong).toEqual([]);
  });

  it('uses import.meta and top-level await only where there is no CommonJS form, or the build writes one', () => {
    // The command line has none; in the file that starts workers, the build puts the file's own URL.
    const starter = 'src/parallel/start-worker.ts';
    const wrong = library
      .filter((file) => folderOf(file) !== 'cli' && file !== starter)
      .filter((file) => /\bimport\.meta\b|^await\b/m.test(stripComments(readText(file))));
    expect(wrong).toEqual([]);
  });

  it('takes no randomness and no clock from the host outside the command line', () => {
    const wrong = inFolders
      .filter((file) => !['cli', 'node'].includes(folderOf(file)))
      .filter((file) => /\bMath\.random\b|\bDate\.now\b|\bnew Date\b/.test(stripComments(readText(file))));
    expect(wrong).toEqual([]);
  });

  it('leaves no function to the engine that a result can depend on', () => {
    // ECMAScript leaves the accuracy of these to the engine; V8 and JavaScriptCore differ in some. `math/scalar` and
    // `math/elementary` have their own. Powers: squares and powers of whole literals are exact everywhere.
    const engineDefined =
      /\bMath\s*(?:\.\s*(?:a?(?:sin|cos|tan)h?|atan2|log(?:2|10|1p)?|exp(?:m1)?|pow|cbrt|hypot)\b|\[)|[=,(]\s*Math\s*[;,)]/;
    const wrong: string[] = [];
    const files = [
      ...library,
      ...listSourceFiles('assembly'),
      ...listSourceFiles('viewer/src').filter((file) => !isTest(file)),
    ];
    for (const file of files.filter((source) => !(source in engineDefinedAllowed))) {
      for (const line of stripComments(readText(file)).split('\n')) {
        const powers = [...line.matchAll(/(\S+)\s*\*\*=?\s*(\S+)/g)].filter(
          ([, base, exponent]) =>
            !/^2(?![.\d])/.test(exponent) && !(/(?:^|[^\w.)\]])\d+$/.test(base) && /^-?\d+(?![.\d])/.test(exponent)),
        );
        if (engineDefined.test(line) || powers.length > 0) wrong.push(`${file}: ${line.trim()}`);
      }
    }
    expect(wrong).toEqual([]);
    const needless = Object.keys(engineDefinedAllowed).filter((file) => {
      const code = stripComments(readText(file));
      return !engineDefined.test(code) && !/\*\*/.test(code);
    });
    expect(needless).toEqual([]);
  });

  it(`keeps every file within ${longestFile} lines`, () => {
    const wrong = everything
      .map((file) => ({ file, lines: readText(file).split('\n').length }))
      .filter(({ lines }) => lines > longestFile)
      .map(({ file, lines }) => `${file}: ${lines} lines`);
    expect(wrong).toEqual([]);
  });

  it(`has a reason for every file of more than ${longFile} lines, and no reason for others`, () => {
    const long = everything.filter((file) => readText(file).split('\n').length > longFile);
    expect(long.filter((file) => !(file in longFiles))).toEqual([]);
    expect(Object.keys(longFiles).filter((file) => !long.includes(file))).toEqual([]);
  });

  it('has doors that list names by hand and hold nothing else', () => {
    const statement = /^(?:export (?:type )?\{[^{}*]*\} from '\.\/[\w-]+\/[\w/-]+\.js';\s*)+$/;
    const wrong = doors.filter((file) => !statement.test(stripComments(readText(file)).trim()));
    expect(wrong).toEqual([]);
  });

  it('has doors through which classes pass as types only: create functions make their objects', () => {
    const errors = ['MisuseError', 'ParallelError'];
    const wrong = doors.flatMap((file) =>
      [...readText(file).matchAll(/export \{([^}]*)\} from '(.*?)\.js'/g)].flatMap(([, list, source]) => {
        const code = readText(join(dirname(file), `${source}.ts`));
        return list
          .split(',')
          .map((name) => name.trim())
          .filter((name) => new RegExp(`export (?:abstract )?class ${name || '-'}\\b`).test(code))
          .filter((name) => !errors.includes(name))
          .map((name) => `${file}: ${name}`);
      }),
    );
    expect(wrong).toEqual([]);
  });

  it('keeps the door clearance to what most programs need, all of it in the door of its folder too', () => {
    const listNames = (file: string, kind: string): string[] =>
      [...readText(file).matchAll(new RegExp(`export ${kind}\\{([^}]*)\\}`, 'g'))]
        .flatMap(([, list]) => list.split(',').map((name) => name.trim()))
        .filter((name) => name !== '');
    expect(listNames('src/index.ts', '').length).toBeLessThan(50);
    const rest = doors.filter((file) => file !== 'src/index.ts');
    for (const kind of ['', 'type ']) {
      const elsewhere = new Set(rest.flatMap((file) => listNames(file, kind)));
      expect(listNames('src/index.ts', kind).filter((name) => !elsewhere.has(name))).toEqual([]);
    }
  });

  it('has a door for every subpath, a subpath for every door, a page for each, no wildcard', () => {
    const { exports: subpaths } = JSON.parse(readText('package.json')) as { exports: Record<string, unknown> };
    const names = Object.keys(subpaths)
      .filter((name) => name !== './package.json' && name !== './kernel.wasm')
      .map((name) => (name === '.' ? 'index' : name.slice(2)));
    expect(names.filter((name) => name.includes('*'))).toEqual([]);
    const { entryPoints } = JSON.parse(readText('typedoc.json')) as { entryPoints: string[] };
    expect(entryPoints.map((file) => file.slice('src/'.length, -'.ts'.length)).sort()).toEqual([...names].sort());
    expect(names.sort()).toEqual(doors.map((file) => file.slice('src/'.length, -'.ts'.length)).sort());
  });

  it('lets examples and benches in through the doors only', () => {
    const wrong = ['examples', 'bench'].flatMap(listSourceFiles).flatMap((file) =>
      listImports(readText(file))
        .filter((specifier) => /(^|\/)(src|dist\/(?:esm|cjs))\/[\w-]+\//.test(specifier))
        .map((specifier) => `${file} imports ${specifier}`),
    );
    expect(wrong).toEqual([]);
  });

  it('opens every algorithm file with the comment that explains it', () => {
    const wrong = inFolders
      .filter((file) => algorithmFolders.includes(folderOf(file)))
      .filter((file) => !/^\/\*\*[\s\S]{40,}?\*\//.test(readText(file)));
    expect(wrong).toEqual([]);
  });

  it('lists every source that the code cites', () => {
    const listed = readText('docs/sources.md');
    const cited = [...sources, ...listSourceFiles('assembly')].flatMap((file) =>
      [...readText(file).matchAll(/doi:\s*(10\.[^\s,;()]+)|arXiv:([\d.]+\d)/g)].map((match) =>
        (match[1] ?? match[2]).replace(/\.$/, ''),
      ),
    );
    expect([...new Set(cited)].filter((source) => !listed.includes(source))).toEqual([]);
  });

  it('leaves no test skipped without a condition and none singled out', () => {
    const self = 'test/architecture.test.ts';
    const wrong = everything
      .filter((file) => isTest(file) && file !== self)
      .flatMap((file) =>
        stripComments(readText(file))
          .split('\n')
          .filter((line) => /\b(?:it|test|describe|suite)\.(?:only|skip|todo|fails)\b/.test(line))
          .map((line) => `${file}: ${line.trim()}`),
      );
    expect(wrong).toEqual([]);
  });

  it('names no machine path', () => {
    const machinePath = /(?<![\w.-])\/(?:(?:home|Users)\/(?!someone\b)|(?:root|work|tmp)\/)[\w.-]+/;
    const self = 'test/architecture.test.ts';
    const wrong = [...everything, ...listSourceFiles('.ci')]
      .filter((file) => file !== self)
      .flatMap((file) =>
        readText(file)
          .split('\n')
          .filter((line) => machinePath.test(line))
          .map((line) => `${file}: ${line.trim()}`),
      );
    expect(wrong).toEqual([]);
  });
});

describe.skipIf(!existsSync(join(root, '.git')))('repository (skipped in a copy without its history)', () => {
  it('commits nothing that is generated', () => {
    const committed = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0');
    const generated = committed.filter((file) =>
      /(^|\/)(node_modules|dist|generated|coverage)\/|^docs\/api\/|\.(wasm|tgz|tsbuildinfo)$/.test(file),
    );
    expect(generated).toEqual([]);
  });
});
