import { describe, expect, it } from 'vitest';
import { parseObj } from './obj.js';

const read = (source: string) => parseObj(new TextEncoder().encode(source), { file: 'a.obj' });
const SQUARE = 'v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n';

describe('parseObj', () => {
  it('reads all forms of face corners, colours and weights of vertices, comments', () => {
    const { value, issues } = read(
      `# a comment \\\nmtllib C:\\folder\\\n${SQUARE}v 2 2 2 1.0 # w\nv 3 3 3 nan nan nan\nvt 0 0\nvn 0 0 1\n` +
        'f 1 2 3\nf 1/1 2/1 3/1\nf 1//1 2//1 3//1\nf 1/1/1 2/1/1 3/1/1\nf 1// 3/ 5 # end\n',
    );
    expect(issues).toEqual([]);
    expect(value!.mesh.vertices.length).toBe(18);
    expect(Array.from(value!.mesh.triangles)).toEqual([0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 2, 4]);
    expect(value).toMatchObject({ format: 'obj', unit: null, upAxis: null });
  });

  it('reads continued lines', () => {
    const { value } = read(`v 0 \\\n 0 0\nv 1 0\\\r\n 0\nv 1 1 0\nf 1 \\\n2 \\\n3\nvt 1 \\\nf 1 1 1\nf 1 3 2`);
    expect(Array.from(value!.mesh.triangles)).toEqual([0, 1, 2, 0, 2, 1]);
  });

  it('cuts a concave polygon along its inside', () => {
    // an arrow head: the corner at (1, 1) points inwards
    const { value } = read('v 0 0 0\nv 1 1 0\nv 2 0 0\nv 1 3 0\nf 4 1 2 3');
    const triangles = value!.mesh.triangles;
    expect(triangles.length).toBe(6);
    // both halves hold the inner corner: the diagonal runs from it to the tip
    expect(triangles.slice(0, 3)).toContain(1);
    expect(triangles.slice(3, 6)).toContain(1);
  });

  it('names groups and objects as parts and leaves empty ones out', () => {
    const { value } = read(`${SQUARE}f 1 2 3\no box\ng empty\ng front side\nf 1 2 3 4\nf 1 3 4`);
    expect(value!.parts).toEqual([
      { name: '', firstTriangle: 0, triangleCount: 1 },
      { name: 'front side', firstTriangle: 1, triangleCount: 3 },
    ]);
  });

  it('keeps no names of groups without faces, and no more than 100,000 groups', () => {
    const { value, issues } = read(`${SQUARE}${'g x\n'.repeat(200_000)}f 1 2 3\n${'g y\nf 1 2 3\n'.repeat(150_000)}`);
    expect(value!.parts).toHaveLength(100_000);
    expect(value!.parts[0]).toEqual({ name: 'x', firstTriangle: 0, triangleCount: 1 });
    expect(value!.parts[99_999].triangleCount).toBe(150_001 - 99_999);
    expect(issues[0]).toMatchObject({ severity: 'warning', code: 'too-many-parts' });
  });

  it('lets faces name vertices that come later', () => {
    expect(read(`f 1 2 3\n${SQUARE}`).value!.mesh.triangles.length).toBe(3);
  });

  it('leaves faces of fewer than three corners out, with one warning and their number', () => {
    const { value, issues } = read(`${SQUARE}f 1 2\nf 1\nf 1 2 3\n`);
    expect(value!.mesh.triangles.length).toBe(3);
    expect(issues).toMatchObject([
      { severity: 'warning', code: 'short-face', line: 5 },
      { severity: 'info', code: 'short-face' },
    ]);
  });

  it('says that a file has no triangles', () => {
    expect(read('v 0 0 0\np 1\nl 1 1')).toMatchObject({
      issues: [{ severity: 'error', code: 'no-triangles', assumes: 'dropped' }],
    });
  });

  it.each(['nan nan nan', '0 nan 0', '3.1+e2 0 0', '0 0 1e999'])('lets a vertex %s be that no face names', (vertex) => {
    const { value, issues } = read(`${SQUARE}v ${vertex}\nf 1 2 3\n`);
    expect(value!.mesh.triangles.length).toBe(3);
    expect(value!.mesh.vertices.every(Number.isFinite)).toBe(true);
    expect(issues).toMatchObject([{ severity: 'warning', code: 'bad-number', line: 5 }]);
  });

  it.each([
    ['x 1 2 3', '"x" is no statement'],
    ['F 1 2 3', 'lower case'],
    ['f 1 2 3xf 1 3 4', 'names vertex 3xf'],
    ['v 0 0 0 v 1 1 1', 'a line break may be missing'],
    ['vn 0 0 1 f 1 2 3', 'a line break may be missing'],
    ['g name f 1 2 3', 'a face stands in a name'],
    ['facet normal 0 0 1', 'no OBJ file'],
    ['\0\0\0', 'no text'],
  ])('refuses %j, which may hide a face', (line, reason) => {
    const { value, issues } = read(`${SQUARE}f 1 2 3\n${line}\nf 1 2 4`);
    expect(value).toBeNull();
    expect(issues[0].message).toContain(reason);
  });

  it('says what it leaves out of statements that are not known', () => {
    const { value, issues } = read(`${SQUARE}f 1 2 3\nhello world\n`);
    expect(value!.mesh.triangles.length).toBe(3);
    expect(issues).toMatchObject([{ severity: 'warning', code: 'obj-statement', line: 6, assumes: 'guessed' }]);
  });

  it.each([
    [`${SQUARE}f 1 2 5`, 'bad-vertex-index', 5],
    [`${SQUARE}f 1 2 0`, 'bad-vertex-index', 5],
    [`${SQUARE}f 1 2 -5`, 'bad-vertex-index', 5],
    [`${SQUARE}f 1 2 x`, 'bad-vertex-index', 5],
    [`${SQUARE}f 1 2 99999999999`, 'bad-vertex-index', 5],
    ['v 0 0\nf 1 1 1', 'bad-number', 1],
    ['v 0 0 0\n\nv 0 nan 0\nf 1 2 1', 'bad-number', 3],
    ['v 0 0 1e999\nf 1 1 1', 'bad-number', 1],
    ['v 0,5 0 1\nf 1 1 1', 'bad-number', 1],
  ])('refuses %j', (source, code, line) => {
    const { value, issues } = read(source);
    expect(value).toBeNull();
    expect(issues).toMatchObject([{ severity: 'error', code, line, file: 'a.obj' }]);
  });
});
