// Boards around the corner of a corridor: the longest that passes is known, and what is a little longer is proven not to. Then a guard's
// tour: a wide robot visits the rooms of a building one after the other, turning as it must.
import { planTurning, verifyTurningPath, verifyTurningProof } from 'clearance/plane';

const box = (x0, y0, x1, y1) => ({
  outer: [
    [x0, y0],
    [x1, y0],
    [x1, y1],
    [x0, y1],
  ],
});
const walls = (...polygons) => polygons.map((polygon) => ({ polygon }));
const inDegrees = (radians) => `${((180 * radians) / Math.PI).toFixed(0)} degrees`;

const width = 0.3;
const longest = 2 * Math.SQRT2 - 2 * width;
const corridor = (length) => ({
  body: { polygon: box(-length / 2, -width / 2, length / 2, width / 2) },
  obstacles: walls(box(-1, -1, 6, 0), box(-1, 0, 0, 6), box(1, 1, 6, 6)),
  bounds: [0, 0, 4.5, 4.5],
  start: [0.5, 4, Math.PI / 2],
  goal: [4, 0.5, Math.PI],
});
for (const part of [0.9, 0.999, 1.001, 1.1]) {
  const problem = corridor(part * longest);
  const { status, path, proof, turn } = planTurning(problem);
  const checked =
    proof === null
      ? `turns by ${inDegrees(turn)}, path ${verifyTurningPath(problem, path).status}`
      : `proof ${verifyTurningProof(problem, proof).accepted ? 'accepted' : 'refused'}`;
  console.log(`${(part * longest).toFixed(3)} m: ${status}, ${checked}`);
}

// With few boxes and wide slabs the answer is honest.
const coarse = planTurning(corridor(0.999 * longest), { boxes: 100, resolution: 0.3 });
console.log(`looked at coarsely: ${coarse.status}`);

const building = {
  body: { polygon: box(-0.6, -0.2, 0.6, 0.2) },
  obstacles: walls(
    box(3, 0, 3.2, 1.5),
    box(3, 2.3, 3.2, 5),
    box(6, 0, 6.2, 2.5),
    box(6, 3.3, 6.2, 5),
    box(0, 3, 1.6, 3.2),
    box(2.4, 3, 3, 3.2),
  ),
  bounds: [0.65, 0.65, 8.35, 4.35],
};
const stops = [
  [1, 1, 0],
  [2, 4.2, 0],
  [4.5, 4, Math.PI / 2],
  [7.5, 1, 0],
  [1, 1, 0],
];
let metres = 0;
for (let i = 0; i + 1 < stops.length; i++) {
  const leg = planTurning({ ...building, start: stops[i], goal: stops[i + 1] });
  metres += leg.length;
  console.log(`leg ${i + 1}: ${leg.status}, ${leg.path.length} poses, ${leg.verified ? 'verified' : 'not verified'}`);
}
console.log(`the tour: ${metres.toFixed(1)} m`);
