/** Files in which each option of the command line makes a difference: one small robot per option. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writePdb } from '../../../src/io/molecule/pdb-write.js';
import { buildPeptide } from '../../../src/molecule/peptide.js';

type Triple = readonly [number, number, number];

/** A box as triangles, outward, with the vertices of the last triangle moved apart by `gap`. */
function boxMesh([x, y, z]: Triple, center: Triple, gap = 0): { vertices: number[][]; triangles: number[][] } {
  const vertices = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => [
    center[0] + (i & 1 ? x : -x) / 2,
    center[1] + (i & 2 ? y : -y) / 2,
    center[2] + (i & 4 ? z : -z) / 2,
  ]);
  const triangles = [
    [0, 2, 1],
    [1, 2, 3],
    [4, 5, 6],
    [5, 7, 6],
    [0, 1, 4],
    [1, 5, 4],
    [2, 6, 3],
    [3, 6, 7],
    [0, 4, 2],
    [2, 4, 6],
    [1, 3, 5],
    [3, 7, 5],
  ];
  if (gap > 0) {
    vertices.push(vertices[7].map((value) => value + gap));
    triangles[11] = [3, 8, 5];
  }
  return { vertices, triangles };
}

function withoutLid({ vertices, triangles }: ReturnType<typeof boxMesh>): ReturnType<typeof boxMesh> {
  return { vertices, triangles: triangles.slice(0, -2) };
}

function toStl({ vertices, triangles }: ReturnType<typeof boxMesh>): string {
  const facets = triangles.map(
    (corners) =>
      `facet normal 0 0 0\nouter loop\n${corners.map((i) => `vertex ${vertices[i].join(' ')}`).join('\n')}\nendloop\nendfacet`,
  );
  return `solid part\n${facets.join('\n')}\nendsolid part\n`;
}

function toObj({ vertices, triangles }: ReturnType<typeof boxMesh>): string {
  const faces = triangles.map((corners) => `f ${corners.map((i) => i + 1).join(' ')}`);
  return `${[...vertices.map((v) => `v ${v.join(' ')}`), ...faces].join('\n')}\n`;
}

function toCollada({ vertices, triangles }: ReturnType<typeof boxMesh>): string {
  return `<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="meter" meter="1"/><up_axis>Y_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh><source id="p"><float_array id="a" count="${3 * vertices.length}">${vertices.flat().join(' ')}</float_array>
<technique_common><accessor source="#a" count="${vertices.length}" stride="3"><param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="${triangles.length}"><input semantic="VERTEX" source="#v" offset="0"/><p>${triangles.flat().join(' ')}</p></triangles></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node id="n"><instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>`;
}

/** An L as one closed mesh: its hull is much more than itself. */
const L_OBJ = (() => {
  const corners = [
    [0, 0],
    [1, 0],
    [1, 0.1],
    [0.1, 0.1],
    [0.1, 1],
    [0, 1],
  ];
  const vertices = [0, 1].flatMap((z) => corners.map(([x, y]) => `v ${x - 0.05} ${y - 0.05} ${z - 0.5}`));
  const faces = ['f 4 3 2 1', 'f 6 5 4 1', 'f 7 8 9 10', 'f 7 10 11 12'];
  for (let i = 0; i < 6; i++) faces.push(`f ${i + 1} ${((i + 1) % 6) + 1} ${((i + 1) % 6) + 7} ${i + 7}`);
  return `${[...vertices, ...faces].join('\n')}\n`;
})();

const collision = (geometry: string, xyz = '0 0 0'): string =>
  `<collision><origin xyz="${xyz}"/><geometry>${geometry}</geometry></collision>`;
const sphere = (radius: number | string): string => `<sphere radius="${radius}"/>`;
const mesh = (file: string): string => `<mesh filename="${file}"/>`;

interface RobotParts {
  /** Of link0 and link2, which are not adjacent; link1 between them is small and out of the way. */
  readonly low: string;
  readonly high: string;
  readonly joint2?: string;
  /** Of joint 2; default z. */
  readonly axis2?: string;
  readonly type?: string;
  readonly more?: string;
  readonly limit?: string;
}

const LIMIT = '<limit lower="-3" upper="3" velocity="1" effort="10"/>';

/** Two joints about z in a row, through the origin. */
function robot({
  low,
  high,
  joint2 = '',
  axis2 = '0 0 1',
  type = 'revolute',
  more = '',
  limit = LIMIT,
}: RobotParts): string {
  const inertial =
    '<inertial><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>';
  const joint = (name: string, parent: string, child: string, axis: string, inner: string): string =>
    `<joint name="${name}" type="${type}"><parent link="${parent}"/><child link="${child}"/><axis xyz="${axis}"/>${limit}${inner}</joint>`;
  return `<robot name="bot" xmlns:xacro="http://www.ros.org/wiki/xacro">${more}
<link name="link0">${low}</link><link name="link1">${inertial}${collision(sphere(0.01), '0 0 -3')}</link>
<link name="link2">${inertial}${high}</link>
${joint('j1', 'link0', 'link1', '0 0 1', '')}${joint('j2', 'link1', 'link2', axis2, joint2)}</robot>`;
}

/** A helix; `psi` in radians. */
function peptide(psi: number): string[] {
  const sequence = 'GSECAAKLPCFW';
  const torsions = Array.from(sequence, () => ({ phi: -1, psi }));
  const lines = writePdb(buildPeptide(sequence, torsions)).split('\n');
  return lines.filter((line) => line.startsWith('ATOM'));
}

/** Atom lines with columns replaced: alternate location, chain, and x moved by angstrom. */
function changeAtom(line: string, { alternate = ' ', chain = 'A', shift = 0 }): string {
  const x = (Number(line.slice(30, 38)) + shift).toFixed(3).padStart(8);
  return `${line.slice(0, 16)}${alternate}${line.slice(17, 21)}${chain}${line.slice(22, 30)}${x}${line.slice(38)}`;
}

const isAtom = (line: string, name: string, residue: number): boolean =>
  line.slice(12, 16).trim() === name && Number(line.slice(22, 26)) === residue;

/** A helix whose two cysteines are bonded. */
function bridged(): string[] {
  const lines = peptide(-0.82);
  const place = lines.find((line) => isAtom(line, 'SG', 4))!.slice(30, 54);
  return lines.map((line) =>
    isAtom(line, 'SG', 10) ? changeAtom(`${line.slice(0, 30)}${place}${line.slice(54)}`, { shift: 2.05 }) : line,
  );
}

/** Two models, the first with two chains that overlap, atoms in two places, and a water; a bond with an atom that is not there. */
function protein(): string {
  const first = peptide(-0.82);
  const a = first.flatMap((line) =>
    isAtom(line, 'SG', 4) || isAtom(line, 'CA', 5)
      ? [changeAtom(line, { alternate: 'A' }), changeAtom(line, { alternate: 'B', shift: 0.7 })]
      : [line],
  );
  const b = first.map((line) => changeAtom(line, { chain: 'B', shift: 2 }));
  const [x, y, z] = [30, 38, 46].map((at) => Number(first[20].slice(at, at + 8)));
  const at = [x + 1.5, y + 0.5, z].map((value) => value.toFixed(3).padStart(8)).join('');
  const water = `HETATM  999  O   HOH A 301    ${at}  1.00  0.00           O`;
  const bond = 'CONECT    1 8888';
  const model = (n: number, lines: readonly string[]): string[] => [`MODEL     ${n}`, ...lines, 'ENDMDL'];
  return [...model(1, [...a, ...b, water]), ...model(2, peptide(-0.6)), bond, 'END', ''].join('\n');
}

const srdf = (inner: string): string => `<robot name="bot">${inner}</robot>`;
const disable = '<disable_collisions link1="link0" link2="link2" reason="Never"/>';
const ball = (name: string, x: number, radius = 0.1): object => ({
  name,
  shape: { type: 'sphere', radius },
  pose: [x, 0, 0, 0, 0, 0, 1],
});

/** Writes all of it; the names of the files are what the cases say. */
function joinBoxes(boxes: readonly ReturnType<typeof boxMesh>[]): ReturnType<typeof boxMesh> {
  return {
    vertices: boxes.flatMap(({ vertices }) => vertices),
    triangles: boxes.flatMap(({ triangles }, i) => triangles.map((triangle) => triangle.map((v) => v + 8 * i))),
  };
}

export function writeFixtures(folder: string): void {
  const write = (name: string, content: string | object): void => {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), typeof content === 'string' ? content : `${JSON.stringify(content)}\n`);
  };
  const lines = (...list: unknown[]): string => `${list.map((line) => JSON.stringify(line)).join('\n')}\n`;
  const touching = { low: collision(sphere(0.1)), high: collision(sphere(0.1)) };
  const apart = { low: collision(sphere(0.1)), high: collision(sphere(0.1), '0 0 1') };
  const high = collision(sphere(0.1), '0 0 1');

  write('apart.urdf', robot(apart));
  write('touching.urdf', robot(touching));
  write('warns.urdf', robot({ ...apart, limit: '' }));
  write('adjacent.urdf', robot({ low: collision(sphere(0.1), '0 0 -3'), high: collision(sphere(0.1)) }));
  const visual = `<visual><geometry>${sphere(2)}</geometry></visual>`;
  // Links between that have no geometry would make the two adjacent.
  const seen = robot({ low: apart.low + visual, high: apart.high + visual });
  write('visual.urdf', seen.replace('<link name="link1">', `<link name="link1">${visual}`));
  write(
    'mimic.urdf',
    robot({
      low: collision(sphere(0.2), '0.5 0 0'),
      high: collision(sphere(0.2), '0.5 0 0'),
      joint2: '<mimic joint="j1" offset="1.5"/>',
    }),
  );
  write('fast.urdf', robot({ ...apart, joint2: '<mimic joint="j1" multiplier="3"/>' }));
  write('one-path.json', [[0], [0.9]]);
  const program = (...stops: readonly (readonly number[])[]) => ({
    format: 'clearance.motion/1',
    tool: { frame: 'link2' },
    start: stops[0],
    moves: stops.slice(1).map((joints) => ({ move: 'ptp', to: { joints }, radius: 0.01 })),
  });
  write('one-program.json', program([0], [0.9]));
  write('program.json', program([0, 0], [1, 0.5], [0.5, 1]));
  const placed = (file: string) =>
    ['left', 'right'].map((name, i) => ({ name, file, pose: [0, 3 * i, 0, 0, 0, 0, 1] }));
  write('cell.json', { version: 1, robots: placed('apart.urdf') });
  write('inner/cell.json', { version: 1, robots: placed('../apart.urdf') });
  write('lost-cell.json', { version: 1, robots: placed('missing.urdf') });
  write('warns-cell.json', { version: 1, robots: placed('warns.urdf') });
  write('cell-paths.json', {
    paths: placed('').map(({ name }) => ({
      robot: name,
      path: [
        [0, 0],
        [1, 1],
      ],
    })),
  });
  write('cell-goals.json', { goals: placed('').map(({ name }) => ({ robot: name, start: [0, 0], goal: [1, 1] })) });
  const example = (name: string): string => fileURLToPath(new URL(`../../../examples/${name}`, import.meta.url));
  const pick = JSON.parse(readFileSync(example('tasks/pick-can.json'), 'utf8')) as Record<string, unknown>;
  const files = {
    robot: example('arm/arm.urdf'),
    srdf: example('arm/arm.srdf'),
    scene: example('scenes/table-shelf.json'),
  };
  write('pick.json', { ...pick, ...files });
  const far = { ...pick, ...files, grasps: [{ pose: [5, 0, 0, 0, 0, 0, 1] }] };
  write('far-pick.json', far);
  write('inner/around.json', {
    version: 1,
    objects: [{ ...ball('can', 9), shape: { type: 'mesh', file: '../big.stl' } }],
  });
  write('outside-pick.json', { ...far, scene: 'inner/around.json' });
  write('lost-pick.json', { ...far, scene: 'lost.json' });
  write('lost.json', {
    version: 1,
    objects: [ball('can', 9), { name: 'm', shape: { type: 'mesh', file: 'gone.stl' } }],
  });
  const problem = 'clearance.optimisation/1';
  write('still.json', { schema: problem, start: [0, 0], goal: [0, 0] });
  write('one-still.json', { schema: problem, start: [0], goal: [0] });
  write('turned-still.json', { schema: problem, start: 'turned', goal: 'turned' });
  write('optimise.json', { schema: problem, start: [0, 0], goal: [3, 0], segments: 12 });
  write('optimise-far.json', { schema: problem, start: [0, 0], goal: [1, 1] });
  write('one-optimise.json', { schema: problem, start: [0], goal: [0.9] });
  write('certificate.json', { version: 1, margin: 0, segments: [] });
  const turning = { low: collision(sphere(0.2), '0.5 0 0'), high: collision(sphere(0.2), '-0.5 0 0') };
  write('turning.urdf', robot(turning));
  write('spinning.urdf', robot({ ...turning, type: 'continuous', limit: '' }));
  write('continuous.urdf', robot({ ...apart, type: 'continuous', limit: '' }));
  write('missing.urdf', robot({ low: collision(sphere(0.1)), high: collision(mesh('gone.stl')) }));
  write('big.stl', toStl(boxMesh([1, 1, 1], [0, 0, 0])));
  write('open.obj', toObj(boxMesh([1, 1, 1], [0, 0, 0], 1e-5)));
  write('holed.obj', toObj(withoutLid(boxMesh([1, 1, 1], [0, 0, 0]))));
  write('axis.dae', toCollada(boxMesh([0.3, 0.3, 0.3], [0, 1, 0])));
  write('unit.obj', toObj(boxMesh([0.3, 0.3, 0.3], [0, 0, 1])));
  write('l.obj', L_OBJ);
  // A peg in a channel that is open along x; in a cell that is closed; a window that a bar has to turn for.
  write('peg.obj', toObj(boxMesh([1, 0.4, 0.4], [0, 0, 0])));
  const walls = (open: boolean) =>
    [
      boxMesh([2, 0.2, 1], [0, 0.4, 0]),
      boxMesh([2, 0.2, 1], [0, -0.4, 0]),
      boxMesh([2, 1, 0.2], [0, 0, 0.4]),
      boxMesh([2, 1, 0.2], [0, 0, -0.4]),
      ...(open ? [] : [boxMesh([0.2, 1, 1], [1.1, 0, 0]), boxMesh([0.2, 1, 1], [-1.1, 0, 0])]),
    ] as const;
  write('walls.obj', toObj(joinBoxes(walls(true))));
  write('cell.obj', toObj(joinBoxes(walls(false))));
  const at = (position: readonly number[]) => ({ position, quaternion_xyzw: [0, 0, 0, 1] });
  const rigid = { group: 'SE3', robot: { mesh: 'peg.obj' }, bounds: { min: [-4, -4, -4], max: [4, 4, 4] } };
  write('slot.json', { ...rigid, environment: { mesh: 'walls.obj' }, start: at([0, 0, 0]), goal: at([3, 0, 0]) });
  write('shut.json', { ...rigid, environment: { mesh: 'cell.obj' }, start: at([0, 0, 0]), goal: at([3, 0, 0]) });
  const plate = [boxMesh([0.1, 4, 1.4], [0, 0, 1.3]), boxMesh([0.1, 4, 1.4], [0, 0, -1.3])];
  const sides = [boxMesh([0.1, 1.4, 1.2], [0, 1.3, 0]), boxMesh([0.1, 1.4, 1.2], [0, -1.3, 0])];
  write('window.obj', toObj(joinBoxes([...plate, ...sides])));
  write('bar.obj', toObj(boxMesh([0.2, 1.4, 0.2], [0, 0, 0])));
  write('turn.json', {
    ...rigid,
    ...{
      robot: { mesh: 'bar.obj' },
      environment: { mesh: 'window.obj' },
      start: at([-2, 0, 0]),
      goal: at([2, 0.3, 0.1]),
    },
  });
  write('rigid-path.json', [
    [0, 0, 0, 0, 0, 0, 1],
    [3, 0, 0, 0, 0, 0, 1],
  ]);
  write('pegs.json', {
    parts: [
      { name: 'walls', file: 'walls.obj' },
      { name: 'peg', file: 'peg.obj' },
    ],
  });
  write('locked.json', {
    parts: [
      { name: 'cell', file: 'cell.obj' },
      { name: 'peg', file: 'peg.obj' },
    ],
  });
  write('sub/outside.json', { parts: [{ name: 'peg', file: '../peg.obj' }] });
  const room = { bounds: [0, 0, 10, 10], start: [1, 1], goal: [9, 3] };
  const triangle = {
    polygon: [
      [0, 0],
      [1, 0],
      [0, 1],
    ],
  };
  const floor = ['......', '......', '......'];
  const cells = (name: string, rows: readonly string[]) =>
    writeFileSync(
      join(folder, name),
      `type octile\nheight ${rows.length}\nwidth ${rows[0].length}\nmap\n${rows.join('\n')}\n`,
    );
  cells('floor.map', floor);
  cells('ring.map', ['..', '..']);
  const entry = (x: number, y: number, u: number, v: number) => `0 a.map 6 3 ${x} ${y} ${u} ${v} 1`;
  writeFileSync(join(folder, 'floor.scen'), `version 1\n${entry(0, 0, 5, 2)}\n${entry(5, 2, 0, 0)}\n`);
  const turn = [entry(0, 0, 1, 0), entry(1, 0, 1, 1), entry(1, 1, 0, 1), entry(0, 1, 0, 0)];
  writeFileSync(join(folder, 'ring.scen'), `version 1\n${turn.join('\n')}\n`);
  write('inner/arms.json', {
    version: 1,
    floor: {
      arms: { bot: { file: '../apart.urdf' } },
      robots: [{ name: 'a', base: 'omni', shape: { type: 'disc', radius: 0.3 }, pose: [0, 0, 0], arm: 'bot' }],
    },
  });
  write('floor.json', { version: 1, fleet: { map: floor, robots: 2, turnRate: 1 } });
  // A record at the usual rate: one row per second.
  writeFileSync(join(folder, 'seldom.csv'), 'time\n0\n1\n');
  write('room.json', {
    robot: triangle,
    obstacles: [
      {
        polygon: [
          [4, 2],
          [6, 2],
          [5, 7],
        ],
      },
    ],
    ...room,
  });
  write('wall.svg', '<svg><rect x="2" y="-3" width="1" height="2"/></svg>');
  write('roof.obj', toObj(joinBoxes([boxMesh([1, 1, 1], [3, 1, 0.5]), boxMesh([2, 3, 1], [3, 1, 1.5])])));
  // Of the corridor that a board turns in: shut, and shut above the height 1 only.
  write('shut.svg', '<svg><rect x="0" y="-3" width="1" height="0.5"/></svg>');
  write('lid.obj', toObj(joinBoxes([boxMesh([1, 1, 1], [3, 3, 0.5]), boxMesh([1, 0.5, 1], [0.5, 2.75, 1.5])])));
  const slab = (size: string) => collision(`<box size="${size}"/>`);
  write('cart.urdf', robot({ low: slab('0.4 0.4 0.4'), high: slab('1.2 0.2 0.2') }));
  // Corners a thousandth farther apart than the ball is wide: polygons of few sides stay between neither.
  const corners = [
    {
      polygon: [
        [4, -20],
        [6, -20],
        [5, 4],
      ],
    },
    {
      polygon: [
        [5.6006, 4.8008],
        [6, 30],
        [5, 30],
      ],
    },
  ];
  write('ball.json', { robot: { disc: 0.5 }, obstacles: corners, ...room, start: [1, 4], goal: [9, 4.5] });
  // A board a thousandth shorter than the longest that goes around the corner.
  const wall = (x0: number, y0: number, x1: number, y1: number) => ({
    polygon: [
      [x0, y0],
      [x1, y0],
      [x1, y1],
      [x0, y1],
    ],
  });
  write('turning.json', {
    robot: wall(-1.1125, -0.15, 1.1125, 0.15),
    obstacles: [wall(-1, -1, 6, 0), wall(-1, -1, 0, 6), wall(1, 1, 6, 6)],
    bounds: [0, 0, 4.5, 4.5],
    start: [0.5, 4, Math.PI / 2],
    goal: [4, 0.5, Math.PI],
    turning: true,
  });
  write('odd.obj', `${L_OBJ}oddity 1\n`);
  // Not found by itself: neither its folder nor its package.xml has the name, and folders called build are not searched.
  write('build/shelf/parcel/far.stl', toStl(boxMesh([1, 1, 1], [0, 0, 0])));
  write('build/shelf/parcel/part.xacro', '<robot/>');
  write('parts/part.xacro', '<robot/>');
  write('parts/package.xml', '<package><name>parts</name></package>');
  write('parts/far.stl', toStl(boxMesh([1, 1, 1], [0, 0, 0])));
  write('find.xacro', robot({ ...apart, more: '<xacro:include filename="$(find parcel)/part.xacro"/>' }));
  // A joint without its links is left out: what it carries may be missing.
  write('broken.urdf', robot({ ...apart, more: '<joint name="odd" type="revolute"><parent link="link0"/></joint>' }));
  write('solid.urdf', robot({ low: collision(sphere(0.1)), high: collision(mesh('big.stl')) }));
  write('open.urdf', robot({ low: collision(sphere(0.1)), high: collision(mesh('open.obj')) }));
  write('holed.urdf', robot({ low: collision(sphere(0.1)), high: collision(mesh('holed.obj')) }));
  write('axis.urdf', robot({ low: high, high: collision(mesh('axis.dae')) }));
  write('unit.urdf', robot({ low: high, high: collision(mesh('unit.obj')) }));
  write('package.urdf', robot({ low: collision(sphere(0.1)), high: collision(mesh('package://parcel/far.stl')) }));
  write('deep.urdf', robot({ low: collision(sphere(0.2), '0.2 0.2 0'), high: collision(mesh('l.obj')) }));
  write(
    'arg.xacro',
    robot({
      low: collision(sphere('$(arg size)')),
      high: collision(sphere(0.1), '0 0 1'),
      more: '<xacro:arg name="size" default="0.1"/><xacro:arg name="axis" default="0 0 1"/>',
      axis2: '$(arg axis)',
    }),
  );
  write(
    'spheres.srdf',
    srdf(
      '<link_sphere_approximation link="link0"><sphere center="0 0 0" radius="0.1"/></link_sphere_approximation><link_sphere_approximation link="link1"><sphere center="0 0 -3" radius="0.01"/></link_sphere_approximation><link_sphere_approximation link="link2"><sphere center="0 0 1" radius="0.1"/></link_sphere_approximation>',
    ),
  );
  write('spheres.json', { link0: [[0, 0, 0, 0.5]], link1: [[0, 0, -3, 0.01]], link2: [[0, 0, 0.2, 0.5]] });
  write('disable.srdf', srdf(disable));
  write(
    'group.srdf',
    srdf(
      '<group name="g"><joint name="j2"/></group><group_state name="turned" group="g"><joint name="j2" value="3"/></group_state>',
    ),
  );
  write('allow.json', { allowed: [{ pair: ['link0', 'link2'] }] });
  write('other.json', { allowed: [{ pair: ['link0', 'link1'] }] });
  const ground = { name: 'floor', shape: { type: 'halfspace', normal: [0, 0, 1], offset: 0 } };
  const drop = { version: 1, bodies: [{ object: 'ball', mass: 1 }] };
  const above = { ...ball('ball', 0.05), pose: [0, 0, 0.1, 0, 0, 0, 1] };
  write('world.json', { version: 1, objects: [ground, above], simulation: drop });
  const bricks = Array.from({ length: 8 }, (_, i) => ({
    name: `brick${i}`,
    shape: { type: 'box', size: [0.2, 0.2, 0.2] },
    pose: [0.01 * i, 0, 0.1 + 0.2 * i, 0, 0, 0, 1],
  }));
  const bodies = bricks.map(({ name }) => ({ object: name, mass: 1 }));
  write('pile.json', { version: 1, objects: [ground, ...bricks], simulation: { version: 1, step: 0.01, bodies } });
  write('inner/world.json', {
    version: 1,
    objects: [ground, above, { name: 'box', shape: { type: 'mesh', file: '../big.stl' } }],
    simulation: drop,
  });
  write('scene.json', { version: 1, objects: [ball('ball', 0.05)] });
  write('far.json', { version: 1, objects: [ball('ball', 0.5)] });
  write('hollow.json', {
    version: 1,
    objects: [{ name: 'hollow', shape: { type: 'mesh', file: 'big.stl', mode: 'surface' } }],
  });
  write('inner/outside.json', { version: 1, objects: [{ name: 'box', shape: { type: 'mesh', file: '../big.stl' } }] });
  write('assembly.json', {
    version: 1,
    objects: [
      ball('a', 0),
      ball('b', 0.25),
      { name: 'hollow', shape: { type: 'mesh', file: 'big.stl', mode: 'surface' }, pose: [0.2, 0, 0, 0, 0, 0, 1] },
    ],
  });
  write('axis-assembly.json', {
    version: 1,
    objects: [
      { ...ball('a', 0, 0.2), pose: [0, 0, 1, 0, 0, 0, 1] },
      { name: 'm', shape: { type: 'mesh', file: 'axis.dae' } },
    ],
  });
  write('unit-assembly.json', {
    version: 1,
    objects: [
      { ...ball('a', 0), pose: [0, 0, 1, 0, 0, 0, 1] },
      { name: 'm', shape: { type: 'mesh', file: 'unit.obj' } },
    ],
  });
  write('open-assembly.json', {
    version: 1,
    objects: [ball('a', 0), { name: 'm', shape: { type: 'mesh', file: 'open.obj' } }],
  });
  write('holed-assembly.json', {
    version: 1,
    objects: [ball('a', 0), { name: 'm', shape: { type: 'mesh', file: 'holed.obj' } }],
  });
  write('deep-assembly.json', {
    version: 1,
    objects: [
      { ...ball('a', 0.2, 0.2), pose: [0.2, 0.2, 0, 0, 0, 0, 1] },
      { name: 'm', shape: { type: 'mesh', file: 'l.obj' } },
    ],
  });
  for (const name of ['missing', 'visual', 'solid', 'mimic', 'continuous', 'package'])
    write(`${name}-robot.json`, {
      version: 1,
      objects: [ball('ball', 0, 0.05)],
      robots: [{ name: 'bot', file: `${name}.urdf` }],
    });
  write('arg-robot.json', {
    version: 1,
    objects: [ball('ball', 0.3, 0.05)],
    robots: [{ name: 'bot', file: 'arg.xacro' }],
  });
  // Two angles; with cosines and sines it takes four values.
  write('turned-robot.json', {
    version: 1,
    objects: [ball('ball', 0, 0.05)],
    robots: [{ name: 'bot', file: 'continuous.urdf', q: [0.5, 0] }],
  });

  const aside = collision(sphere(0.1), '0.5 0 0');
  write('winding.urdf', robot({ low: collision(sphere(0.1)), high: aside, axis2: '0 1 0' }));
  write('held.json', { constraints: [{ type: 'orientation', frame: 'link2', tolerance: 3 }] });
  write('posts.json', { version: 1, objects: [{ ...ball('post', 0, 0.2), pose: [0.035, 0.5, 0, 0, 0, 0, 1] }] });
  write('offset.urdf', robot(apart).replaceAll('<inertial>', '<inertial><origin xyz="0.2 0.1 0"/>'));
  write('axes.jsonl', lines({ target: [0, 0, 1] }));
  write('hollow-pair.jsonl', lines({ A: { type: 'mesh', file: 'big.stl', mode: 'surface' }, B: 'sphere:0.1' }));
  write('up.jsonl', lines({ b0: [0, 1, 1, 0, 0, 0, 1], b1: [0, 0, 1, 0, 0, 0, 1] }));
  write('packaged.json', {
    version: 1,
    objects: [{ name: 'm', shape: { type: 'mesh', file: 'package://parcel/far.stl' } }],
  });
  write('states.jsonl', lines({ q: [0, 0] }, { q: [1, 0] }, { q: [2, 0] }));
  // Along each axis, and from within what stands about the origin.
  write(
    'rays.jsonl',
    lines(
      ...[0, 1, 2].map((k) => ({
        origin: [0, 1, 2].map((m) => (m === k ? -9 : 0.07 + 0.01 * m)),
        direction: [0, 1, 2].map((m) => (m === k ? 1 : 0)),
      })),
      { origin: [0.01, 0.02, 0.03], direction: [0.3, 0.2, 1] },
      { origin: [0.51, 0.02, -9], direction: [0, 0, 1] },
      { origin: [0.01, -9, 1.02], direction: [0, 1, 0] },
    ),
  );
  write('one.jsonl', lines({ q: [0] }));
  write('beyond.jsonl', lines({ q: [0, 3.1] }));
  write('long.jsonl', lines(...Array.from({ length: 12 }, (_, i) => ({ q: [0, i / 4] }))));
  write('motions.jsonl', lines({ from: [0, 0], to: [0, 3] }));
  write('path.json', [
    [0, 0],
    [1, 0.5],
    [0.5, 1],
  ]);
  write('paths.json', [
    {
      path: [
        [0, 0],
        [1, 0.5],
      ],
    },
    {
      path: [
        [0, 0],
        [0.5, 2],
      ],
    },
  ]);
  write('timed.csv', 'time,j1,j2\n0,0,0\n0.1,0.2,0\n0.2,0.4,0.1\n');
  write('targets.jsonl', lines({ target: [0, 0, 0, 0, 0, 0.479425538604203, 0.8775825618903728] }));
  write('near.jsonl', lines({ target: [0.01, 0, 0, 0, 0, 0, 1] }));
  write('poses.json', [
    [0, 0, 0, 0, 0, 0, 1],
    [0, 0, 0, 0, 0, 0.24740395925452294, 0.9689124217106447],
  ]);
  write('pair-poses.jsonl', lines({ b: [0.15, 0, 0, 0, 0, 0, 1] }, { b: [0.9, 0, 0, 0, 0, 0, 1] }));
  write('pair-long.jsonl', lines({ b: [0.15, 0, 0, 0, 0, 0, 1.0001] }));
  write('pairs.jsonl', lines({ A: 'sphere:0.1', B: 'sphere:0.2', b: [0.25, 0, 0, 0, 0, 0, 1] }));
  write('casts.jsonl', lines({ b0: [2, 0, 0, 0, 0, 0, 1], b1: [0, 0, 0, 0, 0, 0, 1] }));
  write('inside.jsonl', lines({ b0: [0, 0, 0, 0, 0, 0, 1], b1: [0.1, 0, 0, 0, 0, 0, 1] }));
  write('thin.json', { version: 1, objects: [{ ...ball('post', 0, 0.005), pose: [0, 0.5, 0, 0, 0, 0, 1] }] });
  write('protein.pdb', protein());
  write('cut.pdb', [...peptide(-0.82), 'ATOM    999  N   GLY A  99      x.000   0.000   0.000', 'END', ''].join('\n'));
  write('bridge.pdb', [...bridged(), 'END', ''].join('\n'));
  write('helix.pdb', [...peptide(-0.82), 'END', ''].join('\n'));
  write('problems.jsonl', lines({ start: [0, 0], goal: [1, 1] }, { start: [0, 0], goal: [0.5, 1] }));
}
