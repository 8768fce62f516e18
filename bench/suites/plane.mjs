/**
 * Planning in the plane, ours against CGAL of Debian (libcgal-dev) in the same run, on the same numbers: exact Minkowski sums, and what all
 * corners of a scene see. CGAL's programs are built on first use, which takes minutes. Times are those of one process each.
 *
 * Rows: sums of random polygons (how many differ in area or holes is in the case's name), the trapezoid map up to 10^5 edges with
 * the exponent fitted to its times, the visibility graph of 1,000 obstacles with 10,000 corners, boards around a corner.
 */
import { createRandom } from '../../dist/esm/math.js';
import {
  createFreeCells,
  createVisibilityGraph,
  normalizePolygon,
  planTurning,
  polygonArea,
  sumObstacles,
  validatePolygon,
} from '../../dist/esm/plane.js';
import { median, startProgress } from '../measure.mjs';
import { buildNative, startNative } from '../native-program.mjs';

const suite = 'plane';
const milliseconds = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

const alone = { peer: null, peerName: null, ratio: null, spread: 0 };

function timed(f) {
  const begin = milliseconds();
  const value = f();
  return { value, ms: milliseconds() - begin };
}

/** Convex polygons of `sides` corners in the cells of a grid: none touches another. */
export function scatter(count, sides, seed) {
  const random = createRandom(seed);
  const row = Math.ceil(Math.sqrt(count));
  return Array.from({ length: count }, (_, k) => {
    const radius = 0.2 + 0.25 * random.next();
    const [x, y] = [(k % row) + 0.5, Math.floor(k / row) + 0.5].map(
      (c) => c + (0.45 - radius) * (2 * random.next() - 1),
    );
    const turn = random.next();
    return Array.from({ length: sides }, (_unused, i) => {
      const angle = (2 * Math.PI * (i + turn)) / sides;
      return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
    });
  });
}

const toScene = (polygons) => {
  const size = Math.ceil(Math.sqrt(polygons.length));
  return {
    body: { disc: 0 },
    obstacles: polygons.map((outer) => ({ polygon: { outer } })),
    bounds: [0, 0, size, size],
  };
};

function randomPolygon(random) {
  for (;;) {
    const onGrid = random.next() < 0.5;
    const pick = () => (onGrid ? [random.integer(8), random.integer(8)] : [4 * random.next(), 4 * random.next()]);
    const polygon = { outer: Array.from({ length: 3 + random.integer(6) }, pick) };
    if (validatePolygon(polygon).length === 0) return polygon;
  }
}

const write = (polygon) => {
  const { outer, holes } = normalizePolygon(polygon);
  const rings = [outer, ...(holes ?? [])];
  return `${rings.length} ${rings.map((ring) => `${ring.length} ${ring.map((p) => p.join(' ')).join(' ')}`).join(' ')}`;
};

async function* sums(count) {
  const program = buildNative('plane-cgal', ['gmp', 'mpfr']);
  const peer = program && startNative(program);
  const random = createRandom(7);
  let [ours, theirs, differ] = [0, 0, 0];
  for (let k = 0; k < count; k++) {
    const [a, b] = [randomPolygon(random), randomPolygon(random)];
    const { value, ms } = timed(() => sumObstacles([a], { polygon: b }));
    ours += ms;
    if (!peer) continue;
    const [area, , holes, ns] = (await peer.ask(`sum ${write(a)} ${write(b)}`)).split(' ').map(Number);
    theirs += ns / 1e6;
    const own = value.polygons.reduce((sum, polygon) => sum + polygonArea(polygon), 0);
    const ownHoles = value.polygons.reduce((sum, polygon) => sum + polygon.holes.length, 0);
    if (Math.abs(own - area) > 1e-9 * Math.max(1, area) || holes !== ownHoles) differ++;
  }
  peer?.close();
  const against = peer ? { peer: theirs / count, peerName: 'CGAL', ratio: ours / theirs, spread: 0 } : alone;
  const name = peer ? `Minkowski sums, ${differ} differ from CGAL's` : 'Minkowski sums';
  yield { suite, case: name, ours: ours / count, unit: 'ms', n: count, ...against };
}

function* maps() {
  const sizes = [3125, 6250, 12500, 25000, 50000, 100000];
  const times = [];
  // Compiled first: else the small ones are slow.
  createFreeCells(toScene(scatter(2500, 10, 3)));
  for (const edges of sizes) {
    const scene = toScene(scatter(edges / 10, 10, 3));
    times.push(median([0, 1, 2].map(() => timed(() => createFreeCells(scene)).ms)));
    yield { suite, case: `trapezoid map, ${edges} edges`, ours: times[times.length - 1], unit: 'ms', n: 3, ...alone };
  }
  const xs = sizes.map(Math.log);
  const ys = times.map(Math.log);
  const mean = (values) => values.reduce((sum, v) => sum + v, 0) / values.length;
  const [mx, my] = [mean(xs), mean(ys)];
  const slope =
    xs.reduce((sum, x, i) => sum + (x - mx) * (ys[i] - my), 0) / xs.reduce((sum, x) => sum + (x - mx) ** 2, 0);
  yield { suite, case: 'trapezoid map, fitted exponent', ours: slope, unit: '', n: sizes.length, ...alone };
}

async function* views(rounds) {
  const polygons = scatter(1000, 10, 11);
  const scene = toScene(polygons);
  const program = buildNative('visibility-cgal', ['gmp', 'mpfr']);
  const peer = program && startNative(program);
  const [x0, y0, x1, y1] = scene.bounds;
  const text = `${x0} ${y0} ${x1} ${y1} ${polygons.length} ${polygons.map((p) => `${p.length} ${p.flat().join(' ')}`).join(' ')}`;
  const ours = [];
  const theirs = [];
  let edges = 0;
  // The first round of each warms caches up, and is not counted.
  for (let k = -1; k < rounds; k++) {
    const { value, ms } = timed(() => createVisibilityGraph(scene));
    edges = value.pairs.length / 2;
    const [, preparation, all] = peer ? (await peer.ask(text)).split(' ').map(Number) : [0, 0, 0];
    if (k < 0) continue;
    ours.push(ms);
    if (peer) theirs.push((preparation + all) / 1e6);
  }
  peer?.close();
  const against = peer
    ? { peer: median(theirs), peerName: 'CGAL', ratio: median(ours) / median(theirs), spread: 0 }
    : alone;
  const name = `visibility graph, 1000 obstacles, 10000 corners, ${edges} edges`;
  yield { suite, case: name, ours: median(ours), unit: 'ms', n: rounds, ...against };
}

function* boards() {
  const box = (a, b, c, d) => ({
    polygon: {
      outer: [
        [a, b],
        [c, b],
        [c, d],
        [a, d],
      ],
    },
  }); // prettier-ignore
  for (const part of [0.99, 0.999, 1.001, 1.01]) {
    const length = part * Math.SQRT2 * 2;
    const problem = {
      body: box(-length / 2, -1e-6, length / 2, 1e-6),
      obstacles: [box(-1, -1, 7, 0), box(-1, -1, 0, 7), box(1, 1, 7, 7), box(-1, 6, 1, 7), box(6, -1, 7, 1)],
      bounds: [0, 0, 6, 6],
      start: [0.5, 4, Math.PI / 2],
      goal: [4, 0.5, Math.PI],
    };
    const { value, ms } = timed(() => planTurning(problem));
    const name = `a board of ${part} of the longest around a corner: ${value.status}, ${value.boxes} boxes`;
    yield { suite, case: name, ours: ms, unit: 'ms', n: 1, ...alone };
  }
}

export async function* run({ full = false, only = null } = {}) {
  const progress = startProgress(suite);
  const parts = {
    sums: () => sums(full ? 10_000 : 300),
    map: () => maps(),
    visibility: () => views(full ? 9 : 3),
    turning: () => boards(),
  };
  for (const [name, make] of Object.entries(parts)) if (only === null || name.includes(only)) yield* make();
  progress.stop();
}
