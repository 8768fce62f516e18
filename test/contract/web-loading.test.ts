/** What a page loads, by URL and from dropped files, is what Node loads from the same files. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeStl } from '../../src/io.js';
import * as node from '../../src/node.js';
import {
  createFileSet,
  type FileSet,
  loadMesh,
  loadRobot,
  loadScene,
  loadStructure,
  nameApart,
} from '../../src/web.js';
import { collectFolder, ORIGIN, serveFolder } from '../support/folder-as-server.js';

const examples = fileURLToPath(new URL('../../examples/', import.meta.url));
const text = (content: string): Blob => new Blob([content]);
const tetrahedron = writeStl({
  vertices: Float64Array.from([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]),
  triangles: Uint32Array.from([0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]),
});

const plain = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (key, entry) =>
      // Meshes are named by their file, which has another place.
      key === 'name' && typeof entry === 'string'
        ? entry.slice(entry.lastIndexOf('/') + 1)
        : entry instanceof Map
          ? [...entry]
          : ArrayBuffer.isView(entry)
            ? Array.from(entry as Float64Array)
            : entry,
    ),
  );

describe('robots', () => {
  const options = { geometry: 'both' as const };
  async function loadBoth(file: string, srdf?: string) {
    const onDisk = await node.loadRobot(join(examples, file), { ...options, srdf: srdf && join(examples, srdf) });
    const fetched = await loadRobot(`${ORIGIN}/${file}`, {
      ...options,
      srdf: srdf && `${ORIGIN}/${srdf}`,
      fetch: serveFolder(examples),
    });
    const dropped = await loadRobot(file, { ...options, srdf, files: await createFileSet(collectFolder(examples)) });
    return { onDisk, fetched, dropped };
  }

  it.each([
    ['arm/arm.urdf', 'arm/arm.srdf'],
    ['snake/snake-30.urdf', undefined],
  ])('%s is the same three times', async (file, srdf) => {
    const { onDisk, ...others } = await loadBoth(file, srdf);
    for (const [way, { value, issues }] of Object.entries(others)) {
      expect(
        issues.map(({ code }) => code),
        way,
      ).toEqual(onDisk.issues.map(({ code }) => code));
      expect(value!.urdf, way).toBe(onDisk.value!.urdf);
      for (const part of ['description', 'semantic', 'meshes'] as const)
        expect(plain(value![part]), `${way} ${part}`).toEqual(plain(onDisk.value![part]));
      expect([...value!.files.keys()], way).toEqual([...onDisk.value!.files.keys()]);
    }
  });

  it('asks for each file once, and tells how far it is', async () => {
    const asked: string[] = [];
    const told: number[] = [];
    await loadRobot(`${ORIGIN}/arm/arm.urdf`, {
      geometry: 'both',
      fetch: serveFolder(examples, asked),
      onProgress: ({ done, total }) => told.push(done / total),
    });
    expect(new Set(asked).size).toBe(asked.length);
    expect(told).toEqual([...told].sort((a, b) => a - b));
    expect(told.at(-1)).toBe(1);
  });

  it('ends when it is cancelled', async () => {
    const stop = new AbortController();
    const files = await createFileSet(collectFolder(join(examples, 'arm')));
    const loading = loadRobot('arm.urdf', {
      files,
      geometry: 'both',
      signal: stop.signal,
      onProgress: () => stop.abort(new Error('enough')),
    });
    await expect(loading).rejects.toThrow('enough');
  });
});

describe('packages, xacro and missing files', () => {
  let folder = '';
  let files: FileSet;
  const content: Record<string, string | Uint8Array> = {
    'ws/cart_description/package.xml': '<package><name>cart</name></package>',
    'ws/cart_description/urdf/cart.urdf.xacro': `<robot name="cart" xmlns:xacro="http://www.ros.org/wiki/xacro">
      <xacro:include filename="$(find wheels)/urdf/wheel.xacro"/>
      <xacro:include filename="sizes.xacro"/>
      <xacro:property name="config" value="\${xacro.load_yaml('$(find cart)/config/cart.yaml')}"/>
      <link name="base"><collision><geometry><mesh filename="package://cart/meshes/base.stl" scale="\${config['size']} 1 1"/></geometry></collision></link>
      <xacro:wheel name="left" y="\${track}"/><xacro:wheel name="right" y="-\${track}"/>
    </robot>`,
    'ws/cart_description/urdf/sizes.xacro':
      '<robot xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:property name="track" value="2"/></robot>',
    'ws/cart_description/config/cart.yaml': 'size: 3\n',
    'ws/cart_description/meshes/base.stl': tetrahedron,
    'ws/wheels/package.xml': '<package><name>wheels</name></package>',
    'ws/wheels/urdf/wheel.xacro': `<robot xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:macro name="wheel" params="name y">
      <link name="\${name}"><collision><geometry><mesh filename="file://$(find wheels)/meshes/wheel.stl"/></geometry></collision></link>
      <joint name="\${name}_axle" type="continuous"><parent link="base"/><child link="\${name}"/><origin xyz="0 \${y} 0"/><axis xyz="0 1 0"/></joint>
    </xacro:macro></robot>`,
    'ws/wheels/meshes/wheel.stl': tetrahedron,
  };
  const robot = 'ws/cart_description/urdf/cart.urdf.xacro';
  const packages = { cart: `${ORIGIN}/ws/cart_description` };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'clearance-web-'));
    for (const [path, bytes] of Object.entries(content)) {
      mkdirSync(join(folder, dirname(path)), { recursive: true });
      writeFileSync(join(folder, path), bytes);
    }
    files = await createFileSet(collectFolder(folder));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('expands a xacro with what it includes from other packages, whose meshes are found', async () => {
    const onDisk = await node.loadRobot(join(folder, robot));
    expect(onDisk.issues).toEqual([]);
    const dropped = await loadRobot(robot, { files });
    const fetched = await loadRobot(`${ORIGIN}/${robot}`, { fetch: serveFolder(folder), packages });
    for (const { value, issues } of [dropped, fetched]) {
      expect(issues).toEqual([]);
      expect(value!.description.collisions.map(({ link }) => link)).toEqual(['base', 'left', 'right']);
      expect(plain([...value!.meshes.values()])).toEqual(plain([...onDisk.value!.meshes.values()]));
      expect(value!.description.model.joints).toEqual(onDisk.value!.description.model.joints);
    }
    expect(plain(dropped.value!.description.collisions.map(({ shape }) => 'scale' in shape && shape.scale))).toEqual(
      [[3, 1, 1], false, false].map((scale) => scale),
    );
  });

  it('tells each missing file as dropped, whichever it is, by every way', async () => {
    const meshes = Object.keys(content).filter((path) => path.endsWith('.stl'));
    for (const gone of meshes) {
      const left = collectFolder(folder).filter(([path]) => path !== gone);
      const serve = serveFolder(folder);
      const ways = [
        loadRobot(robot, { files: await createFileSet(left) }),
        loadRobot(`${ORIGIN}/${robot}`, {
          packages,
          fetch: async (url) => (url.endsWith(`/${gone}`) ? new Response('', { status: 404 }) : serve(url)),
        }),
      ];
      for (const { value, issues } of await Promise.all(ways)) {
        expect(issues, gone).toMatchObject([{ severity: 'error', assumes: 'dropped' }]);
        expect(issues[0].element).toMatch(/^link "/);
        expect(value!.meshes.size).toBe(1);
      }
    }
    const broken = collectFolder(folder).map(
      ([path, blob]) => [path, path.endsWith('.stl') ? blob.slice(0, 90) : blob] as const,
    );
    const { value, issues } = await loadRobot(robot, { files: await createFileSet(broken) });
    expect(value!.meshes.size).toBe(0);
    expect(issues.filter(({ assumes }) => assumes === 'dropped').length).toBeGreaterThanOrEqual(2);
  });

  it('refuses what leads to another server, and what it cannot resolve', async () => {
    const urdf = (mesh: string): string =>
      `<robot name="r"><link name="a"><collision><geometry><mesh filename="${mesh}"/></geometry></collision></link></robot>`;
    for (const [mesh, code] of [
      ['https://elsewhere.example/a.stl', 'path-outside'],
      ['//elsewhere.example/a.stl', 'path-outside'],
      ['ftp://robots.example/a.stl', 'bad-uri'],
      ['file:///etc/passwd.stl', 'bad-uri'],
      ['package://nowhere/a.stl', 'package-not-found'],
      ['../../../../a.stl', 'file-not-found'],
    ]) {
      const asked: string[] = [];
      const { issues } = await loadRobot(`${ORIGIN}/r/r.urdf`, {
        fetch: async (url) => {
          asked.push(url);
          return url.endsWith('r.urdf') ? new Response(urdf(mesh)) : new Response('', { status: 404 });
        },
      });
      expect(issues, mesh).toMatchObject([{ code, severity: 'error', assumes: 'dropped', element: 'link "a"' }]);
      expect(asked.every((url) => new URL(url).origin === ORIGIN)).toBe(true);
    }
  });
});

describe('scenes', () => {
  const scene = {
    version: 1,
    objects: [{ name: 'brick', shape: { type: 'mesh', file: 'parts/brick.stl' }, pose: [0, 0, 0, 0, 0, 0, 1] }],
    robots: [
      { name: 'left', file: 'left/arm.urdf', pose: [0, 0, 0, 0, 0, 0, 1] },
      { name: 'right', file: 'right/arm.urdf', srdf: 'right/arm.srdf', pose: [1, 0, 0, 0, 0, 0, 1], q: [] },
    ],
  };
  const urdf = `<robot name="arm"><link name="base"><collision><geometry><mesh filename="meshes/base.stl"/></geometry></collision></link></robot>`;
  const given = [
    ['scene.json', text(JSON.stringify(scene))],
    ['parts/brick.stl', new Blob([tetrahedron as Uint8Array<ArrayBuffer>])],
    ['left/arm.urdf', text(urdf)],
    ['left/meshes/base.stl', new Blob([tetrahedron as Uint8Array<ArrayBuffer>])],
    ['right/arm.urdf', text(urdf)],
    ['right/arm.srdf', text('<robot name="arm"/>')],
    [
      'right/meshes/base.stl',
      new Blob([
        writeStl({
          vertices: Float64Array.from([0, 0, 0, 2, 0, 0, 0, 2, 0]),
          triangles: Uint32Array.of(0, 1, 2),
        }) as Uint8Array<ArrayBuffer>,
      ]),
    ],
  ] as const;

  it('loads robots of the same references apart', async () => {
    const { value, issues } = await loadScene('scene.json', { files: await createFileSet(given) });
    expect(issues.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(value!.robots.get('left')!.meshes.get('meshes/base.stl')!.triangles.length).toBe(12);
    expect(value!.robots.get('right')!.meshes.get('meshes/base.stl')!.triangles.length).toBe(3);
    expect(value!.robots.get('right')!.semantic).not.toBeNull();
    expect(value!.meshes.get('parts/brick.stl')!.triangles.length).toBe(12);
  });

  it('says that a robot is left out', async () => {
    const left = given
      .map(([path, blob]) => [path === 'left/arm.urdf' ? 'left/leg.urdf' : path, blob] as const)
      .filter(([path]) => path !== 'right/arm.urdf');
    const { value, issues } = await loadScene('scene.json', { files: await createFileSet(left) });
    expect([...value!.robots.keys()]).toEqual([]);
    for (const name of ['left', 'right'])
      expect(issues).toContainEqual(
        expect.objectContaining({ code: 'robot-dropped', element: `robot "${name}"`, assumes: 'dropped' }),
      );
  });
});

describe('files as given', () => {
  it('never lets one take the place of another', () => {
    const name = fc.constantFrom('part.stl', 'a/part.stl', 'part (2).stl', '.hidden', 'part', 'x.urdf.xacro');
    fc.assert(
      fc.property(fc.array(name, { maxLength: 12 }), (names) => {
        const named = nameApart(names.map((path, i) => [path, text(String(i))] as const));
        expect(named.size).toBe(names.length);
        for (const path of named.keys()) expect(path).toMatch(/(\.stl|\.hidden|part|\.urdf\.xacro)( \(\d+\))?$/);
      }),
    );
    expect([
      ...nameApart([
        ['part.stl', text('1')],
        ['part.stl', text('2')],
      ]).keys(),
    ]).toEqual(['part.stl', 'part (2).stl']);
  });

  it('reads what a zip holds, and says what is wrong with one that is damaged', async () => {
    const zip = zipSync({ 'arm/meshes/a.stl': tetrahedron, 'arm/b.txt': new TextEncoder().encode('b') });
    const files = await createFileSet([['arm.zip', new Blob([zip as Uint8Array<ArrayBuffer>])]]);
    expect(files.paths).toEqual(['arm/arm/b.txt', 'arm/arm/meshes/a.stl']);
    expect((await loadMesh('arm/arm/meshes/a.stl', { files })).value!.triangles.length).toBe(12);
    const cut = await createFileSet([['arm.zip', new Blob([zip.slice(0, 60) as Uint8Array<ArrayBuffer>])]]);
    expect(cut.paths).toEqual([]);
    expect(cut.issues).toMatchObject([{ severity: 'error', code: 'bad-zip', file: 'arm.zip', assumes: 'dropped' }]);
    const wrong = zip.slice();
    // A byte of the first file's packed content.
    wrong[60] ^= 0xff;
    const damaged = await createFileSet([['arm.zip', new Blob([wrong as Uint8Array<ArrayBuffer>])]]);
    const { value, issues } = await loadMesh('arm/arm/meshes/a.stl', { files: damaged });
    expect(value).toBeNull();
    expect(issues).toMatchObject([{ severity: 'error', code: 'file-unreadable', assumes: 'dropped' }]);
  });

  it('refuses misuse and what is not there by name', async () => {
    await expect(loadMesh('part.stl')).rejects.toThrow(/load: file, got "part.stl" outside a page/);
    const files = await createFileSet([]);
    for (const load of [loadMesh, loadRobot, loadScene]) {
      const { value, issues } = await load('part.stl', { files });
      expect(value).toBeNull();
      expect(issues).toMatchObject([{ severity: 'error', code: 'file-not-found' }]);
    }
    expect((await loadStructure('x.txt', { files })).issues).toMatchObject([{ code: 'unknown-format' }]);
  });
});
