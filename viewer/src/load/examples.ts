/** The examples that travel with the page. */
import armSrdf from '../../../examples/arm/arm.srdf?url';
import armUrdf from '../../../examples/arm/arm.urdf?url';
import bearingScene from '../../../examples/assembly/bearing.json?url';
import humanoidSrdf from '../../../examples/humanoid/humanoid.srdf?url';
import humanoidUrdf from '../../../examples/humanoid/humanoid.urdf?url';
import peptide from '../../../examples/peptide/hairpin.pdb?url';
import problems from '../../../examples/scenes/problems.jsonl?raw';
import shelfScene from '../../../examples/scenes/table-shelf.json?url';
import snakeUrdf from '../../../examples/snake/snake-30.urdf?url';
import twoArmsScene from '../../../examples/two-arms.json?url';
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

const pictures = import.meta.glob<string>('../gallery/*.jpg', { query: '?url', import: 'default', eager: true });

export interface Example {
  readonly id: string;
  readonly name: string;
  /** What to do with it, in a few words. */
  readonly about: string;
  /** URL. */
  readonly picture?: string;
  readonly session: Session;
}

export const arm = { urdf: armUrdf, srdf: armSrdf, meshes: byReference(armMeshes) };

const listed: readonly Omit<Example, 'picture'>[] = [
  {
    id: 'arm',
    name: 'Arm at a shelf',
    about: 'Drag the goal: the path follows',
    session: {
      title: 'Arm at a shelf',
      robot: arm,
      scene: { file: shelfScene },
      q: 'ready',
      view: [-0.5, -0.78, 0.42],
      configurations: readProblems(problems),
      plan: { start: 'ready', goal: 'around the shelf, tool down: goal' },
    },
  },
  {
    id: 'two-arms',
    name: 'Two arms',
    about: 'They touch each other too',
    session: {
      title: 'Two arms',
      scene: { file: twoArmsScene, robots: { left: arm, right: arm } },
      view: [0.9, -0.75, 0.6],
    },
  },
  {
    id: 'bearing',
    name: 'Bearing assembly',
    about: 'Gaps of a tenth of a millimetre',
    session: {
      title: 'Bearing assembly',
      scene: { file: bearingScene, meshes: byReference(bearingMeshes) },
    },
  },
  {
    id: 'snake',
    name: 'Snake, thirty links',
    about: 'Turn a joint, the rest swings',
    session: { title: 'Snake, thirty links', robot: { urdf: snakeUrdf } },
  },
  {
    id: 'peptide',
    name: 'Peptide',
    about: 'Turn torsions, watch it fold',
    session: { title: 'Peptide', files: [{ path: 'hairpin.pdb', url: peptide }] },
  },
  {
    id: 'scan',
    name: 'Scan, 500,000 triangles',
    about: 'Drag the ball along the stone',
    session: { title: 'Scan, 500,000 triangles', made: 'scan' },
  },
  {
    id: 'humanoid',
    name: 'Humanoid',
    about: 'Twenty-nine joints, five groups',
    session: { title: 'Humanoid', robot: { urdf: humanoidUrdf, srdf: humanoidSrdf } },
  },
];

export const examples: readonly Example[] = listed.map((example) => ({
  ...example,
  picture: pictures[`../gallery/${example.id}.jpg`],
}));

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
