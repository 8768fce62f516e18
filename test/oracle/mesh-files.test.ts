import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { reportMesh } from '../../src/geometry/mesh-report.js';
import { meshFormatOf, parseMesh } from '../../src/io/mesh/mesh.js';
import { needsShared, sharedPath } from '../shared.js';

const root = sharedPath('data');

interface Row {
  path: string;
  count: string;
  stats: string;
}

function meshRows(): Row[] {
  if (!root) return [];
  const lines = readFileSync(join(root, 'MANIFEST.tsv'), 'utf8').split('\n').filter(Boolean);
  const rows = lines.slice(1).map((line) => line.split('\t'));
  return rows
    .filter(([path, , , , kind]) => kind === 'tri' || (path.startsWith('meshes/') && kind === '?'))
    .map(([path, , , , , count, stats]) => ({ path, count, stats }));
}

function read(path: string) {
  const file = join(root!, path);
  return parseMesh(new Uint8Array(readFileSync(file)), {
    file: path,
    resources: (uri) => {
      const resource = join(dirname(file), uri);
      return existsSync(resource) ? new Uint8Array(readFileSync(resource)) : null;
    },
  });
}

/** Rows whose count is not ours, with our answer: triangles, or the code of the refusal. Reasons: docs/formats.md. */
const EXPLAINED: Readonly<Record<string, number | string>> = {
  // the list counts the six squares
  'meshes/assimp/test/models/PLY/cube.ply': 12,
  // the list counts a geometry once, the scene places it twice and seven times
  'meshes/gz_common/test/data/box_multiple_inst_controllers.dae': 24,
  'meshes/gz_common/test/data/box_with_hierarchical_nodes.dae': 84,
  // announces two triangles and holds one
  'meshes/gz_common/test/data/malformed_polylist_short_p.dae': 'collada-short-primitive',
  // a face of a vertex that does not exist
  'meshes/tinyobj/models/invalid-relative-texture-index.obj': 'bad-vertex-index',
  // coordinates of 3.4e38
  'meshes/manifold/test/models/Cray_right.obj': 'size-out-of-range',
  // the buffer file is not part of the data
  'meshes/trimesh/models/Mesh_PrimitiveMode_04.gltf': 'gltf-buffer',
};

describe.skipIf(!root)(`mesh files of the reference data${needsShared('data')}`, () => {
  const rows = meshRows();

  it('every file loads with the listed number of triangles, or is refused with a reason', async () => {
    const wrong: string[] = [];
    for (const { path, count } of rows) {
      const { value, issues } = await read(path);
      const errors = issues.filter((issue) => issue.severity === 'error');
      const expected = EXPLAINED[path] ?? Number(count);
      if (value) {
        const triangles = value.mesh.triangles.length / 3;
        if (triangles !== expected) wrong.push(`${path}: ${triangles} triangles, expected ${expected}`);
        // A mesh without triangles is an error by itself: a verdict on it means nothing.
        if (errors.length > 0 && triangles > 0) wrong.push(`${path}: loaded with errors`);
        const covered = value.parts.reduce((sum, part) => sum + part.triangleCount, 0);
        if (covered !== triangles) wrong.push(`${path}: parts cover ${covered} of ${triangles} triangles`);
      } else if (errors.length !== 1 || errors[0].message.length < 20) {
        wrong.push(`${path}: refused without a reason`);
      } else if (errors[0].code !== expected && expected !== 0) {
        wrong.push(`${path}: refused, expected ${expected}: ${errors[0].message}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(rows.length).toBeGreaterThan(400);
  });

  it('the report finds the listed flaws in STL and OBJ files whose neighbours share exact positions', async () => {
    const wrong: string[] = [];
    let compared = 0;
    for (const { path, stats } of rows) {
      const format = meshFormatOf(path);
      // the list welds with a tolerance and counts triangles without area as neighbours: files where that shows,
      // or where polygons are cut in another way, are left out
      if ((format !== 'stl' && format !== 'obj') || !stats.includes('area99')) continue;
      if (/degenerate|polys|duplicate/.test(stats)) continue;
      const { value } = await read(path);
      if (!value && EXPLAINED[path] !== undefined) continue;
      const report = reportMesh(value!.mesh);
      const listed = (key: string) => Number(new RegExp(`${key}=(\\d+)`).exec(stats)?.[1] ?? 0);
      if (report.boundaryEdges > 0 && listed('boundaryE') === 0) continue;
      compared++;
      if (report.boundaryEdges !== listed('boundaryE')) {
        wrong.push(`${path}: ${report.boundaryEdges} boundary edges, listed ${listed('boundaryE')}`);
      }
      if (report.nonManifoldEdges !== listed('nonmanifoldE')) {
        wrong.push(`${path}: ${report.nonManifoldEdges} non-manifold edges, listed ${listed('nonmanifoldE')}`);
      }
      if (report.duplicate !== 0 || report.degenerate !== 0) {
        wrong.push(`${path}: ${report.duplicate} duplicate and ${report.degenerate} degenerate, listed none`);
      }
    }
    expect(wrong).toEqual([]);
    expect(compared).toBeGreaterThan(200);
  });

  it('the same object in two formats has the same shape', async () => {
    for (const [first, second, tolerance] of [
      ['meshes/pmp/data/stl/icosahedron_ascii.stl', 'meshes/pmp/data/stl/icosahedron_binary.stl', 1e-6],
      ['meshes/assimp/test/models/STL/Spider_ascii.stl', 'meshes/assimp/test/models/STL/Spider_binary.stl', 1e-4],
      ['meshes/trimesh/models/fuze_ascii.ply', 'meshes/trimesh/models/fuze.ply', 1e-6],
      // squares that are not flat, cut along other diagonals
      ['meshes/trimesh/models/duck.dae', 'meshes/trimesh/models/Duck.glb', 1e-3],
    ] as const) {
      const a = reportMesh((await read(first)).value!.mesh);
      const b = reportMesh((await read(second)).value!.mesh);
      expect(b.triangles).toBe(a.triangles);
      expect(Math.abs(b.area - a.area), `${first} and ${second}: area`).toBeLessThan(tolerance * a.area);
      a.bounds!.forEach((bound, i) => {
        expect(Math.abs(b.bounds![i] - bound), `${first} and ${second}: bound ${i}`).toBeLessThan(
          1e-6 * Math.sqrt(a.area),
        );
      });
    }
  });
});
