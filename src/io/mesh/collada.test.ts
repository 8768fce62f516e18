import { describe, expect, it } from 'vitest';
import { parseCollada } from './collada.js';

const POSITIONS = '0 0 0 1 0 0 1 1 0 0 1 0';
const source = (id: string, numbers: string, accessor = 'count="4" stride="3"') =>
  `<source id="${id}"><float_array id="${id}-a" count="12">${numbers}</float_array><technique_common>` +
  `<accessor source="#${id}-a" ${accessor}><param name="X" type="float"/><param name="Y" type="float"/>` +
  `<param name="Z" type="float"/></accessor></technique_common></source>`;
const mesh = (primitives: string, positions = source('p', POSITIONS)) =>
  `<geometry id="g" name="square"><mesh>${positions}<vertices id="v"><input semantic="POSITION" source="#p"/>` +
  `</vertices>${primitives}</mesh></geometry>`;
const VERTEX = '<input semantic="VERTEX" source="#v" offset="0"/>';
const TRIANGLES = `<triangles count="2">${VERTEX}<p>0 1 2 0 2 3</p></triangles>`;
const INSTANCE = '<instance_geometry url="#g"/>';

function file(parts: { asset?: string; geometries?: string; libraries?: string; nodes?: string; version?: string }) {
  return (
    `<?xml version="1.0" encoding="utf-8"?>\n<COLLADA version="${parts.version ?? '1.4.1'}">\n` +
    `<asset>${parts.asset ?? '<up_axis>Z_UP</up_axis>'}</asset>\n` +
    `<library_geometries>${parts.geometries ?? mesh(TRIANGLES)}</library_geometries>\n${parts.libraries ?? ''}\n` +
    `<library_visual_scenes><visual_scene id="s">${parts.nodes ?? `<node>${INSTANCE}</node>`}</visual_scene>` +
    '</library_visual_scenes>\n<scene><instance_visual_scene url="#s"/></scene></COLLADA>'
  );
}
const read = (text: string) => parseCollada(new TextEncoder().encode(text), { file: 'a.dae' });
const readNodes = (nodes: string) => {
  const { value, issues } = read(file({ nodes }));
  expect(issues.filter(({ severity }) => severity === 'error')).toEqual([]);
  return value!;
};
const trianglesOf = (primitives: string) => {
  const { value, issues } = read(file({ geometries: mesh(primitives) }));
  expect(issues).toEqual([]);
  return Array.from(value!.mesh.triangles);
};

describe('parseCollada: geometry', () => {
  it('reads triangles among other inputs', () => {
    const inputs = `${VERTEX.replace('offset="0"', 'offset="1"')}<input semantic="NORMAL" source="#none" offset="0"/>`;
    expect(trianglesOf(`<triangles count="1">${inputs}<p>7 0 8 1 9 2</p></triangles>`)).toEqual([0, 1, 2]);
  });

  it('reads polylist, polygons, fans and strips', () => {
    const square = [0, 1, 2, 0, 2, 3];
    expect(trianglesOf(`<polylist count="1">${VERTEX}<vcount>4</vcount><p>0 1 2 3</p></polylist>`)).toEqual(square);
    expect(trianglesOf(`<polygons count="1">${VERTEX}<p>0 1 2 3</p></polygons>`)).toEqual(square);
    expect(trianglesOf(`<trifans count="1">${VERTEX}<p>0 1 2 3</p></trifans>`)).toEqual(square);
    expect(trianglesOf(`<tristrips count="1">${VERTEX}<p>0 1 3 2</p></tristrips>`)).toEqual([0, 1, 3, 3, 1, 2]);
  });

  it('leaves lines out and joins several primitives', () => {
    const lines = `<lines count="1">${VERTEX}<p>0 1</p></lines>`;
    expect(trianglesOf(`${lines}${TRIANGLES}<triangles count="1">${VERTEX}<p>3 2 1</p></triangles>`)).toEqual([
      0, 1, 2, 0, 2, 3, 3, 2, 1,
    ]);
  });

  it('follows the accessor: offset, stride and unnamed parameters', () => {
    const positions = source('p', '9 0 7 0 0 1 7 0 0 1 7 1 0 0 7 1 0', 'count="4" stride="4" offset="1"').replace(
      '<param name="Y"',
      '<param type="float"/><param name="Y"',
    );
    const { value } = read(file({ geometries: mesh(TRIANGLES, positions.replace('count="12"', 'count="17"')) }));
    expect(Array.from(value!.mesh.vertices)).toEqual(POSITIONS.split(' ').map(Number));
  });

  it('believes the text and not the counts', () => {
    const huge = source('p', POSITIONS, 'count="1000000000" stride="3"').replace('count="12"', 'count="2000000000"');
    const { value, issues } = read(file({ geometries: mesh(TRIANGLES, huge) }));
    expect(value!.mesh.vertices.length).toBe(12);
    expect(issues.map(({ severity, code }) => `${severity} ${code}`)).toEqual([
      'warning collada-count',
      'info collada-count',
    ]);
  });

  it.each([
    ['<triangles count="3">', '<p>0 1 2 0 2 3</p></triangles>', 'collada-short-primitive'],
    ['<triangles count="1">', '</triangles>', 'collada-short-primitive'],
    ['<polylist count="2">', '<vcount>3 3</vcount><p>0 1 2</p></polylist>', 'collada-short-primitive'],
    ['<polylist count="2">', '<p>0 1 2</p></polylist>', 'collada-vcount'],
    ['<triangles count="1">', '<p>0 1 4</p></triangles>', 'bad-vertex-index'],
    ['<triangles count="1">', '<p>0 1 -1</p></triangles>', 'bad-vertex-index'],
    ['<triangles count="1">', '<p>0 1 1.5</p></triangles>', 'bad-vertex-index'],
    ['<triangles count="1">', '<p>0 1 x</p></triangles>', 'bad-number'],
  ])('refuses %s ... %s', (start, end, code) => {
    const { value, issues } = read(file({ geometries: mesh(start + VERTEX + end) }));
    expect(value).toBeNull();
    expect(issues).toMatchObject([{ severity: 'error', code, file: 'a.dae' }]);
    expect(issues[0].line).toBeGreaterThan(0);
  });

  it('refuses positions that are infinite, missing or too narrow', () => {
    const codes = [
      source('p', POSITIONS.replace('1', '1e400')),
      source('q', POSITIONS),
      source('p', POSITIONS, 'count="4" stride="2"'),
    ].map((positions) => read(file({ geometries: mesh(TRIANGLES, positions) })).issues[0].code);
    expect(codes).toEqual(['bad-number', 'collada-input', 'collada-source']);
  });
});

describe('parseCollada: scene', () => {
  const pointOf = (nodes: string, vertex: number) =>
    Array.from(readNodes(nodes).mesh.vertices.subarray(3 * vertex, 3 * vertex + 3));

  it('multiplies node transforms in document order and down the tree', () => {
    const nodes =
      '<node><translate>10 0 0</translate><scale>2 3 4</scale>' +
      `<node><rotate>0 0 1 90</rotate><translate>1 0 0</translate>${INSTANCE}</node></node>`;
    // (1, 1, 0) -> (2, 1, 0) -> (-1, 2, 0) -> (-2, 6, 0) -> (8, 6, 0)
    expect(pointOf(nodes, 2)).toEqual([8, 6, 0]);
  });

  it('reads a matrix by rows', () => {
    expect(pointOf(`<node><matrix>0 -1 0 5 1 0 0 6 0 0 1 7 0 0 0 1</matrix>${INSTANCE}</node>`, 1)).toEqual([5, 7, 7]);
  });

  it('reads lookat: the eye is the origin, the view goes along -z, up is y', () => {
    const node = `<node><lookat>1 2 3 1 2 -7 0 5 1</lookat>${INSTANCE}</node>`;
    expect(pointOf(node, 2)).toEqual([2, 3, 3]);
    const turned = `<node><lookat>0 0 0 4 0 0 0 0 1</lookat>${INSTANCE}</node>`;
    // right is -y, up is z
    expect(pointOf(turned, 2).map((x) => x + 0)).toEqual([0, -1, 1]);
  });

  it('reads skew: the first axis turns by the angle towards the second', () => {
    const [x, y] = pointOf(`<node><skew>30 0 1 0 1 0 0</skew>${INSTANCE}</node>`, 3);
    // the image of (0, 1, 0) keeps its height and leans by 30 degrees to x
    expect(Math.atan2(Math.abs(x), y)).toBeCloseTo(Math.PI / 6, 12);
    expect(y).toBe(1);
    expect(x).toBeGreaterThan(0);
  });

  it('keeps the outside outside under a mirror', () => {
    const { mesh: image } = readNodes(`<node><scale>-1 1 1</scale>${INSTANCE}</node>`);
    expect(Array.from(image.triangles)).toEqual([0, 2, 1, 0, 3, 2]);
  });

  it('places instances of nodes and geometries, in order, as parts', () => {
    const libraries = `<library_nodes><node id="n"><translate>0 0 1</translate>${INSTANCE}</node></library_nodes>`;
    const nodes =
      `<node name="base"><instance_node url="#n"/><translate>5 0 0</translate>${INSTANCE}` +
      '<node><instance_node url="#n"/></node></node>';
    const { value } = read(file({ libraries, nodes }));
    expect(value!.parts.map(({ firstTriangle, triangleCount }) => [firstTriangle, triangleCount])).toEqual([
      [0, 2],
      [2, 2],
      [4, 2],
    ]);
    expect(value!.parts.map(({ name }) => name)).toEqual(['n', 'base', 'n']);
    expect(value!.mesh.vertices.length).toBe(36);
    const origins = [0, 12, 24].map((at) => Array.from(value!.mesh.vertices.subarray(at, at + 3)));
    expect(origins).toEqual([
      [5, 0, 1],
      [5, 0, 0],
      [5, 0, 1],
    ]);
  });

  it('reads a skin as its source mesh in bind shape', () => {
    const libraries =
      '<library_controllers><controller id="c"><skin source="#g">' +
      '<bind_shape_matrix>1 0 0 0 0 1 0 0 0 0 1 9 0 0 0 1</bind_shape_matrix></skin></controller></library_controllers>';
    const nodes = '<node><instance_controller url="#c"><skeleton>#j</skeleton></instance_controller></node>';
    const { value, issues } = read(file({ libraries, nodes }));
    expect(value!.mesh.vertices[2]).toBe(9);
    expect(issues).toMatchObject([{ severity: 'warning', code: 'collada-skin' }]);
  });

  it('takes the geometries of a file without a scene, with a warning', () => {
    const text = file({})
      .replace(/<library_visual_scenes>.*<\/library_visual_scenes>/, '')
      .replace(/<scene>.*<\/scene>/, '');
    const { value, issues } = read(text);
    expect(value!.mesh.triangles.length).toBe(6);
    expect(issues).toMatchObject([{ severity: 'warning', code: 'collada-scene' }]);
  });

  it.each([
    ['<node><instance_geometry url="#none"/></node>', 'collada-reference'],
    ['<node><instance_geometry url="other.dae#g"/></node>', 'collada-reference'],
    ['<node><instance_controller url="#none"/></node>', 'collada-reference'],
    ['<node id="n"><instance_node url="#n"/></node>', 'collada-instances'],
    ['<node><scale>1 1</scale></node>', 'collada-transform'],
    ['<node><matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 0 1 1</matrix></node>', 'collada-transform'],
    ['<node><rotate>0 0 0 90</rotate></node>', 'collada-transform'],
    ['<node><lookat>0 0 0 0 0 1 0 0 1</lookat></node>', 'collada-transform'],
    ['<node><skew>90 0 1 0 1 0 0</skew></node>', 'collada-transform'],
  ])('refuses the nodes %s', (nodes, code) => {
    const { value, issues } = read(file({ nodes }));
    expect(value).toBeNull();
    expect(issues).toMatchObject([{ severity: 'error', code }]);
  });

  it('stops nodes that multiply by instancing each other', () => {
    let libraries = `<library_nodes><node id="n0">${INSTANCE}</node>`;
    for (let i = 1; i <= 40; i++) {
      libraries += `<node id="n${i}"><instance_node url="#n${i - 1}"/><instance_node url="#n${i - 1}"/></node>`;
    }
    const nodes = '<node><instance_node url="#n40"/></node>';
    const { value, issues } = read(file({ libraries: `${libraries}</library_nodes>`, nodes }));
    expect(value).toBeNull();
    expect(issues).toMatchObject([{ severity: 'error', code: 'collada-instances' }]);
    const few = '<node><instance_node url="#n12"/></node>';
    const text = file({ libraries: `${libraries}</library_nodes>`, nodes: few });
    expect(read(text).value!.mesh.triangles.length).toBe(6 * 4096);
    const limited = parseCollada(new TextEncoder().encode(text), { maximumBytes: 200_000 });
    expect(limited).toMatchObject({ value: null, issues: [{ code: 'too-large' }] });
  });
});

describe('parseCollada: asset', () => {
  const assetOf = (asset: string) => {
    const { value, issues } = read(file({ asset }));
    return [value!.unit, value!.upAxis, issues.map(({ code }) => code)];
  };

  it('reads unit and up axis, with the defaults of the standard', () => {
    expect(assetOf('<unit meter="0.0254" name="inch"/><up_axis>X_UP</up_axis>')).toEqual([0.0254, 'x', []]);
    expect(assetOf('')).toEqual([1, 'y', []]);
  });

  it('warns of a unit or an axis that is none', () => {
    expect(assetOf('<unit meter="0"/><up_axis>W_UP</up_axis>')).toEqual([1, 'y', ['collada-unit', 'collada-up-axis']]);
  });

  it('reads UTF-16 and a byte order mark', () => {
    const text = file({ version: '1.5.0' });
    const utf16 = new Uint8Array(2 * text.length + 2);
    new DataView(utf16.buffer).setUint16(0, 0xfeff, true);
    for (let i = 0; i < text.length; i++) new DataView(utf16.buffer).setUint16(2 + 2 * i, text.charCodeAt(i), true);
    expect(parseCollada(utf16).value!.mesh.triangles.length).toBe(6);
    expect(read(`\ufeff${text}`).value!.mesh.triangles.length).toBe(6);
  });

  it('refuses other XML and warns of other versions', () => {
    expect(read('<robot name="r"/>')).toMatchObject({ value: null, issues: [{ code: 'collada-root' }] });
    expect(read(file({ version: '9.9' })).issues).toMatchObject([{ severity: 'warning', code: 'collada-version' }]);
  });
});
