/**
 * Planning in the plane, ours against CGAL of Debian (libcgal-dev) in the same run, on the same numbers: exact Minkowski sums, and what all
 * corners of a scene see. CGAL's programs are built on first use, which takes minutes. Times are those of one process each.
 *
 * Rows: sums of random and degenerate polygons (how many differ in area, or in parts and holes, is in the case's name), the trapezoid map up to 10^5 edges with
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
import { cpu, median, startProgress } from '../measure.mjs';
import { buildNative, startNative } from '../native-program.mjs';

const suite = 'plane';
const milliseconds = () => cpu() / 1000;

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

function randomPolygon(random, corners = 6) {
  for (;;) {
    const onGrid = random.next() < 0.5;
    const pick = () => (onGrid ? [random.integer(8), random.integer(8)] : [4 * random.next(), 4 * random.next()]);
    const polygon = { outer: Array.from({ length: 3 + random.integer(corners) }, pick) };
    if (validatePolygon(polygon).length === 0) return polygon;
  }
}

const rectangle = (x0, y0, x1, y1) => [
  [x0, y0],
  [x1, y0],
  [x1, y1],
  [x0, y1],
];

/** Corners in the middle of sides, on grids of doubles exactly so. */
const withMiddles = (ring) =>
  ring.flatMap((p, i) => [p, ring[(i + 1) % ring.length].map((value, axis) => (value + p[axis]) / 2)]);

/** A triangle, or two on one base, a billionth wide. */
function makeSliver(random) {
  const ends = [0, 1].map(() => [random.integer(8), random.integer(8)]);
  const t = random.next();
  const off = 1e-9 * (1 + random.integer(3));
  const [x, y] = [0, 1].map((axis) => ends[0][axis] + t * (ends[1][axis] - ends[0][axis]));
  const outer = [...ends, random.next() < 0.5 ? [x, y + off] : [x - off, y]];
  return validatePolygon({ outer }).length === 0 ? { outer } : makeSliver(random);
}

/** Chambers with necks as wide as the body, or a billionth and less wider and narrower. */
function makeGap(random) {
  const unit = [1, 0.1, 1 / 3][random.integer(3)];
  const more = [0, 1e-9, -1e-9, 2 ** -36, -(2 ** -36)][random.integer(5)];
  const from = 1 + random.integer(2);
  const to = from + 1 + more;
  const at = (points) => points.map(([x, y]) => [x * unit, y * unit]);
  const bottle = at([
    [0, 0],
    [6, 0],
    [6, from],
    [4, from],
    [4, 1],
    [1, 1],
    [1, 5],
    [4, 5],
    [4, to],
    [6, to],
    [6, 6],
    [0, 6],
  ]);
  const bodies = [rectangle(0, 0, 1, 1), [...rectangle(0, 0, 1, 1), [-1, 0.5]], rectangle(0, 0, 2, 1)];
  const apart = at(rectangle(7 + more, 0, 8, 8));
  const obstacles = random.next() < 0.5 ? [{ outer: bottle }] : [{ outer: bottle }, { outer: apart }];
  return { obstacles, body: { outer: at(bodies[random.integer(3)]) } };
}

/** Frames with holes that a body closes or not, and what stands in the holes and touches their sides. */
function makeNest(random) {
  const [w, h] = [2 + random.integer(3), 2 + random.integer(3)];
  const holes = [rectangle(1, 1, 1 + w, 1 + h)];
  if (random.next() < 0.5) holes.push(rectangle(1 + w + random.integer(2), 2, 4 + w, 3));
  const frame = { outer: rectangle(0, 0, 6 + w, 2 + h), holes };
  const inner = rectangle(1 + random.integer(2), 1 + random.integer(2), 2 + random.integer(w), 2 + random.integer(h));
  const obstacles = [frame, { outer: inner }].filter((polygon) => validatePolygon(polygon).length === 0);
  if (obstacles.length === 0) return makeNest(random);
  const scale = [1, 0.5, 0.25][random.integer(3)];
  const { outer } = randomPolygon(random, 3);
  return { obstacles, body: { outer: outer.map(([x, y]) => [(x * scale) / 4, (y * scale) / 4]) } };
}

const sumKinds = {
  random: (random) => ({ obstacles: [randomPolygon(random)], body: randomPolygon(random) }),
  collinear: (random) => ({
    obstacles: [{ outer: withMiddles(makeGridPolygon(random)) }],
    body: { outer: withMiddles(makeGridPolygon(random)) },
  }),
  // Squares of a grid that touch in sides and corners, and triangles among them.
  touching: (random) => ({
    obstacles: Array.from({ length: 2 + random.integer(4) }, () => {
      const [x, y] = [random.integer(6), random.integer(6)];
      return { outer: random.next() < 0.7 ? rectangle(x, y, x + 1, y + 1) : rectangle(x, y, x + 2, y + 2).slice(1) };
    }),
    body: {
      outer: random.next() < 0.5 ? rectangle(0, 0, 1, 1) : makeGridPolygon(random).map((p) => p.map((v) => v / 4)),
    },
  }),
  nested: makeNest,
  slivers: (random) => ({
    obstacles: [makeSliver(random)],
    body: random.next() < 0.5 ? makeSliver(random) : randomPolygon(random, 3),
  }),
  gaps: makeGap,
};

function makeGridPolygon(random) {
  for (;;) {
    const outer = Array.from({ length: 3 + random.integer(4) }, () => [2 * random.integer(4), 2 * random.integer(4)]);
    if (validatePolygon({ outer }).length === 0) return outer;
  }
}

const write = (polygon) => {
  const { outer, holes } = normalizePolygon(polygon);
  const rings = [outer, ...(holes ?? [])];
  return `${rings.length} ${rings.map((ring) => `${ring.length} ${ring.map((p) => p.join(' ')).join(' ')}`).join(' ')}`;
};

/**
 * Areas of the parts of a region and, below 0, of the bounded parts of what is around it, however its rings are joined where they touch:
 * boundaries are walked such that the region, then what is around it, stays connected. Ways there and back are none.
 */
function listParts(rings) {
  const edges = new Map();
  const points = rings.flat();
  /** The points of other rings that a side passes, from its begin on. */
  const pointsOn = ([x, y], [u, v]) => {
    const length = Math.hypot(u - x, v - y);
    const along = ([s, t]) => ((s - x) * (u - x) + (t - y) * (v - y)) / length ** 2;
    const off = ([s, t]) => Math.abs((u - x) * (t - y) - (s - x) * (v - y)) / length;
    return points
      .filter((point) => off(point) < 4e-15 && along(point) > 0 && along(point) < 1)
      .sort((a, b) => along(a) - along(b));
  };
  for (const ring of rings)
    for (const [i, begin] of ring.entries()) {
      const end = ring[(i + 1) % ring.length];
      let p = begin;
      for (const q of [...pointsOn(begin, end), end]) {
        if (`${p}` === `${q}`) continue;
        if (!edges.delete(`${q} ${p}`)) edges.set(`${p} ${q}`, [p, q]);
        p = q;
      }
    }
  const leaving = new Map();
  for (const [key, [p]] of edges) leaving.set(`${p}`, [...(leaving.get(`${p}`) ?? []), key]);
  const angleOf = ([x, y], [u, v]) => Math.atan2(v - y, u - x);
  const walk = (way) => {
    const areas = [];
    const left = new Set(edges.keys());
    for (const first of left) {
      const loop = [];
      for (let key = first; left.delete(key); ) {
        const [p, q] = edges.get(key);
        loop.push(p);
        const back = angleOf(q, p);
        // Clockwise from where it came lies the region, counter-clockwise what is around it.
        const turn = (next) => (((way * (angleOf(q, edges.get(next)[1]) - back)) % TURN) + TURN) % TURN || TURN;
        key = leaving.get(`${q}`).reduce((best, next) => (turn(next) < turn(best) ? next : best));
      }
      areas.push(doubleArea(loop) / 2);
    }
    return areas;
  };
  return [...walk(-1).filter((area) => area > 0), ...walk(1).filter((area) => area < 0)].sort((a, b) => a - b);
}

const TURN = 2 * Math.PI;

function doubleArea(ring) {
  const [[x0, y0]] = ring;
  return ring.reduce((area, [x, y], i) => {
    const [u, v] = ring[(i + 1) % ring.length];
    return area + (x - x0) * (v - y0) - (u - x0) * (y - y0);
  }, 0);
}

function readRings(numbers) {
  let at = 1;
  return Array.from({ length: numbers[0] }, () =>
    Array.from({ length: numbers[at++] }, () => [numbers[at++] + 0, numbers[at++] + 0]),
  );
}

const isNear = (a, b) => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(b));
const areSame = (a, b) => a.length === b.length && a.every((value, i) => isNear(value, b[i]));

async function* sums(count) {
  const program = buildNative('plane-cgal', ['gmp', 'mpfr']);
  const peer = program && startNative(program);
  for (const [kind, make] of Object.entries(sumKinds)) {
    const random = createRandom(7);
    let [ours, theirs, differ] = [0, 0, 0];
    for (let k = 0; k < count; k++) {
      const { obstacles, body } = make(random);
      const { value, ms } = timed(() => sumObstacles(obstacles, { polygon: body }));
      ours += ms;
      if (!peer) continue;
      const answer = await peer.ask(`sum ${obstacles.length} ${obstacles.map(write).join(' ')} ${write(body)}`);
      const [area, ns, ...rings] = answer.split(' ').map(Number);
      theirs += ns / 1e6;
      const own = value.polygons.reduce((sum, polygon) => sum + polygonArea(polygon), 0);
      const both = [value.polygons.flatMap(({ outer, holes }) => [outer, ...holes]), readRings(rings)];
      const parts = both.map(listParts);
      // Ways narrower than doubles show join parts whose corners are the same doubles: then rings are compared as they are.
      const whole = both.map((list) => list.map((ring) => doubleArea(ring) / 2).sort((a, b) => a - b));
      if (isNear(own, area) && (areSame(...parts) || areSame(...whole))) continue;
      differ++;
      const told = parts.map((list) => list.map((part) => part.toPrecision(10)).join(' '));
      if (differ <= 3) process.stderr.write(`  ${kind}, sum ${k}: ${own}: ${told[0]}; CGAL ${area}: ${told[1]}\n`);
    }
    const against = peer ? { peer: theirs / count, peerName: 'CGAL', ratio: ours / theirs, spread: 0 } : alone;
    const name = `Minkowski sums, ${kind}${peer ? `, ${differ} differ from CGAL's` : ''}`;
    yield { suite, case: name, ours: ours / count, unit: 'ms', n: count, ...against };
  }
  peer?.close();
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
    sums: () => sums(full ? 2000 : 100),
    map: () => maps(),
    visibility: () => views(full ? 9 : 3),
    turning: () => boards(),
  };
  for (const [name, make] of Object.entries(parts)) if (only === null || name.includes(only)) yield* make();
  progress.stop();
}
