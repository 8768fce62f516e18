// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${...} is what xacro files are made of
/** Small files of every format that is no mesh: robots, scenes, chains, clouds, paths and trajectories. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { writeTrajectoryMcap } from '../../src/io/trajectory/trajectory-mcap.js';
import type { TrajectoryTable } from '../../src/trajectory/trajectory-table.js';

const lines = (...parts: readonly (string | readonly string[])[]): string => `${parts.flat().join('\n')}\n`;
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

const link = (name: string, ...geometry: readonly string[]): string[] => [
  `<link name="${name}">`,
  '<inertial>',
  '<mass value="2.5"/>',
  '<inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/>',
  '</inertial>',
  ...geometry.flatMap((shape) => [
    '<collision>',
    '<origin xyz="0.1 0 0.2" rpy="0 0.5 0"/>',
    '<geometry>',
    shape,
    '</geometry>',
    '</collision>',
  ]),
  '</link>',
];

const joint = (name: string, type: string, parent: string, child: string, ...more: readonly string[]): string[] => [
  `<joint name="${name}" type="${type}">`,
  `<parent link="${parent}"/>`,
  `<child link="${child}"/>`,
  '<origin xyz="0 0 0.75" rpy="0 0 0.25"/>',
  ...more,
  '</joint>',
];

export const URDF = lines(
  '<?xml version="1.0"?>',
  '<!-- an arm -->',
  '<robot name="arm">',
  link('base', '<box size="0.5 0.5 0.25"/>'),
  link('upper', '<cylinder radius="0.125" length="0.75"/>', '<sphere radius="0.25"/>'),
  link('lower', '<capsule radius="0.125" length="0.5"/>'),
  link('finger', '<mesh filename="finger.stl" scale="0.001 0.001 0.001"/>'),
  joint('shoulder', 'revolute', 'base', 'upper', '<axis xyz="0 1 0"/>', '<limit lower="-1.5" upper="1.5" velocity="2" effort="9"/>'), // biome-ignore format: one joint
  joint('elbow', 'continuous', 'upper', 'lower', '<axis xyz="0 0 1"/>'),
  '<!-- the hand -->',
  joint('grip', 'prismatic', 'lower', 'finger', '<axis xyz="1 0 0"/>', '<limit lower="0" upper="0.125" velocity="1" effort="5"/>', '<mimic joint="shoulder" multiplier="0.5" offset="0.125"/>'), // biome-ignore format: one joint
  '</robot>',
);

export const XACRO = lines(
  '<?xml version="1.0"?>',
  '<robot name="arm" xmlns:xacro="http://ros.org/wiki/xacro">',
  '<xacro:property name="half" value="0.25"/>',
  '<xacro:macro name="ball" params="name radius:=0.5 *place">',
  '<link name="${name}">',
  '<collision>',
  '<xacro:insert_block name="place"/>',
  '<geometry>',
  '<sphere radius="${radius * half}"/>',
  '</geometry>',
  '</collision>',
  '</link>',
  '</xacro:macro>',
  '<xacro:ball name="base">',
  '<origin xyz="0 0 ${half}"/>',
  '</xacro:ball>',
  '<xacro:ball name="tip" radius="${2 + half}">',
  '<origin xyz="0 0 0"/>',
  '</xacro:ball>',
  '<xacro:if value="${half > 0.125}">',
  '<joint name="turn" type="continuous">',
  '<parent link="base"/>',
  '<child link="tip"/>',
  '<origin xyz="0 0 ${4 * half}"/>',
  '<axis xyz="0 0 1"/>',
  '</joint>',
  '</xacro:if>',
  '</robot>',
);

export const SRDF = lines(
  '<?xml version="1.0"?>',
  '<robot name="arm">',
  '<group name="manipulator">',
  '<chain base_link="base" tip_link="lower"/>',
  '</group>',
  '<group name="hand">',
  '<link name="finger"/>',
  '<joint name="grip"/>',
  '</group>',
  '<group_state name="home" group="manipulator">',
  '<joint name="shoulder" value="0.5"/>',
  '<joint name="elbow" value="-0.25"/>',
  '</group_state>',
  '<end_effector name="gripper" parent_link="lower" group="hand"/>',
  '<virtual_joint name="fixed_base" type="fixed" parent_frame="world" child_link="base"/>',
  '<passive_joint name="grip"/>',
  '<disable_default_collisions link="finger"/>',
  '<enable_collisions link1="finger" link2="base"/>',
  '<disable_collisions link1="base" link2="upper" reason="Adjacent"/>',
  '<link_sphere_approximation link="upper">',
  '<sphere center="0 0 0.25" radius="0.25"/>',
  '<sphere center="0 0 0.5" radius="0.25"/>',
  '</link_sphere_approximation>',
  '</robot>',
);

export const SCENE = `${JSON.stringify(
  {
    version: 1,
    objects: [
      { name: 'table', shape: { type: 'box', size: [1, 2, 0.125] }, pose: [1, 0, 0.5, 0, 0, 0, 1] },
      { name: 'part', shape: { type: 'mesh', file: 'part.stl', scale: 0.001 }, margin: 0.01 },
      {
        name: 'frame',
        shape: {
          type: 'compound',
          children: [
            { shape: { type: 'sphere', radius: 0.5 }, pose: [0, 0, 1, 0, 0, 0, 1] },
            { shape: { type: 'capsule', radius: 0.25, length: 1 } },
          ],
        },
      },
      { name: 'floor', shape: { type: 'halfspace', normal: [0, 0, 1], offset: 0 } },
    ],
    robots: [{ name: 'arm', file: 'arm.urdf', srdf: 'arm.srdf', pose: [0, 0, 1, 0, 0, 0, 1], q: { shoulder: 0.5 } }],
    attached: [{ object: 'part', link: 'finger', touchLinks: ['lower'], mass: 0.25 }],
    allowed: [['table', 'floor']],
  },
  null,
  1,
)}\n`;

const origin = [3, 0, 0, 0, 0, 0, 1];
export const CHAIN = `${JSON.stringify(
  {
    links: [
      { shape: { type: 'sphere', radius: 1 } },
      { shape: { type: 'box', size: [1, 2, 3] }, pose: [0, 1, 0, 0, 0, 0, 1] },
      { shape: { type: 'balls', centers: [0, 0, 0, 1, 0, 0], radii: [0.5, 0.25] } },
    ],
    joints: [
      { type: 'revolute', origin, axis: [0, 0, 1] },
      { type: 'spherical', origin },
    ],
    exclusion: 1,
  },
  null,
  1,
)}\n`;

/** Two bytes of an OctoMap node from eight letters: u unknown, f free, o occupied, i inner. */
function node(children: string): number[] {
  let bits = 0;
  for (const [i, letter] of [...children].entries()) bits |= 'ufoi'.indexOf(letter) << (2 * i);
  return [bits & 255, bits >> 8];
}

export function octomap(): Uint8Array {
  const body = [...node('ouufuuii'), ...node('ofuuoiuu'), ...node('ooooffff'), ...node('ofofofuo')];
  const header = lines('# Octomap OcTree binary file', 'id OcTree', 'size 24', 'res 0.125', 'data');
  return Uint8Array.from([...encode(header), ...body]);
}

const CLOUD = Array.from({ length: 9 }, (_, i) => [0.5 * i, 1.25 - i, i % 2 === 0 ? -2.5 : 3.75]);
const pcdHeader = (data: string): string =>
  lines(
    '# .PCD v0.7 - a cloud',
    'VERSION 0.7',
    'FIELDS x y z intensity',
    'SIZE 4 4 4 2',
    'TYPE F F F U',
    'COUNT 1 1 1 1',
    `WIDTH ${CLOUD.length}`,
    'HEIGHT 1',
    'VIEWPOINT 0 0 0 1 0 0 0',
    `POINTS ${CLOUD.length}`,
    `DATA ${data}`,
  );

export function pcd(data: 'ascii' | 'binary' | 'binary_compressed'): Uint8Array {
  if (data === 'ascii')
    return encode(
      lines(
        pcdHeader(data).trimEnd(),
        CLOUD.map((point) => [...point, 40].join(' ')),
      ),
    );
  const body = new Uint8Array(14 * CLOUD.length);
  const view = new DataView(body.buffer);
  const isPacked = data === 'binary_compressed';
  for (const [i, point] of CLOUD.entries()) {
    for (const [k, x] of point.entries())
      view.setFloat32(isPacked ? 4 * (k * CLOUD.length + i) : 14 * i + 4 * k, x, true);
    view.setUint16(isPacked ? 12 * CLOUD.length + 2 * i : 14 * i + 12, 40, true);
  }
  if (!isPacked) return Uint8Array.from([...encode(pcdHeader(data)), ...body]);
  // LZF of literal runs only.
  const packed: number[] = [];
  for (let i = 0; i < body.length; i += 32) packed.push(Math.min(32, body.length - i) - 1, ...body.subarray(i, i + 32));
  const sizes = new Uint8Array(Uint32Array.of(packed.length, body.length).buffer);
  return Uint8Array.from([...encode(pcdHeader(data)), ...sizes, ...packed]);
}

export const TRAJECTORY: TrajectoryTable = {
  positionNames: ['shoulder', 'elbow'],
  velocityNames: ['shoulder', 'elbow'],
  times: [0, 0.25, 0.5, 0.75, 1],
  positions: [0, 1, 2, 3, 4].map((i) => [0.125 * i, -0.5 * i]),
  velocities: [0, 1, 2, 3, 4].map((i) => [0.5 + i, -2]),
};

export const PATHS = [0, 1].map((p) => ({
  status: 'solved',
  length: 2.5,
  path: Array.from({ length: 4 }, (_, i) => [0.25 * i + p, -0.5 * i]),
}));

export async function mcap(): Promise<Uint8Array> {
  const chunks: number[] = [];
  await writeTrajectoryMcap((bytes) => {
    for (const byte of bytes) chunks.push(byte);
  }, TRAJECTORY);
  return Uint8Array.from(chunks);
}

/** A whole matrix, as `acm` writes it. */
export const ALLOWED_PAIRS = `${JSON.stringify(
  {
    linksWithGeometry: ['base', 'upper', 'lower', 'tool'],
    allowed: [
      { pair: ['base', 'upper'], reasons: ['adjacent'] },
      { pair: ['upper', 'lower'], reasons: ['adjacent'] },
      { pair: ['lower', 'tool'], reasons: ['adjacent', 'default'] },
    ],
  },
  null,
  1,
)}\n`;

/** One member as it is, one deflated. */
export const zip = (): Uint8Array =>
  zipSync(
    {
      'arm/arm.urdf': [new TextEncoder().encode('<robot name="arm"><link name="base"/></robot>'), { level: 0 }],
      'arm/part.txt': new TextEncoder().encode('part '.repeat(40)),
    },
    { mtime: '2020-01-01T00:00:00Z' },
  );

let folder = '';

/** Its path, for readers that take one. */
export function keepFile(name: string, bytes: Uint8Array): string {
  if (folder === '') {
    folder = mkdtempSync(join(tmpdir(), 'clearance-sample-'));
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  }
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}
