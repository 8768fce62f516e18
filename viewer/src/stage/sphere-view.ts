/** Spheres that contain the links of a robot, fitted in a worker when first shown, and drawn translucent on the links they belong to. */
import type { FittedSphereModel } from 'clearance/scene';
import { InstancedMesh, Matrix4, MeshStandardMaterial, SphereGeometry } from 'three';
import { startComputing } from '../computing.js';
import type { SphereModelMessage } from '../load/fit-spheres.js';
import type { WorkspaceRobot } from '../workspace.js';

export type SphereLevel = 'bound' | 'coarse' | 'fine';

export interface SphereView {
  /** Shows the level on these robots; null hides. */
  show(robots: readonly WorkspaceRobot[], level: SphereLevel | null): void;
  /** Frees what is drawn and forgets the robots. */
  clear(): void;
}

const geometry = new SphereGeometry(1, 24, 16);
const material = new MeshStandardMaterial({
  color: 0x2f6fb0,
  roughness: 0.5,
  transparent: true,
  opacity: 0.3,
  depthWrite: false,
});

/** `onState`: what there is to say, in words; `onDrawn`: the picture has changed. */
export function createSphereView(onState: (text: string) => void, onDrawn: () => void): SphereView {
  const models = new Map<WorkspaceRobot, FittedSphereModel>();
  const drawn: InstancedMesh[] = [];
  let worker: Worker | null = null;
  let shown: { readonly robots: readonly WorkspaceRobot[]; readonly level: SphereLevel } | null = null;

  const erase = (): void => {
    for (const mesh of drawn.splice(0)) {
      mesh.removeFromParent();
      mesh.dispose();
    }
  };

  const draw = (): void => {
    erase();
    if (!shown) {
      onDrawn();
      return;
    }
    let count = 0;
    let isProven = true;
    for (const robot of shown.robots) {
      const model = models.get(robot);
      if (!model) continue;
      isProven &&= model.proven;
      for (const { link, bound, levels } of model.links) {
        const spheres =
          shown.level === 'bound' ? bound : shown.level === 'coarse' ? levels[0] : levels[levels.length - 1];
        const parent = robot.object.links.get(link)?.group;
        if (!parent) continue;
        const mesh = new InstancedMesh(geometry, material, spheres.length / 4);
        const place = new Matrix4();
        for (let i = 0; i < spheres.length; i += 4) {
          const r = spheres[i + 3];
          mesh.setMatrixAt(i / 4, place.makeScale(r, r, r).setPosition(spheres[i], spheres[i + 1], spheres[i + 2]));
        }
        mesh.name = 'spheres';
        mesh.renderOrder = 5;
        parent.add(mesh);
        drawn.push(mesh);
        count += spheres.length / 4;
      }
    }
    onState(`${count} spheres${isProven ? ', proven to contain the links' : ', not all proven'}`);
    onDrawn();
  };

  const fitNext = (): void => {
    const robot = shown?.robots.find((candidate) => !models.has(candidate));
    if (!robot) draw();
    if (!robot || worker) return;
    onState('Fitting spheres');
    const started = startComputing();
    worker = started;
    const finish = (text: string | null): void => {
      started.terminate();
      if (worker !== started) return;
      worker = null;
      if (text === null) fitNext();
      else onState(text);
    };
    started.onmessage = ({
      data,
    }: MessageEvent<SphereModelMessage | { readonly type: string; readonly message: string }>) => {
      if (data.type === 'spheres') models.set(robot, (data as SphereModelMessage).model);
      finish(data.type === 'spheres' ? null : `No spheres: ${(data as { message: string }).message}`);
    };
    started.onerror = ({ message }) => finish(`No spheres: ${message}`);
    const { scene, meshes } = robot;
    started.postMessage({ type: 'spheres', robot: { description: scene.description, meshes } });
  };

  return {
    show(robots, level) {
      shown = level === null ? null : { robots, level };
      if (!shown) {
        onState('');
        draw();
      } else fitNext();
    },
    clear() {
      worker?.terminate();
      worker = null;
      shown = null;
      models.clear();
      erase();
      onState('');
    },
  };
}
