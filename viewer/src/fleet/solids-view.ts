/** The solids of a floor: bases, links of arms, loads and what stands, each at its transform, bases in their robot's colour. */

import { toShapeGeometry } from 'clearance/three';
import type { BufferGeometry } from 'three';
import { Group, Mesh, MeshLambertMaterial } from 'three';
import { CARRIES, type FloorSolid, FRAME_STRIDE, STOPPED, TOUCHES, WAITS } from './messages.js';
import type { Colouring } from './robot-instances.js';

const COLOURS = { base: 0x8b949e, link: 0x5b7da8, load: 0xe9c46a, stands: 0x9aa3ab } as const;

export interface SolidsView {
  readonly root: Group;
  setPlaces(places: Float32Array): void;
  setColours(data: Float32Array, colouring: Colouring, maxSpeed: number): void;
  dispose(): void;
}

export function createSolidsView(solids: readonly FloorSolid[]): SolidsView {
  const root = new Group();
  const byShape = new Map<string, BufferGeometry>();
  const meshes = solids.map(({ shape, kind }) => {
    // Numbers alone tell shapes apart; meshes of triangles are drawn one by one.
    const key = 'mesh' in shape ? '' : JSON.stringify(shape);
    const geometry = byShape.get(key) ?? toShapeGeometry(shape, { segments: 24 });
    if (key !== '') byShape.set(key, geometry);
    const mesh = new Mesh(geometry, new MeshLambertMaterial({ color: COLOURS[kind] }));
    mesh.matrixAutoUpdate = false;
    root.add(mesh);
    return mesh;
  });
  return {
    root,
    setPlaces(places) {
      meshes.forEach((mesh, k) => {
        const [a, b, c, d, e, f, g, h, i, x, y, z] = places.subarray(12 * k, 12 * k + 12);
        mesh.matrix.set(a, b, c, x, d, e, f, y, g, h, i, z, 0, 0, 0, 1);
        mesh.matrixWorldNeedsUpdate = true;
      });
    },
    setColours(data, colouring, maxSpeed) {
      solids.forEach(({ kind, robot }, k) => {
        if (kind !== 'base') return;
        const { color } = meshes[k].material;
        const o = FRAME_STRIDE * robot;
        const state = data[o + 3];
        if (colouring === 'speed')
          color.set(COLOURS.base).lerp(FAST.color, Math.min(1, Math.max(0, data[o + 2] / maxSpeed)));
        else if (colouring === 'task') color.set((state & CARRIES) !== 0 ? 0xd07a00 : 0x1d7a4c);
        else
          color.set((state & TOUCHES) !== 0 ? 0xc0281a : (state & (STOPPED | WAITS)) !== 0 ? 0x8f5a00 : COLOURS.base);
      });
    },
    dispose() {
      for (const mesh of meshes) {
        mesh.geometry.dispose();
        mesh.material.dispose();
      }
    },
  };
}

const FAST = new MeshLambertMaterial({ color: 0x1463c8 });
