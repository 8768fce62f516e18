import { describe, expect, it } from 'vitest';
import { createRandom } from '../math/random.js';
import { keepDistinctTriangles } from './distinct-triangles.js';

describe('distinct triangles', () => {
  it("are the first of those in one place, whatever their corners' order and numbers", () => {
    // Corners 3 to 5 lie where 0 to 2 do.
    const square = [0, 0, 0, 1, 0, 0, 0, 1, 0];
    const mesh = {
      vertices: Float64Array.from([...square, ...square, 1, 1, -0]),
      triangles: Uint32Array.from([0, 1, 2, 5, 4, 3, 1, 6, 2, 0, 0, 1, 0, 0, 1]),
    };
    const { mesh: kept, numbers } = keepDistinctTriangles(mesh);
    // Triangles without area are left as they are.
    expect([...numbers]).toEqual([0, 2, 3, 4]);
    expect([...kept.triangles]).toEqual([0, 1, 2, 1, 6, 2, 0, 0, 1, 0, 0, 1]);
    expect(kept.vertices).toBe(mesh.vertices);
    expect(keepDistinctTriangles(kept).mesh).toBe(kept);
  });

  it('are as many as sets of three positions', () => {
    const random = createRandom(4);
    const vertices = Float64Array.from({ length: 60 }, () => random.integer(3));
    const triangles = Uint32Array.from({ length: 900 }, () => random.integer(20));
    const place = (vertex: number): string => vertices.slice(3 * vertex, 3 * vertex + 3).join();
    const places = (t: number): string[] => [0, 1, 2].map((k) => place(triangles[3 * t + k])).sort();
    const proper = [...Array(300).keys()].filter((t) => new Set(places(t)).size === 3);
    const { numbers } = keepDistinctTriangles({ vertices, triangles });
    expect(numbers.length).toBe(300 - proper.length + new Set(proper.map((t) => places(t).join(' '))).size);
  });
});
