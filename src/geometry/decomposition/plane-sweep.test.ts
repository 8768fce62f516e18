import { expect, it } from 'vitest';
import { createBoxMesh, joinMeshes } from '../../../test/sample-shapes.js';
import { createKnotMesh, createTurnedMesh } from '../../../test/support/solid-meshes.js';
import { createRandom } from '../../math/random.js';
import { MeshProbe } from '../mesh-probe.js';
import { createSoup } from '../polygon-soup.js';
import type { TriangleMesh } from '../triangle-mesh.js';
import { createPart, createSubject, type Decomposing } from './parts.js';
import { type SweepSubject, sweepPlanes } from './plane-sweep.js';
import { cutPiece, type SolidPiece, volumeOfPiece } from './solid-piece.js';

const CELL = 2;

function asPiece({ vertices, triangles }: TriangleMesh): SolidPiece {
  const corner = (i: number): number[] => [0, 1, 2].map((k) => ((i >> k) & 1 ? CELL : -CELL));
  const faces = [
    [0, 4, 6, 2],
    [1, 3, 7, 5],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 2, 3, 1],
    [4, 5, 7, 6],
  ];
  return {
    vertices,
    loops: Int32Array.from(triangles),
    starts: Int32Array.from({ length: triangles.length / 3 + 1 }, (_, i) => 3 * i),
    caps: new Float64Array(0),
    overlaps: new Float64Array(0),
    cell: createSoup(faces.map((face) => face.map(corner))),
  };
}

const hullVolume = (task: Decomposing, side: SweepSubject): number => createPart(task, side)?.hullVolume ?? 0;

it('sweepPlanes has the volumes that the cuts have: planes of faces too, of pieces that were cut before', () => {
  const random = createRandom(11);
  const bracket = joinMeshes(createBoxMesh([1, 0.4, 0.2]), createBoxMesh([0.2, 0.4, 0.8], [0.4, 0, 0.5]));
  const stepped = createTurnedMesh(
    [
      [0.5, -0.6],
      [0.5, 0.1],
      [0.9, 0.1],
      [0.9, 0.4],
    ],
    16,
  );
  for (const mesh of [stepped, bracket, createKnotMesh(24, 6)]) {
    const task = { solid: new MeshProbe(mesh), length: 1, diagonal: 2 };
    const subjects = [createSubject(task, asPiece(mesh))];
    for (let cut = 0; cut < 12; cut++) {
      const subject = subjects[random.integer(subjects.length)];
      const axis = random.integer(3);
      const direction = [0, 1, 2].map((k) => (k === axis ? 1 : 0));
      const { vertices } = subject.piece;
      const heights = Float64Array.from({ length: vertices.length / 3 }, (_, i) => vertices[3 * i + axis]);
      const [low, high] = [Math.min(...heights), Math.max(...heights)];
      // Heights of corners, where faces may lie in the plane, and heights between.
      const offsets = Float64Array.from(
        [heights[random.integer(heights.length)], heights[random.integer(heights.length)], random.uniform(low, high)]
          .filter((h) => h > low + 0.01 && h < high - 0.01)
          .sort((a, b) => a - b)
          .filter((h, i, all) => i === 0 || h > all[i - 1] + 0.01),
      );
      const { solidBelow, hullBelow, hullAbove } = sweepPlanes(subject, direction, offsets);
      for (let o = 0; o < offsets.length; o++) {
        const plane = [direction[0], direction[1], direction[2], offsets[o]] as const;
        const { below, above } = cutPiece(subject.piece, plane, 1e-10);
        const sides = [createSubject(task, below), createSubject(task, above)];
        expect(solidBelow[o]).toBeCloseTo(volumeOfPiece(below), 9);
        expect(hullBelow[o], `axis ${axis} at ${offsets[o]}, below`).toBeCloseTo(hullVolume(task, sides[0]), 7);
        expect(hullAbove[o], `axis ${axis} at ${offsets[o]}, above`).toBeCloseTo(hullVolume(task, sides[1]), 7);
        if (sides.every(({ piece }) => piece.vertices.length > 12)) subjects.push(...sides);
      }
    }
  }
});
