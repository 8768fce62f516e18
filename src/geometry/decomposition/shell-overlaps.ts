/**
 * Where closed shells of a mesh overlap: how much more volume their signed tetrahedra count than the solid has, as weighted points.
 *
 * Method: lines along x on a grid; between crossings with a winding number beyond 1 the surplus is split into points. Meshes without
 * overlaps have none. Cost: a walk of the hierarchy per line. Volumes of overlaps are off by about the grid's step, which ranks cuts and
 * enters the volume term; nothing else depends on them. Checked by convex-decomposition.test.ts.
 */
import type { MeshProbe } from '../mesh-probe.js';

const LINES = 48;

/** Points and surplus volume, 4 numbers each; `bounds` low then high. */
export function findOverlaps(probe: MeshProbe, bounds: Float64Array): Float64Array {
  const out: number[] = [];
  const [sx, sy, sz] = [0, 1, 2].map((k) => (bounds[k + 3] - bounds[k]) / LINES);
  for (let i = 0; i < LINES; i++)
    for (let j = 0; j < LINES; j++) {
      const y = bounds[1] + (i + 0.5) * sy;
      const z = bounds[2] + (j + 0.5) * sz;
      const crossings = probe.listCrossings(y, z);
      const order = Array.from({ length: crossings.length / 2 }, (_, c) => 2 * c).sort(
        (a, b) => crossings[a] - crossings[b] || a - b,
      );
      let winding = 0;
      for (let c = 0; c + 1 < order.length; c++) {
        winding += crossings[order[c] + 1];
        const surplus = Math.abs(winding) - 1;
        const from = crossings[order[c]];
        const length = crossings[order[c + 1]] - from;
        if (surplus <= 0 || !(length > 0)) continue;
        const count = Math.ceil(length / sx);
        for (let k = 0; k < count; k++)
          out.push(from + ((k + 0.5) * length) / count, y, z, (surplus * sy * sz * length) / count);
      }
    }
  return Float64Array.from(out);
}
