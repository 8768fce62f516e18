/** The examples that travel with the page. */
import armSrdf from '../../../examples/arm/arm.srdf?url';
import armUrdf from '../../../examples/arm/arm.urdf?url';
import bearingScene from '../../../examples/assembly/bearing.json?url';
import problems from '../../../examples/scenes/problems.jsonl?raw';
import shelfScene from '../../../examples/scenes/table-shelf.json?url';
import snakeUrdf from '../../../examples/snake/snake-30.urdf?url';
import type { StoredConfiguration } from './content.js';
import type { Session } from './session.js';

const armMeshes = import.meta.glob<string>('../../../examples/arm/meshes/*.stl', {
  query: '?url',
  import: 'default',
  eager: true,
});
const bearingMeshes = import.meta.glob<string>('../../../examples/assembly/meshes/*.stl', {
  query: '?url',
  import: 'default',
  eager: true,
});

export interface Example {
  readonly id: string;
  readonly name: string;
  readonly session: Session;
}

export const examples: readonly Example[] = [
  {
    id: 'arm',
    name: 'Arm at a shelf',
    session: {
      title: 'Arm at a shelf',
      robot: { urdf: armUrdf, srdf: armSrdf, meshes: byReference(armMeshes) },
      scene: { file: shelfScene },
      q: 'ready',
      view: [-0.5, -0.78, 0.42],
      configurations: readProblems(problems),
      plan: { start: 'ready', goal: 'around the shelf, tool down: goal' },
    },
  },
  { id: 'snake', name: 'Snake, thirty links', session: { title: 'Snake, thirty links', robot: { urdf: snakeUrdf } } },
  {
    id: 'bearing',
    name: 'Bearing assembly',
    session: { title: 'Bearing assembly', scene: { file: bearingScene, meshes: byReference(bearingMeshes) } },
  },
];

/** '../../../examples/arm/meshes/base.stl' is written 'meshes/base.stl' in the files. */
function byReference(urls: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(urls).map(([path, url]) => [path.slice(path.indexOf('meshes/')), url]));
}

function readProblems(lines: string): StoredConfiguration[] {
  return lines
    .trim()
    .split('\n')
    .flatMap((line) => {
      const { name, start, goal } = JSON.parse(line) as { name: string; start: number[]; goal: number[] };
      return [
        { name: `${name}: start`, q: start },
        { name: `${name}: goal`, q: goal },
      ];
    });
}
