import { afterEach, describe, expect, it } from 'vitest';
import { parseUrdf } from '../../src/io/robot/urdf.js';
import { parseSceneFile } from '../../src/io/scene-file.js';
import { checkScene } from '../../src/scene/queries/check.js';
import { disposeScene } from '../../src/scene/scene.js';
import { objectPlacement } from '../../src/scene/transfer/snapshot.js';
import { type Cell, createCell } from '../../src/tasks/create-cell.js';
import { planarArm } from '../scene-fixtures.js';

const cells: Cell[] = [];
afterEach(() => {
  for (const { scene } of cells.splice(0)) disposeScene(scene);
});

const arm = { description: parseUrdf(planarArm('arm', 3, 0.4)).value! };
const pose = (x: number, y = 0): number[] => [x, y, 0, 0, 0, 0, 1];
function read(scene: object) {
  const { value } = parseSceneFile(JSON.stringify({ version: 1, ...scene }));
  return { description: value!, meshes: new Map() };
}

describe('createCell', () => {
  it('places objects, robots with their joint values, attachments with mass, and allowed pairs', () => {
    const around = read({
      objects: [
        { name: 'table', shape: { type: 'box', size: [3, 3, 0.1] }, pose: [0, 0, -0.5, 0, 0, 0, 1] },
        { name: 'cup', shape: { type: 'sphere', radius: 0.05 }, pose: pose(9) },
      ],
      robots: [{ name: 'other', file: 'other.urdf', pose: pose(0, 2), q: [1, 0.5] }],
      attached: [{ object: 'cup', link: 'arm/link2', touchLinks: [], pose: pose(0.5), mass: 0.3 }],
      allowed: [['table', 'cup']],
    });
    const cell = createCell({ robot: arm, around, robots: new Map([['other', arm]]) });
    cells.push(cell);
    const { scene, robot } = cell;
    expect(scene.robots.map(({ name }) => name)).toEqual(['arm', 'other']);
    expect(robot).toBe(scene.robots[0]);
    expect([...scene.robots[1].q]).toEqual([1, 0.5]);
    const cup = scene.objects.get('cup')!;
    expect(cup.attachment).toMatchObject({ link: 'link2', mass: 0.3 });
    expect([...objectPlacement(cup)].slice(9)).toEqual([1.3, 0, 0]);
    expect(scene.allowed.get('table', 'cup')).toBeDefined();
    expect(checkScene(scene)).toMatchObject({ free: true, complete: true, assumed: [] });
  });

  it('says in every answer what is not there', () => {
    const around = read({
      objects: [{ name: 'part', shape: { type: 'mesh', file: 'part.stl' }, pose: pose(0) }],
      robots: [{ name: 'other', file: 'other.urdf', pose: pose(0, 2) }],
      attached: [{ object: 'part', link: 'link1', touchLinks: [] }],
    });
    const cell = createCell({ robot: arm, around });
    cells.push(cell);
    expect(checkScene(cell.scene)).toMatchObject({
      complete: false,
      assumed: [
        'dropped: object "part": a file of its shape is not loaded',
        'dropped: robot "other": its file "other.urdf" is not loaded',
      ],
    });
  });

  it('leaves no scene behind when something in it means nothing', () => {
    const twice = read({ objects: [], robots: [], allowed: [['nobody', 'link1']] });
    expect(() => createCell({ robot: arm, around: twice })).toThrow(/got "nobody"/);
    const held = read({
      objects: [{ name: 'cup', shape: { type: 'sphere', radius: 0.05 }, pose: pose(9) }],
      attached: [{ object: 'cup', link: 'hand', touchLinks: [] }],
    });
    expect(() => createCell({ robot: arm, around: held })).toThrow(/attachObject: link, got "hand"/);
    expect(() => createCell({ around: held })).toThrow(/attached object "cup": link, got "hand" of no robot/);
  });
});
