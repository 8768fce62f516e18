/**
 * Convex hulls of the meshes that are checked, as ghosts on links and objects, made in a worker when first shown; with how deep below its
 * hull the deepest mesh lies.
 */
import type { TriangleMesh } from 'clearance/geometry';
import type { SceneBody } from 'clearance/scene';
import { placeObject } from 'clearance/three';
import { BufferAttribute, BufferGeometry, DoubleSide, Mesh, MeshStandardMaterial, type Object3D } from 'three';
import type { FromPreparation, ToPreparation } from '../compute-worker.js';
import { startComputing } from '../computing.js';
import { formatLength } from '../format.js';
import type { HullAnswer } from '../load/hull-depth.js';
import type { Workspace } from '../workspace.js';

export interface HullView {
  show(workspace: Workspace | null): void;
  /** Frees what is drawn and forgets what was made. */
  clear(): void;
}

const material = new MeshStandardMaterial({
  color: 0x7a5ab8,
  roughness: 0.5,
  transparent: true,
  opacity: 0.26,
  side: DoubleSide,
  depthWrite: false,
  // Before the faces that it shares with the mesh.
  polygonOffset: true,
  polygonOffsetFactor: -1,
  polygonOffsetUnits: -1,
});

interface Ghost {
  readonly name: string;
  readonly parent: Object3D;
  readonly mesh: TriangleMesh;
  readonly placement: ArrayLike<number>;
}

interface Made extends HullAnswer {
  readonly geometry: BufferGeometry;
}

/** `onState`: what there is to say, in words; `onDrawn`: the picture has changed. */
export function createHullView(onState: (text: string) => void, onDrawn: () => void): HullView {
  const made = new Map<TriangleMesh, Made>();
  const drawn: Mesh[] = [];
  let worker: Worker | null = null;
  let shown: Workspace | null = null;

  const erase = (): void => {
    for (const mesh of drawn.splice(0)) mesh.removeFromParent();
  };

  const draw = (): void => {
    erase();
    const ghosts = shown ? listGhosts(shown) : [];
    let deepest: { readonly name: string; readonly depth: number } | null = null;
    for (const { name, parent, mesh, placement } of ghosts) {
      const hull = made.get(mesh);
      if (!hull) continue;
      const object = new Mesh(hull.geometry, material);
      object.name = 'hull';
      object.renderOrder = 5;
      placeObject(object, placement);
      parent.add(object);
      drawn.push(object);
      if (!deepest || hull.depth > deepest.depth) deepest = { name, depth: hull.depth };
    }
    onState(
      !shown
        ? ''
        : deepest
          ? `${drawn.length} hulls; ${deepest.name} lies ${formatLength(deepest.depth)} below its own`
          : 'No mesh is checked',
    );
    onDrawn();
  };

  const makeNext = (): void => {
    const next = shown && listGhosts(shown).find(({ mesh }) => !made.has(mesh))?.mesh;
    if (!next) {
      worker?.terminate();
      worker = null;
      draw();
      return;
    }
    onState('Making hulls');
    worker ??= startComputing();
    const asked = worker;
    asked.onmessage = ({ data }: MessageEvent<FromPreparation>) => {
      if (worker !== asked) return;
      if (data.type === 'hull') {
        const geometry = new BufferGeometry();
        geometry.setAttribute('position', new BufferAttribute(data.hull.positions, 3));
        geometry.computeVertexNormals();
        made.set(next, { ...data.hull, geometry });
        makeNext();
      } else stop(data.type === 'failed' ? data.message : 'no answer');
    };
    asked.onerror = ({ message }) => stop(message);
    // Those in the kernel's memory cannot be sent as they are.
    asked.postMessage({
      type: 'hull',
      mesh: { vertices: next.vertices.slice(), triangles: new Uint32Array(0) },
    } satisfies ToPreparation);
  };
  const stop = (why: string): void => {
    worker?.terminate();
    worker = null;
    onState(`No hulls: ${why}`);
  };

  return {
    show(workspace) {
      shown = workspace;
      if (shown && !worker) makeNext();
      else if (!shown) draw();
    },
    clear() {
      worker?.terminate();
      worker = shown = null;
      erase();
      for (const { geometry } of made.values()) geometry.dispose();
      made.clear();
      onState('');
    },
  };
}

/** The meshes that bodies consist of, where they hang. */
function listGhosts({ robots, objects }: Workspace): Ghost[] {
  const ghosts: Ghost[] = [];
  const add = (name: string, parent: Object3D | undefined, { parts }: SceneBody): void => {
    for (const { shape, placement } of parts)
      if (parent && shape.type === 'mesh') ghosts.push({ name, parent, mesh: shape.mesh, placement });
  };
  for (const { scene, object } of robots)
    for (const { name, body } of scene.links) add(name, object.links.get(name)?.group, body);
  for (const { scene, mesh } of objects) add(scene.name, mesh, scene.body);
  return ghosts;
}
