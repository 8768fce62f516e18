/** Worlds that travel with the page, and those that files make. */
import type { TriangleMesh } from 'clearance/geometry';
import { parseMesh, parseUrdf, parseWorldFile } from 'clearance/io';
import { toWorldOptions, type WorldOptions, type WorldRobotFiles } from 'clearance/simulation';
import gripper from '../../../examples/worlds/gripper.urdf?raw';
import humanoidWorld from '../../../examples/worlds/humanoid.json?raw';
import humanoid from '../../../examples/worlds/humanoid.urdf?raw';
import lift from '../../../examples/worlds/lift.json?raw';
import pendulumWorld from '../../../examples/worlds/pendulum.json?raw';
import pendulum from '../../../examples/worlds/pendulum.urdf?raw';
import push from '../../../examples/worlds/push.json?raw';
import pusher from '../../../examples/worlds/pusher.urdf?raw';
import stack from '../../../examples/worlds/stack.json?raw';

export interface OpenedWorld {
  readonly options: WorldOptions;
  /** What was left out or guessed, a line each. */
  readonly notes: readonly string[];
}

export interface ExampleWorld {
  readonly id: string;
  readonly name: string;
  readonly files: ReadonlyMap<string, Uint8Array>;
}

const encoder = new TextEncoder();
const texts = (entries: Readonly<Record<string, string>>): ReadonlyMap<string, Uint8Array> =>
  new Map(Object.entries(entries).map(([name, text]) => [name, encoder.encode(text)]));

export const EXAMPLES: readonly ExampleWorld[] = [
  { id: 'stack', name: 'Stack of ten boxes', files: texts({ 'stack.json': stack }) },
  {
    id: 'push',
    name: 'Arm that pushes a parcel',
    files: texts({ 'push.json': push, 'pusher.urdf': pusher }),
  },
  { id: 'lift', name: 'Gripper that lifts a part', files: texts({ 'lift.json': lift, 'gripper.urdf': gripper }) },
  {
    id: 'pendulum',
    name: 'Chain of pendulums',
    files: texts({ 'pendulum.json': pendulumWorld, 'pendulum.urdf': pendulum }),
  },
  {
    id: 'humanoid',
    name: 'Humanoid on its drives',
    files: texts({ 'humanoid.json': humanoidWorld, 'humanoid.urdf': humanoid }),
  },
];

const baseName = (path: string): string => path.split(/[\\/]/).at(-1)!;

/** The world of the one .json among the files; robots and meshes are found by their file names. Throws what is wrong, in words. */
export async function openWorld(files: ReadonlyMap<string, Uint8Array>): Promise<OpenedWorld> {
  const decoder = new TextDecoder();
  const named = [...files.keys()].filter((name) => name.endsWith('.json'));
  if (named.length !== 1) throw new Error(`Expected one world file (.json), got ${named.length}.`);
  const { value: world, issues } = parseWorldFile(decoder.decode(files.get(named[0])), { file: named[0] });
  if (!world) throw new Error(issues.map(({ message }) => message).join('\n'));
  const notes = issues.map(({ message }) => message);
  const byBase = new Map([...files].map(([name, bytes]) => [baseName(name), bytes]));
  const loadMeshes = async (shapes: Iterable<{ readonly type: string; readonly file?: string }>) => {
    const meshes = new Map<string, TriangleMesh>();
    for (const { type, file } of shapes) {
      const bytes = type === 'mesh' && file !== undefined ? byBase.get(baseName(file)) : undefined;
      if (!bytes || file === undefined) continue;
      const { value } = await parseMesh(bytes, { file });
      if (value) meshes.set(file, value.mesh);
    }
    return meshes;
  };
  const robots = new Map<string, WorldRobotFiles>();
  for (const { name, file } of world.scene.robots) {
    const bytes = byBase.get(baseName(file));
    if (!bytes) throw new Error(`Robot "${name}": its file ${file} is not among those given.`);
    const { value: description, issues: own } = parseUrdf(decoder.decode(bytes), { file });
    if (!description) throw new Error(own.map(({ message }) => message).join('\n'));
    const meshes = await loadMeshes(description.collisions.map(({ shape }) => shape));
    robots.set(name, { description, semantic: null, meshes });
  }
  const meshes = await loadMeshes(world.scene.objects.map(({ shape }) => shape));
  const { options, assumed } = toWorldOptions(world, { meshes, robots });
  return { options, notes: [...notes, ...assumed.map(({ element, message }) => `${element}: ${message}`)] };
}
