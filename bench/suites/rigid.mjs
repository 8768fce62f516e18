/**
 * One rigid body among meshes: the problems of ../shared/oracles/rigid, ours (certified paths) against OMPL's planners with FCL and OMPL's
 * default checks of motions, in the same run on the same meshes (Debian libompl-dev, libfcl-dev). Times are CPU times of the
 * processes, per start offset (ours) or seed (theirs); a run that ends at its limit counts as the limit.
 *
 * Rows: per problem the median of ours (search, shortening and proof together) over that of the best of OMPL's planners, and the share of
 * OMPL's paths that are proven to collide. --full: all planners and ten offsets; --case=NAME one problem, or `fitters` and
 * `fitters-NAME`.
 *
 * Rows `fitters`: the columns of Table III of the text on mixed face sizes (Li, Shellshear, Bohlin, Carlson 2020): the planner over trees
 * with PQP_FIT, which is the peer, RAPID2_FIT and INERTIA_FIT, boxes for collision and swept rectangles for distance, split at the
 * longest axis as there; and over the library's own default. Scenes: problems whose meshes have a part of their triangles cut into 64.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadRigidProblem } from '../../dist/esm/node.js';
import { certifyRigidPath, planRigid } from '../../dist/esm/rigid.js';
import { cpu, median, startProgress } from '../measure.mjs';
import { buildNative, startNative } from '../native-program.mjs';

const suite = 'rigid';
const folder = fileURLToPath(new URL('../../../shared/oracles/rigid/', import.meta.url));
const names = ['Easy', 'cubicles', 'Twistycool', 'alpha-1.5', 'BugTrap_planar', 'Maze_planar', 'Barriers'];
const planners = ['RRTConnect', 'KPIECE1', 'SBL', 'BiEST'];
const more = ['BKPIECE1', 'LBKPIECE1', 'EST', 'PRM', 'PDST', 'STRIDE', 'RRT'];
const seconds = 30;

function describe({ group, body, obstacles, start, goal, lower, upper }) {
  const mesh = ({ vertices, triangles }) =>
    `${vertices.length / 3} ${triangles.length / 3}\n${vertices.join(' ')}\n${triangles.join(' ')}\n`;
  const ends = [...start, ...goal, ...lower, ...upper].join(' ');
  return `${mesh(body)}${mesh(obstacles)}${group === 'SE3' ? 3 : 2}\n${ends}\n`;
}

function toPoses(numbers) {
  const poses = [];
  for (let i = 0; i + 7 <= numbers.length; i += 7) poses.push(Float64Array.from(numbers.slice(i, i + 7)));
  return poses;
}

/** The mesh with every triangle whose centre lies in the first `share` of the order along x cut in four, three times. */
function mixFaceSizes({ vertices, triangles }, share) {
  const points = [...vertices];
  const centers = Array.from({ length: triangles.length / 3 }, (_, t) =>
    [0, 1, 2].reduce((sum, k) => sum + vertices[3 * triangles[3 * t + k]], 0),
  );
  const limit = [...centers].sort((a, b) => a - b)[Math.floor(share * centers.length)] ?? Infinity;
  const out = [];
  const middle = (a, b) => {
    for (let k = 0; k < 3; k++) points.push((points[3 * a + k] + points[3 * b + k]) / 2);
    return points.length / 3 - 1;
  };
  const cut = (a, b, c, times) => {
    if (times === 0) {
      out.push(a, b, c);
      return;
    }
    const [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
    for (const [p, q, r] of [
      [a, ab, ca],
      [ab, b, bc],
      [ca, bc, c],
      [ab, bc, ca],
    ])
      cut(p, q, r, times - 1);
  };
  centers.forEach((x, t) => {
    cut(...triangles.subarray(3 * t, 3 * t + 3), x <= limit ? 3 : 0);
  });
  return { vertices: Float64Array.from(points), triangles: Uint32Array.from(out) };
}

const fitterScenes = ['cubicles', 'Twistycool', 'alpha-1.5'];
const textTrees = (fitter) => ({ node: 'obb-rss', split: 'longest', fitter });

async function* runFitters(count, only) {
  for (const name of fitterScenes.filter((scene) => scene.includes(only))) {
    const { value } = await loadRigidProblem(`${folder}${name}.json`);
    const problem = { ...value, body: mixFaceSizes(value.body, 0.2), obstacles: mixFaceSizes(value.obstacles, 0.2) };
    const times = new Map();
    const columns = [
      ['PQP_FIT', textTrees('PQP_FIT')],
      ['RAPID2_FIT', textTrees('RAPID2_FIT')],
      ['INERTIA_FIT', textTrees('INERTIA_FIT')],
      ['default', {}],
    ];
    // In turns, so that what slows the machine slows all of them.
    for (let seed = 0; seed < count; seed++)
      for (const [column, trees] of columns) {
        const begin = cpu();
        const { status } = planRigid(problem, { seed, trees, maxQueries: 400_000 });
        times.set(column, [...(times.get(column) ?? []), cpu() - begin]);
        if (status !== 'solved') process.stderr.write(`bench: ${name}, seed ${seed}, ${column}: ${status}\n`);
      }
    const base = median(times.get('PQP_FIT'));
    for (const [column] of columns.slice(1)) {
      const us = median(times.get(column));
      yield {
        ...{ suite, case: `fitters, ${name} of mixed faces: ${column}`, ours: us / 1000, unit: 'ms', n: count },
        ...{ peer: base / 1000, peerName: 'PQP_FIT', ratio: us / base, spread: 0 },
      };
    }
  }
}

export async function* run({ full = false, only = null } = {}) {
  if (!existsSync(folder)) {
    process.stderr.write(`bench: ${suite} is left out: no ${folder}\n`);
    return;
  }
  if (only === null || only.startsWith('fitters'))
    yield* runFitters(full ? 10 : 3, only?.slice('fitters'.length + 1) ?? '');
  if (only?.startsWith('fitters')) return;
  const program = buildNative('rigid-ompl', ['ompl', 'fcl'], ['-lode', '-L_link_dirs-NOTFOUND']);
  const count = full ? 10 : 3;
  const wanted = names.filter((name) => only === null || name.includes(only));
  const progress = startProgress(suite);
  for (const [at, name] of wanted.entries()) {
    const { value: problem } = await loadRigidProblem(`${folder}${name}.json`);
    if (!problem) throw new Error(`${name} could not be read`);
    const peer = program && startNative(program);
    peer?.write(describe(problem));
    const theirs = new Map();
    const ours = [];
    let [solved, collides, paths] = [0, 0, 0];
    for (let seed = 0; seed < count; seed++) {
      const begin = cpu();
      const plan = planRigid(problem, { seed, timeoutMs: 1000 * seconds, clock: () => (cpu() - begin) / 1000 });
      ours.push(cpu() - begin);
      if (plan.status === 'solved') solved++;
      for (const planner of peer ? [...planners, ...(full ? more : [])] : []) {
        const answer = (await peer.ask(`plan ${planner} ${seconds} ${seed} 0`)).trim().split(' ').map(Number);
        theirs.set(planner, [...(theirs.get(planner) ?? []), answer[0]]);
        if (answer[1] !== 1) continue;
        paths++;
        if (certifyRigidPath(problem, toPoses(answer.slice(3))).status === 'collides') collides++;
      }
      progress.update((at + (seed + 1) / count) / wanted.length);
    }
    peer?.close();
    const medians = [...theirs].map(([planner, times]) => ({ planner, us: median(times) }));
    const best = medians.sort((a, b) => a.us - b.us)[0];
    const us = median(ours);
    yield {
      ...{ suite, case: `${name}, ${solved} of ${count} solved, certified`, ours: us / 1000, unit: 'ms', n: count },
      ...{ peer: best ? best.us / 1000 : null, peerName: best ? `OMPL ${best.planner}` : null },
      ...{ ratio: best ? us / best.us : null, spread: 0 },
    };
    if (paths > 0)
      yield {
        ...{
          suite,
          case: `${name}, OMPL's paths that are proven to collide`,
          ours: (100 * collides) / paths,
          unit: '%',
        },
        ...{ peer: null, peerName: null, ratio: null, n: paths, spread: 0 },
      };
  }
  progress.stop();
}
