/** Procedural meshes, without anything of the library. Vertices are rounded to float32, so that libraries that store floats
 * and libraries that store doubles see the same surface. */
/** Closed grid over two periodic parameters; `place` writes the point of (u, v) in [0, 1)^2. */
function createTorusGrid(columns, rows, place) {
  const vertices = new Float64Array(3 * columns * rows);
  const triangles = new Uint32Array(6 * columns * rows);
  const point = [0, 0, 0];
  for (let i = 0; i < columns; i++) {
    for (let j = 0; j < rows; j++) {
      place(point, i / columns, j / rows);
      vertices.set(point.map(Math.fround), 3 * (i * rows + j));
      const a = i * rows + j;
      const b = ((i + 1) % columns) * rows + j;
      const c = ((i + 1) % columns) * rows + ((j + 1) % rows);
      const d = i * rows + ((j + 1) % rows);
      triangles.set([a, b, c, a, c, d], 6 * a);
    }
  }
  return { vertices, triangles };
}

/** A (2, 3) torus knot of radius about 1.5 with a round tube; 2 x columns x rows triangles. */
export function createKnot(columns, rows, tube = 0.25) {
  const curve = (t) => {
    const r = 1 + 0.5 * Math.cos(3 * t);
    return [r * Math.cos(2 * t), r * Math.sin(2 * t), 0.5 * Math.sin(3 * t)];
  };
  return createTorusGrid(columns, rows, (out, u, v) => {
    const t = 2 * Math.PI * u;
    const p = curve(t);
    const q = curve(t + 1e-4);
    const tangent = normalize(q.map((x, k) => x - p[k]));
    const side = normalize(cross(tangent, [0, 0, 1]));
    const up = cross(side, tangent);
    const [c, s] = [tube * Math.cos(2 * Math.PI * v), tube * Math.sin(2 * Math.PI * v)];
    for (let k = 0; k < 3; k++) out[k] = p[k] + c * side[k] + s * up[k];
  });
}

/** A sphere of radius 1 with waves on it; 2 x columns x (rows - 1) triangles, poles closed by fans. */
export function createBumpySphere(columns, rows, height = 0.15) {
  const vertices = new Float64Array(3 * (columns * (rows - 1) + 2));
  const triangles = [];
  const radius = (theta, phi) => 1 + height * Math.sin(5 * theta) * Math.sin(7 * phi);
  for (let j = 1; j < rows; j++) {
    for (let i = 0; i < columns; i++) {
      const theta = (Math.PI * j) / rows;
      const phi = (2 * Math.PI * i) / columns;
      const r = radius(theta, phi);
      const xyz = [r * Math.sin(theta) * Math.cos(phi), r * Math.sin(theta) * Math.sin(phi), r * Math.cos(theta)];
      vertices.set(xyz.map(Math.fround), 3 * ((j - 1) * columns + i));
    }
  }
  const north = columns * (rows - 1);
  const south = north + 1;
  vertices.set([0, 0, 1], 3 * north);
  vertices.set([0, 0, -1], 3 * south);
  for (let i = 0; i < columns; i++) {
    const next = (i + 1) % columns;
    triangles.push(north, i, next);
    for (let j = 0; j < rows - 2; j++) {
      const [a, b] = [j * columns + i, j * columns + next];
      triangles.push(a, a + columns, b, b, a + columns, b + columns);
    }
    const last = (rows - 2) * columns;
    triangles.push(last + i, south, last + next);
  }
  return { vertices, triangles: Uint32Array.from(triangles) };
}

export function normalize(v) {
  const n = Math.hypot(...v);
  return v.map((x) => x / n);
}

export function cross(a, b) {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

/** Collects triangles of several surfaces; `add` takes points as rows of three numbers and triples of their indices. */
function createSurfaceSink() {
  const vertices = [];
  const triangles = [];
  return {
    add(points, faces) {
      const base = vertices.length / 3;
      for (const [x, y, z] of points) vertices.push(Math.fround(x), Math.fround(y), Math.fround(z));
      for (const [a, b, c] of faces) triangles.push(base + a, base + b, base + c);
    },
    finish: () => ({ vertices: Float64Array.from(vertices), triangles: Uint32Array.from(triangles) }),
  };
}

/** Closed prism along z: `ring` lists its outline counter-clockwise, convex; the caps are fans, slivers on long outlines. */
function addPrism(sink, ring, low, high, place = (p) => p) {
  const n = ring.length;
  const points = [...ring.map(([x, y]) => place([x, y, low])), ...ring.map(([x, y]) => place([x, y, high]))];
  const faces = [];
  for (let i = 0; i < n; i++) {
    const j = (i + 1) % n;
    faces.push([i, j, n + j], [i, n + j, n + i]);
    if (i > 0 && j > 0) faces.push([0, j, i], [n, n + i, n + j]);
  }
  sink.add(points, faces);
}

const createRing = (segments, radius, x = 0, y = 0) =>
  Array.from({ length: segments }, (_, i) => {
    const angle = (2 * Math.PI * i) / segments;
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
  });

/**
 * A plate of columns x rows cells, each 1 x 1 x `thickness`, drilled through in every cell, faces triangulated as CAD
 * kernels do it: from the outline's corners straight to the hole's rim, without inner points. Round ribs of the plate's
 * whole length lie on it. 4 `segments` + 4 triangles per cell and 2 per outer edge; 4 ribSegments - 4 per rib.
 */
export function createDrilledPlate({ columns, rows, segments, ribs, ribSegments, thickness = 0.3 }) {
  const sink = createSurfaceSink();
  const points = [];
  const faces = [];
  const corner = (i, j, top) => 2 * (i * (rows + 1) + j) + top;
  for (let i = 0; i <= columns; i++) {
    for (let j = 0; j <= rows; j++) {
      points.push([i - columns / 2, j - rows / 2, 0], [i - columns / 2, j - rows / 2, thickness]);
    }
  }
  for (let i = 0; i < columns; i++) {
    for (let j = 0; j < rows; j++) {
      const rim = points.length;
      const radius = 0.2 + 0.2 * (((i * 7 + j * 3) % 5) / 5);
      for (const [x, y] of createRing(segments, radius, i + 0.5 - columns / 2, j + 0.5 - rows / 2)) {
        points.push([x, y, 0], [x, y, thickness]);
      }
      const corners = [
        [i + 1, j + 1],
        [i, j + 1],
        [i, j],
        [i + 1, j],
      ];
      for (let k = 0; k < segments; k++) {
        const [a, b] = [rim + 2 * k, rim + 2 * ((k + 1) % segments)];
        const [cx, cy] = corners[Math.floor((4 * k) / segments)];
        faces.push([corner(cx, cy, 0), a, b], [corner(cx, cy, 1), b + 1, a + 1], [b, a, b + 1], [a, a + 1, b + 1]);
      }
      for (let q = 0; q < 4; q++) {
        const [cx, cy] = corners[q];
        const [nx, ny] = corners[(q + 1) % 4];
        const at = rim + 2 * Math.floor(((q + 1) * segments) / 4 - (q === 3 ? segments : 0));
        faces.push([corner(nx, ny, 0), corner(cx, cy, 0), at], [corner(cx, cy, 1), corner(nx, ny, 1), at + 1]);
      }
    }
  }
  const wall = (i, j, m, n) =>
    faces.push(
      [corner(i, j, 0), corner(m, n, 0), corner(m, n, 1)],
      [corner(i, j, 0), corner(m, n, 1), corner(i, j, 1)],
    );
  for (let i = 0; i < columns; i++) {
    wall(i, 0, i + 1, 0);
    wall(i + 1, rows, i, rows);
  }
  for (let j = 0; j < rows; j++) {
    wall(columns, j, columns, j + 1);
    wall(0, j + 1, 0, j);
  }
  sink.add(points, faces);
  for (let r = 0; r < ribs; r++) {
    const y = ((r + 0.5) / ribs - 0.5) * rows;
    addPrism(sink, createRing(ribSegments, 0.06), -columns / 2, columns / 2, ([a, b, z]) => [z, y + a, thickness + b]);
  }
  return sink.finish();
}

/** A random orthonormal frame at a random point within a unit of the origin, as a function that moves points. */
function createPlacement(random) {
  const vector = () => normalize([random.normal(), random.normal(), random.normal()]);
  const [a, b] = [vector(), vector()];
  const c = normalize(cross(a, b));
  const d = cross(c, a);
  const radius = random.next();
  const p = vector().map((x) => radius * x);
  return ([x, y, z]) => p.map((base, k) => base + x * a[k] + y * d[k] + z * c[k]);
}

/** An assembly of many closed shells: bolts with heads, plates, balls and pins at seeded places in a box of size 2. */
export function createShells(random, { shells, segments }) {
  const sink = createSurfaceSink();
  for (let s = 0; s < shells; s++) {
    const place = createPlacement(random);
    const size = 0.1 + 0.25 * random.next();
    if (s % 4 === 0) {
      addPrism(sink, createRing(segments, 0.3 * size), -size, size, place);
      addPrism(sink, createRing(6, 0.6 * size), size, 1.4 * size, place);
    } else if (s % 4 === 1) {
      addPrism(sink, createRing(4, size), -0.1 * size, 0.1 * size, place);
    } else if (s % 4 === 2) {
      const { vertices, triangles } = createBumpySphere(Math.ceil(segments / 2), Math.ceil(segments / 4), 0);
      const points = Array.from({ length: vertices.length / 3 }, (_, i) =>
        place([size * vertices[3 * i], size * vertices[3 * i + 1], size * vertices[3 * i + 2]].map((x) => x / 2)),
      );
      sink.add(
        points,
        Array.from({ length: triangles.length / 3 }, (_, i) => triangles.subarray(3 * i, 3 * i + 3)),
      );
    } else {
      addPrism(sink, createRing(2 * segments, 0.08 * size), -3 * size, 3 * size, place);
    }
  }
  return sink.finish();
}
