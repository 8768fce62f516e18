/** Damage that was read as something else without a word: each is refused now, or told where answers carry it on. */
import { describe, expect, it } from 'vitest';
import { parseChainFile } from '../../src/io/chain-file.js';
import { parsePcd } from '../../src/io/cloud/pcd.js';
import type { Issue, Parsed } from '../../src/io/issue.js';
import { parseMesh } from '../../src/io/mesh/mesh.js';
import type { MeshFormat } from '../../src/io/mesh/mesh-content.js';
import { parseSrdf } from '../../src/io/robot/srdf.js';
import { parseUrdf, readUrdf } from '../../src/io/robot/urdf.js';
import { expandXacro } from '../../src/io/robot/xacro.js';
import { parseTrajectoryFile } from '../../src/io/trajectory/trajectory-file.js';
import { cubeCollada, cubeGltf } from './mesh-samples.js';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const told = (issues: readonly Issue[]): string[] =>
  issues.filter(({ severity, assumes }) => severity === 'error' || assumes !== undefined).map(({ code }) => code);

const SQUARE = 'v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n';
const plyText = (body: string): string =>
  `ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n${body}`;
const FACES = 'element face 1\nproperty list uchar int vertex_indices\n';
const STRIPS = 'element tristrips 1\nproperty list int int vertex_indices\n';
const POINTS = '0 0 0\n1 0 0\n0 1 0\n';
const facet = (lines: string): string => `solid a\nfacet normal 0 0 1\n${lines}endloop\nendfacet\nendsolid a\n`;

describe('meshes', () => {
  it.each<[what: string, format: MeshFormat, content: string | Uint8Array, code: string]>([
    ['an OBJ cut within its last face', 'obj', `${SQUARE}f 1 2 3 4\nf 1 2 3`, 'unfinished-line'],
    ['an OFF cut within its last index', 'off', 'OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2', 'unfinished-line'],
    ['a PLY cut within its last index', 'ply', plyText(`${FACES}end_header\n${POINTS}3 0 1 2`), 'unfinished-line'],
    ['triangles cut within their last number', 'tris', '1\n0 0 0\n1 0 0\n0 1 0', 'unfinished-line'],
    ['a face whose f became g', 'obj', `${SQUARE}f 1 2 3\ng 1 3 4\n`, 'numbers-in-name'],
    ['a name that took a vertex and its letter', 'obj', `o boxx 5 5 5\n${SQUARE}f 1 2 3\n`, 'numbers-in-name'],
    ['a zero byte for the end of a name', 'obj', `o box\0v 5 5 5\n${SQUARE}f 1 2 3\n`, 'wrong-content'],
    ['a vertex before its loop', 'stl', facet('vertex 0 1 0\nvertex 1 0 0\nouter loop\nvertex 0 0 0\n'), 'stl-facet'],
    ['an element that is no "face"', 'ply', plyText(`${FACES}${STRIPS.replace('tristrips', 'tristripz')}end_header\n${POINTS}3 0 1 2\n3 0 1 2\n`), 'ply-element'], // biome-ignore format: one row
    ['a list that is no "vertex_indices"', 'ply', plyText(`${FACES}${STRIPS.replace('indices', 'indicez')}end_header\n${POINTS}3 0 1 2\n3 0 1 2\n`), 'ply-element'], // biome-ignore format: one row
    ['a word that no header has', 'ply', plyText(`elemenu face 1\nend_header\n${POINTS}`), 'ply-header'],
    ['an element whose bracket is lost', 'dae', cubeCollada('', '<node><instance_geometry url="#cube"/>instance_geometry url="#cube"/></node>'), 'collada-text'], // biome-ignore format: one row
    ['a geometry that nothing shows any more', 'dae', cubeCollada('', '<node/>'), 'collada-unused'],
    ['a unit outside of its asset', 'dae', encode(new TextDecoder().decode(cubeCollada('')).replace('</asset>', '</asset><unit meter="0.01"/>')), 'collada-unknown'], // biome-ignore format: one row
    ['positions under another name', 'gltf', cubeGltf((json) => { json.meshes = [{ primitives: [{ attributes: { POSITIOM: 0 }, indices: 1 }] }]; }), 'gltf-primitive'], // biome-ignore format: one row
    ['a mesh that no node shows', 'gltf', cubeGltf((json) => { (json.meshes as unknown[]).push({ primitives: [] }); }), 'gltf-unused-mesh'], // biome-ignore format: one row
    ['a count of indices that became smaller', 'gltf', cubeGltf((json) => { (json.accessors as { count: number }[])[1].count = 30; }), 'gltf-unread-bytes'], // biome-ignore format: one row
  ])('%s', async (_, format, content, code) => {
    const { issues } = await parseMesh(typeof content === 'string' ? encode(content) : content, { format });
    expect(told(issues)).toContain(code);
  });

  it('what is whole is not told of', async () => {
    for (const [format, content] of [
      ['obj', encode(`o box 1\ng 1 2\n${SQUARE}f 1 2 3\n# end`)],
      ['stl', encode(facet('outer loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n').trimEnd())],
      ['ply', encode(plyText(`${FACES}${STRIPS}end_header\n${POINTS}3 0 1 2\n3 0 1 2\n`))],
      ['dae', cubeCollada('<unit meter="0.01"/>')],
      ['gltf', cubeGltf()],
    ] as const)
      expect((await parseMesh(content, { format })).issues, format).toEqual([]);
  });

  it('a vertex that is no point and that no face names adds nothing to a hull', async () => {
    const { value } = await parseMesh(encode('v 5 5 5\nv 6 5 5\nv 5 6 5\nv nan 0 0\nf 1 2 3\n'), { format: 'obj' });
    expect(Array.from(value!.mesh.vertices)).toEqual([5, 5, 5, 6, 5, 5, 5, 6, 5, 5, 5, 5]);
  });
});

describe('robots', () => {
  const robot = (body: string, more = ''): string => `<robot name="r"${more}>${body}</robot>`;
  const ball = '<geometry><sphere radius="1"/></geometry>';
  it.each([
    ['a mimic whose bracket is lost', '<link name="a"/><link name="b"/><joint name="j" type="revolute"><parent link="a"/><child link="b"/><limit lower="-1" upper="1"/>mimic joint="k"/></joint>', 'stray-text'], // biome-ignore format: one row
    ['an origin whose bracket is lost', `<link name="a"><collision>origin xyz="0 0 1"/>${ball}</collision></link>`, 'stray-text'], // biome-ignore format: one row
    ['an origin with a prefix in its name', `<link name="a"><collision><or:gin xyz="0 0 1"/>${ball}</collision></link>`, 'unknown-element'], // biome-ignore format: one row
    ['an element of a namespace that nothing declares', '<link name="a"/><xbcro:arm name="b"/>', 'unknown-element'],
  ])('%s', (_, body, code) => {
    const { value, issues } = parseUrdf(robot(body));
    expect(told(issues)).toContain(code);
    expect(value!.assumed).not.toBeUndefined();
  });

  it('names and remarks among elements, and namespaces that are declared, are let be', () => {
    const text = robot(
      `<link name="a"><collision>a_name > <x:note y="1"/>${ball}</collision></link><x:more/>`,
      ' xmlns:x="http://x"',
    );
    expect(told(parseUrdf(text).issues)).toEqual([]);
  });

  it('an argument of a macro that fell out of its tag', () => {
    const { value, issues } = expandXacro(
      robot(
        `<xacro:macro name="m" params="radius:=1"><link name="a"><collision><geometry><sphere radius="\${radius}"/></geometry></collision></link></xacro:macro><xacro:m >adius="2"></xacro:m>`,
        ' xmlns:xacro="http://ros.org/wiki/xacro"',
      ),
    );
    expect(told(readUrdf(value!, undefined, issues).issues)).toContain('stray-text');
  });

  it.each([
    ['a pair that is checked all the same', '<enable_collision link1="a" link2="b"/>', 'error'],
    ['a sphere', '<link_sphere_approximation link="a"><spere center="0 0 0" radius="1"/></link_sphere_approximation>', 'error'], // biome-ignore format: one row
    ['a joint of a group', '<group name="g"><link name="a"/><jo4nt name="j"/></group>', 'warning'],
    ['a joint of a state', '<group_state name="s" group="g"><join name="j" value="1"/></group_state>', 'warning'],
  ])('SRDF: %s that is misspelt', (_, body, severity) => {
    expect(parseSrdf(robot(body)).issues).toMatchObject([{ severity, code: 'unknown-element' }]);
    expect(told(parseSrdf(robot(body)).issues)).toEqual(['unknown-element']);
  });
});

describe('clouds', () => {
  const pcd = (body: string, { width = 2, points = 2, more = '' } = {}): Parsed<unknown> =>
    parsePcd(
      encode(
        `VERSION 0.7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\n${more}WIDTH ${width}\nHEIGHT 1\nPOINTS ${points}\nDATA ascii\n${body}`,
      ),
    );
  it.each([
    ['fewer points than its width and height make', pcd('0 0 0\n1 1 1\n', { points: 1 }), 'pcd-header'],
    ['more points than it announces', pcd('0 0 0\n1 1 1\n2 2 2\n'), 'surplus-data'],
    ['a word that no header has', pcd('0 0 0\n1 1 1\n', { more: 'COUMT 1 1 1\n' }), 'pcd-header'],
    ['a coordinate beyond double range', pcd('0 0 0\n1 1e400 1\n'), 'pcd-data'],
    ['a last line without its end', pcd('0 0 0\n1 1 1'), 'unfinished-line'],
  ])('%s', (_, { issues }, code) => {
    expect(told(issues)).toEqual([code]);
  });
});

describe('chains, paths and trajectories', () => {
  it('balls whose centers and radii do not fit together', () => {
    const shape = { type: 'balls', centers: [0, 5, 0, 0], radii: [1] };
    const { value, issues } = parseChainFile(JSON.stringify({ links: [{ shape }], joints: [] }));
    expect(value).toBeNull();
    expect(issues[0].message).toContain('4 numbers of centers for 1 radii');
  });

  it.each([
    ['a waypoint that is missing', 'waypoint,a\n0,1\n2,3\n', 'waypoints'],
    ['waypoints in another order', 'problem,waypoint,a\n0,1,1\n0,0,0\n', 'waypoints'],
    ['rates without their times', 'timf,a,v:a\n0,1,2\n1,2,2\n', 'header'],
    ['rates of different names', 'time,a,b,v:a,a:b\n0,1,2,0,0\n1,2,2,0,0\n', 'header'],
    ['a last row without its end', 'a,b\n0,1\n2,3.12', 'unfinished-line'],
    [
      'velocities under another name',
      '{"joints":["a"],"times":[0],"positions":[[1]],"velocitiez":[[1]]}',
      'unknown-key',
    ],
    ['joints under another name', '{"joint":["b","a"],"path":[[1,2]]}', 'unknown-key'],
  ])('%s', (_, text, code) => {
    expect(told(parseTrajectoryFile(text).issues)).toEqual([code]);
  });
});
