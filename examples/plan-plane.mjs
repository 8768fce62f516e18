// A desk that is carried through a room without turning it: a path, the doorway at which there is none, and the proof of it.
import { offsetPolygon, planInPlane, sumObstacles, verifySeparation } from 'clearance/plane';

const box = (x0, y0, x1, y1) => ({
  outer: [
    [x0, y0],
    [x1, y0],
    [x1, y1],
    [x0, y1],
  ],
});
const desk = { polygon: box(-0.625, -0.375, 0.625, 0.375) };
const room = (doorway) => ({
  body: desk,
  obstacles: [
    { polygon: box(4, 0, 4.25, 3) },
    { polygon: box(4, 3 + doorway, 4.25, 6) },
    {
      polygon: {
        outer: [
          [6, 0],
          [8, 0],
          [8, 1],
          [7, 1],
          [7, 2],
          [6, 2],
        ],
      },
    },
    { disc: 0.3, at: [6.5, 4] },
  ],
  bounds: [0.625, 0.375, 9.375, 5.625],
  start: [1, 1],
  goal: [9, 1],
});

for (const method of ['shortest', 'clearance']) {
  const { status, length, clearance, verified } = planInPlane(room(1), { method });
  console.log(
    `${method}: ${status}, ${length.toFixed(3)} m, ${(100 * clearance).toFixed(2)} cm clear, ${verified ? 'verified' : 'not verified'}`,
  );
}

// As high as the desk, up to the last place: touching decides.
for (const touching of ['free', 'blocked']) {
  const problem = {
    ...room(1),
    obstacles: [{ polygon: box(4, 0, 4.25, 3) }, { polygon: box(4, 3.75, 4.25, 6) }],
    touching,
  };
  const { status, separation } = planInPlane(problem);
  console.log(`0.75 m doorway, touching ${touching}: ${status}`);
  if (separation !== null)
    console.log(`  proof: ${verifySeparation(problem, separation).accepted ? 'accepted' : 'refused'}`);
}

const { polygons } = sumObstacles(
  room(1)
    .obstacles.slice(0, 3)
    .map((obstacle) => obstacle.polygon),
  desk,
);
console.log(`forbidden places: ${polygons.map(({ outer }) => outer.length).join(' and ')} corners`);
const [smaller] = offsetPolygon(box(0, 0, 1.25, 0.75), -0.1).polygons;
console.log(`the desk, 10 cm less on each side: ${smaller.outer[0].map((x) => x.toFixed(2)).join(', ')} ...`);
