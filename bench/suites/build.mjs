/**
 * Building trees. First the time against three-mesh-bvh. Then the two tables of Li, Shellshear, Bohlin, Carlson 2020,
 * "Construction of bounding volume hierarchies for triangle meshes with mixed face sizes": total surface area and total
 * volume of the rectangles swept by spheres (table II), and build time (table IV), per fitter, over those of PQP_FIT. As in
 * the text, a node is split at the fitter's position across that of its three axes whose two halves have the least area
 * (equation 4: `split: 'area'`); rows named "longest axis" are of the rule that does without. Areas and volumes are sums
 * over all stored volumes of the four-wide tree, in the units of the mesh. Meshes: two generated ones, and CAD files where the reference
 * data lie beside the project. The last rows say how often INERTIA_FIT wins and by how much (geometric means).
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { BufferAttribute, BufferGeometry } from 'three';
import { MeshBVH } from 'three-mesh-bvh';
import { buildMeshBvh, reportBvh } from '../../dist/esm/bvh.js';
import { createRandom } from '../../dist/esm/math.js';
import { loadMesh } from '../../dist/esm/node.js';
import { createBumpySphere, createDrilledPlate, createKnot, createShells } from '../inputs.mjs';
import { compare } from '../measure.mjs';

const suite = 'build';
const fitters = ['PQP_FIT', 'RAPID2_FIT', 'INERTIA_FIT'];
/** Rules that split a node, and their words. */
const splits = [
  ['area', 'equation 4'],
  ['longest', 'longest axis'],
];
const files = [
  'trimesh/models/fixed_top.ply',
  'trimesh/models/cycloidal.ply',
  'trimesh/models/large_block.STL',
  'manifold/test/models/Cray_left.obj',
  'common3d/data/fandisk.obj',
  'libigl/truck.obj',
  'vamp_cad/resources/ur5/meshes/robotiq/robotiq_85_base_link_coarse.STL',
  'thingi/extras/ember_tests/testfiles/raw_meshes/112932.stl',
];

async function collectMeshes() {
  const meshes = [
    ['plate', createDrilledPlate({ columns: 16, rows: 12, segments: 48, ribs: 42, ribSegments: 64 })],
    ['shells', createShells(createRandom(7), { shells: 82, segments: 32 })],
  ];
  for (const file of files) {
    const path = fileURLToPath(new URL(`../../../shared/data/meshes/${file}`, import.meta.url));
    if (!existsSync(path)) continue;
    const { value } = await loadMesh(path, { upAxis: 'ignore' });
    if (value && value.triangles.length > 0) meshes.push([file.split('/').pop(), value]);
  }
  return meshes;
}

const geometricMean = (values) => Math.exp(values.reduce((sum, x) => sum + Math.log(x), 0) / values.length);

function* compareWithPeer() {
  for (const [name, mesh] of [
    ['bumpy sphere, 20k', createBumpySphere(125, 81)],
    ['knot, 200k', createKnot(1000, 100)],
  ]) {
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(Float32Array.from(mesh.vertices), 3));
    geometry.setIndex(new BufferAttribute(mesh.triangles.slice(), 1));
    yield compare({
      suite,
      name,
      inputs: 1,
      ours: () => buildMeshBvh(mesh).dispose(),
      peer: () => new MeshBVH(geometry, { indirect: true }),
      peerName: 'three-mesh-bvh',
      unit: 'ms',
      rounds: 5,
    });
    const bvh = buildMeshBvh(mesh);
    const { bytesPerTriangle } = reportBvh(bvh);
    yield createRow(`bytes per triangle ${name}`, bytesPerTriangle, null, 'B', mesh);
    bvh.dispose();
  }
}

function createRow(name, ours, peer, unit, mesh) {
  return {
    suite,
    case: name,
    ours,
    peer,
    peerName: peer === null ? null : 'PQP_FIT',
    ratio: peer === null ? null : ours / peer,
    unit,
    n: mesh.triangles.length / 3,
    spread: 0,
  };
}

function reportFit(mesh, fitter, split) {
  const bvh = buildMeshBvh(mesh, { node: 'rss', split, fitter });
  const { surfaceArea, volume } = reportBvh(bvh);
  bvh.dispose();
  return { surfaceArea, volume };
}

export async function* run() {
  yield* compareWithPeer();
  for (const [split, words] of splits) yield* compareFitters(split, words);
}

async function* compareFitters(split, words) {
  const ratios = { area: [], volume: [], time: [] };
  for (const [name, mesh] of await collectMeshes()) {
    const base = reportFit(mesh, 'PQP_FIT', split);
    for (const fitter of fitters) {
      const { surfaceArea, volume } = reportFit(mesh, fitter, split);
      yield createRow(`II area, ${words}, ${name} ${fitter}`, surfaceArea, base.surfaceArea, 'u2', mesh);
      yield createRow(`II volume, ${words}, ${name} ${fitter}`, volume, base.volume, 'u3', mesh);
      const time = compare({
        suite,
        name: `IV time, ${words}, ${name} ${fitter}`,
        inputs: 1,
        ours: () => buildMeshBvh(mesh, { node: 'rss', split, fitter }).dispose(),
        peer: () => buildMeshBvh(mesh, { node: 'rss', split, fitter: 'PQP_FIT' }).dispose(),
        peerName: 'PQP_FIT',
        unit: 'ms',
        rounds: 5,
        blockMs: 20,
      });
      yield { ...time, n: mesh.triangles.length / 3 };
      if (fitter !== 'INERTIA_FIT') continue;
      ratios.area.push(surfaceArea / base.surfaceArea);
      ratios.volume.push(volume / base.volume);
      ratios.time.push(time.ratio);
    }
  }
  for (const [what, values] of Object.entries(ratios)) {
    const wins = values.filter((ratio) => ratio < 1).length;
    yield {
      suite,
      case: `INERTIA_FIT over PQP_FIT, ${words}, ${what}: smaller on ${wins} of ${values.length}`,
      ours: geometricMean(values),
      peer: null,
      peerName: null,
      ratio: null,
      unit: '',
      n: values.length,
      spread: Math.max(...values) - Math.min(...values),
    };
  }
}
