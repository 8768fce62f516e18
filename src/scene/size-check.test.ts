import { describe, expect, it } from 'vitest';
import { addUrdf, planarArm } from '../../test/scene-fixtures.js';
import type { Mesh } from '../geometry/shapes.js';
import { addObject, createScene } from './scene.js';
import { findSizeSuspicions } from './size-check.js';

/** A closed tetrahedron with one corner at the origin. */
function tetrahedron(size: number): Mesh {
  return {
    type: 'mesh',
    mesh: {
      vertices: Float64Array.of(0, 0, 0, size, 0, 0, 0, size, 0, 0, 0, size),
      triangles: Uint32Array.of(0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2),
    },
  };
}

const link = '<collision><geometry><mesh filename="part.stl"/></geometry></collision>';

function armWithMesh(size: number) {
  const urdf = planarArm('arm', 3, 0.4).replace('<link name="link2">', `<link name="link2">${link}`);
  const scene = createScene();
  addUrdf(scene, urdf, { meshes: new Map([['part.stl', tetrahedron(size).mesh]]) });
  return scene;
}

describe('sizes that do not go together', () => {
  it('a mesh of a robot in millimetres, an object in millimetres, and one scaled twice', () => {
    expect(findSizeSuspicions(armWithMesh(0.2))).toEqual([]);
    const [suspicion, ...others] = findSizeSuspicions(armWithMesh(200));
    expect(others).toEqual([]);
    expect(suspicion).toMatchObject({ element: 'link "link2"', size: 200 });
    expect(suspicion.message).toMatch(/200 m large beside a robot of 0\.8 m; its numbers look like millimetres/);
    for (const [size, words] of [
      [300, /look like millimetres/],
      [1e-5, /scaled twice/],
    ] as const) {
      const scene = armWithMesh(0.2);
      addObject(scene, { name: 'part', shape: tetrahedron(size) });
      expect(findSizeSuspicions(scene)).toMatchObject([{ element: 'object "part"' }]);
      expect(findSizeSuspicions(scene)[0].message).toMatch(words);
    }
  });

  it('says nothing of shapes in numbers, of half-spaces and of scenes without robots', () => {
    const scene = armWithMesh(0.2);
    addObject(scene, { name: 'floor', shape: { type: 'box', size: [500, 500, 0.1] }, pose: [0, 0, -9, 0, 0, 0, 1] });
    addObject(scene, { name: 'ground', shape: { type: 'halfspace', normal: [0, 0, 1], offset: -20 } });
    addObject(scene, { name: 'hall', shape: tetrahedron(15) });
    expect(findSizeSuspicions(scene)).toEqual([]);
    const alone = createScene();
    addObject(alone, { name: 'part', shape: tetrahedron(300) });
    expect(findSizeSuspicions(alone)).toEqual([]);
  });
});
