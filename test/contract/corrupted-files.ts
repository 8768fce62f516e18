/**
 * Every format that is read beside structures: a small file of it, what its reader makes of it, and what the format cannot
 * reveal, in the words of docs/formats.md.
 */
import { UsageError } from '../../src/cli/exit.js';
import { readAllowedPairs } from '../../src/cli/robot-arguments.js';
import { parseChainFile } from '../../src/io/chain-file.js';
import { parseCloud } from '../../src/io/cloud/cloud-file.js';
import { parseOctomap } from '../../src/io/cloud/octomap.js';
import type { Parsed } from '../../src/io/issue.js';
import { parseMesh } from '../../src/io/mesh/mesh.js';
import type { MeshFileContent } from '../../src/io/mesh/mesh-content.js';
import { parseSrdf } from '../../src/io/robot/srdf.js';
import { parseUrdf, readUrdf } from '../../src/io/robot/urdf.js';
import { expandXacro } from '../../src/io/robot/xacro.js';
import { parseSceneFile } from '../../src/io/scene-file.js';
import {
  parseTrajectoryFile,
  type TrajectoryFile,
  writePathsCsv,
  writePathsJson,
  writeTrajectoryCsv,
  writeTrajectoryJson,
} from '../../src/io/trajectory/trajectory-file.js';
import { readTrajectoryMcap } from '../../src/io/trajectory/trajectory-mcap.js';
import { decodeXmlBytes } from '../../src/io/xml/xml.js';
import type { RobotDescription } from '../../src/scene/description.js';
import type { SemanticDescription } from '../../src/semantics/description.js';
import { createFileSet } from '../../src/web.js';
import type { Corruption, CorruptionKind } from '../support/corruptions.js';
import * as data from '../support/data-file-samples.js';
import { MESH_FILE_SAMPLES } from '../support/mesh-file-samples.js';

/** What answers depend on: how much of each kind, and all of it as text that no order and no names of no account enter. */
export interface Census {
  readonly counts: Readonly<Record<string, number>>;
  readonly content: string;
}

/** What changed without a word: there is less of something, or as much of something else. */
export type Loss = 'fewer' | 'other';

export interface Hidden {
  /** As docs/formats.md says it. */
  readonly words: string;
  readonly hides: (corruption: Corruption, loss: Loss) => boolean;
}

export interface Format {
  readonly name: string;
  readonly bytes: Uint8Array | (() => Promise<Uint8Array>);
  readonly isText: boolean;
  readonly read: (bytes: Uint8Array) => Parsed<Census> | Promise<Parsed<Census>>;
  readonly hidden: readonly Hidden[];
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

function take<T>({ value, issues }: Parsed<T>, census: (value: T) => Census): Parsed<Census> {
  return { value: value === null ? null : census(value), issues };
}

/** JSON with maps as lists, keys in order. */
function toText(value: unknown): string {
  return JSON.stringify(value, (_, item) => {
    if (item instanceof Map) return [...item];
    if (ArrayBuffer.isView(item)) return Array.from(item as Float64Array);
    return item;
  });
}

function ofMesh({ mesh: { vertices, triangles } }: MeshFileContent): Census {
  const list: string[] = [];
  for (let t = 0; t < triangles.length; t += 3) {
    const corners = [0, 1, 2].map((k) => vertices.subarray(3 * triangles[t + k], 3 * triangles[t + k] + 3).join());
    const first = corners.indexOf(corners.slice().sort()[0]);
    list.push([0, 1, 2].map((k) => corners[(first + k) % 3]).join(' '));
  }
  return { counts: { triangles: triangles.length / 3 }, content: list.sort().join('\n') };
}

function ofRobot({ model, collisions }: RobotDescription): Census {
  const { links, joints } = model;
  const limits = joints.filter((joint) => joint.limits !== undefined);
  const mimics = joints.filter((joint) => joint.mimic !== undefined);
  return {
    counts: {
      links: links.length,
      joints: joints.length,
      moving: joints.filter(({ type }) => type !== 'fixed').length,
      limits: limits.length,
      mimics: mimics.length,
      collisions: collisions.length,
    },
    content: toText({
      links: links.map(({ name }) => name).sort(),
      joints: joints.map((joint) => toText(joint)).sort(),
      collisions: collisions.map((collision) => toText(collision)).sort(),
    }),
  };
}

function ofSemantics(semantic: SemanticDescription): Census {
  const { groups, states, endEffectors, virtualJoints, passiveJoints, spheres } = semantic;
  return {
    counts: {
      groups: groups.length,
      members: groups.reduce((sum, group) => sum + group.joints.length + group.links.length + group.chains.length, 0),
      values: states.reduce((sum, { joints }) => sum + joints.size, 0),
      endEffectors: endEffectors.length,
      virtualJoints: virtualJoints.length,
      passiveJoints: passiveJoints.length,
      disabled: semantic.disabledPairs.length,
      disabledLinks: semantic.disabledLinks?.length ?? 0,
      enabled: semantic.enabledPairs?.length ?? 0,
      spheres: [...spheres.values()].reduce((sum, list) => sum + list.length, 0),
    },
    content: toText({
      endEffectors,
      virtualJoints,
      passiveJoints,
      disabled: semantic.disabledPairs.map(({ a, b }) => `${a} ${b}`),
      disabledLinks: semantic.disabledLinks,
      enabled: semantic.enabledPairs,
      groups: groups.map((group) => toText(group)).sort(),
      states: states.map((state) => toText({ ...state, joints: [...state.joints].sort() })).sort(),
      spheres: [...spheres].map(([link, list]) => [link, ...list.map((sphere) => toText(sphere)).sort()]).sort(),
    }),
  };
}

function ofTrajectory(file: TrajectoryFile): Census {
  if (file.kind === 'trajectory') {
    const { positions, velocities = [] } = file.trajectory;
    return { counts: { numbers: [...positions, ...velocities].flat().length }, content: toText(file.trajectory) };
  }
  return { counts: { waypoints: file.paths.flatMap(({ path }) => path).length }, content: toText(file.paths) };
}

/** Corruptions of a kind that touch only lines of a form. */
const when =
  (kind: CorruptionKind, form = /^/, losses: readonly Loss[] = ['fewer', 'other']): Hidden['hides'] =>
  (corruption, loss) =>
    corruption.kind === kind && losses.includes(loss) && corruption.lines.every((line) => form.test(line));

const OTHER_NUMBER: Hidden = {
  words: 'a digit or a byte of a number that became another',
  hides: ({ byte }, loss) => loss === 'other' && byte !== undefined && /[-+.\deE\s]/.test(byte.before + byte.after),
};
/** Names stand in quotes. */
const OTHER_NAME: Hidden = {
  words: 'a letter of a name that became another',
  hides: ({ byte, lines }, loss) =>
    loss === 'other' && byte !== undefined && (lines[0].slice(0, byte.column).split('"').length - 1) % 2 === 1,
};
/** Bytes of a number that became zero are another number where numbers are binary. */
const OTHER_BYTES: Hidden = {
  words: 'a digit or a byte of a number that became another',
  hides: (corruption, loss) => loss === 'other' && /^byte/.test(corruption.kind),
};
const MISSING_ELEMENT: Hidden = {
  words: 'an element that is missing as a whole and may be',
  hides: when('line removed', /^<.*\/>$|^<(translate|rotate|scale|matrix)>.*<\/\1>$/),
};
const MOVED_ELEMENT: Hidden = {
  words: 'an element that stands in another than before',
  hides: when('lines swapped', /^<.*>$/),
};
const MISSING_ENTRY: Hidden = {
  words: 'a key or an entry of a list that is missing as a whole and may be',
  hides: when('line removed', /^\s*("\w+": )?("[\w.]+"|[-\d.]+),?$/),
};
const MOVED_ENTRY: Hidden = {
  words: 'numbers of a list that changed places',
  hides: when('lines swapped', /^\s*("[\w.]+"|[-\d.]+),?$/, ['other']),
};
const movedLines = (words: string, form: RegExp): Hidden => ({ words, hides: when('lines swapped', form, ['other']) });
/** Strips turn by corners that come twice in a row. */
const SHORT_STRIP: Hidden = {
  words: 'an index of a strip that became one beside it',
  hides: ({ kind }, loss) => kind === 'byte flipped' && loss === 'fewer',
};
const LOST_POINT: Hidden = {
  words: 'a point that became infinite or `nan`, as points without return are written (counted in a warning)',
  hides: ({ kind }, loss) => (kind === 'byte flipped' || kind === 'number replaced') && loss === 'fewer',
};
const POINT = /^[-\d. ]+$/;

const HIDDEN: Readonly<Record<string, readonly Hidden[]>> = {
  'binary STL': [OTHER_BYTES],
  'text STL': [
    OTHER_NUMBER,
    {
      words: 'a cut behind the `endsolid` of one of several solids',
      hides: ({ kind, bytes }) => /^cut/.test(kind) && /\nendsolid.*\n?$/.test(decode(bytes)),
    },
    movedLines('vertices that changed places', /^vertex /),
  ],
  OBJ: [
    OTHER_NUMBER,
    {
      words: 'a cut between two statements',
      hides: ({ kind, bytes }) => /^cut/.test(kind) && /(^|\n)([^vf].*)?$/.test(decode(bytes)),
    },
    { words: 'a vertex or a face that is missing as a whole', hides: when('line removed', /^[vf] /) },
    {
      words: 'vertices that changed places',
      hides: ({ kind, lines }, loss) =>
        kind === 'lines swapped' && loss === 'other' && lines.some((line) => /^[vf] /.test(line)),
    },
    {
      words: 'a vertex or a face whose letter became a `#` or that of another statement',
      hides: ({ byte, lines }) => byte?.column === 0 && /^[vf] /.test(lines[0]) && /[#lpvf]/.test(byte.after),
    },
  ],
  'text PLY': [
    OTHER_NUMBER,
    { words: 'vertices, faces or strips that changed places', hides: when('lines swapped', POINT) },
    movedLines('properties or elements that changed places', /^(property|element) /),
    SHORT_STRIP,
  ],
  'little-endian PLY': [OTHER_BYTES, SHORT_STRIP],
  'big-endian PLY': [OTHER_BYTES, SHORT_STRIP],
  OFF: [OTHER_NUMBER, movedLines('vertices that changed places', /^[-\d. ]+$|^#/)],
  'triangle text': [OTHER_NUMBER, movedLines('vertices that changed places', POINT)],
  COLLADA: [OTHER_NUMBER, MISSING_ELEMENT, MOVED_ELEMENT, movedLines('vertices that changed places', POINT)],
  glTF: [
    OTHER_NUMBER,
    MISSING_ENTRY,
    MOVED_ENTRY,
    {
      words: 'a character of a data URI that became another',
      hides: ({ lines }, loss) => loss === 'other' && /"uri": "data:/.test(lines[0]),
    },
  ],
  GLB: [
    OTHER_BYTES,
    { words: 'the number of a node, mesh or accessor that became another', hides: when('byte flipped') },
  ],
  URDF: [
    OTHER_NUMBER,
    OTHER_NAME,
    MISSING_ELEMENT,
    MOVED_ELEMENT,
    { words: 'a limit that became infinite', hides: when('number replaced', /<limit /, ['other']) },
  ],
  xacro: [
    OTHER_NUMBER,
    OTHER_NAME,
    MISSING_ELEMENT,
    MOVED_ELEMENT,
    { words: 'an expression that still is one without its number', hides: when('number replaced', /\$\{/, ['other']) },
  ],
  SRDF: [
    OTHER_NUMBER,
    OTHER_NAME,
    MISSING_ELEMENT,
    MOVED_ELEMENT,
    {
      words: 'a radius that became 0, which means no sphere',
      hides: ({ byte, lines }, loss) => loss === 'fewer' && byte !== undefined && /^<sphere /.test(lines[0]),
    },
  ],
  'scene file': [OTHER_NUMBER, OTHER_NAME, MISSING_ENTRY, MOVED_ENTRY],
  'chain file': [OTHER_NUMBER, MOVED_ENTRY],
  'allowed pairs': [OTHER_NAME, MISSING_ENTRY, MOVED_ENTRY],
  zip: [],
  OctoMap: [OTHER_BYTES],
  'text PCD': [OTHER_NUMBER, LOST_POINT],
  'binary PCD': [OTHER_BYTES, LOST_POINT],
  'compressed PCD': [OTHER_BYTES, LOST_POINT],
  'trajectory CSV': [
    OTHER_NUMBER,
    {
      words: 'a letter of a name that became another',
      hides: ({ kind, lines }, loss) => /^byte/.test(kind) && /^time,/.test(lines[0]) && loss === 'other',
    },
    { words: 'a cut between two rows', hides: when('cut at a line') },
    { words: 'a row of a trajectory, or the last of a path, that is missing', hides: when('line removed') },
  ],
  'trajectory JSON': [OTHER_NUMBER, OTHER_NAME],
  'path CSV': [
    OTHER_NUMBER,
    {
      words: 'a letter of a name that became another',
      hides: ({ kind, lines }, loss) => /^byte/.test(kind) && /^problem,/.test(lines[0]) && loss === 'other',
    },
    { words: 'a cut between two rows', hides: when('cut at a line') },
    { words: 'a row of a trajectory, or the last of a path, that is missing', hides: when('line removed', /^\d,3,/) },
  ],
  'path JSON': [OTHER_NUMBER, OTHER_NAME, MOVED_ENTRY],
  MCAP: [],
};

type Bare = Omit<Format, 'hidden'>;

const text = (name: string, content: string, read: Format['read']): Bare => ({
  name,
  bytes: encode(content),
  isText: true,
  read,
});

const xml = (bytes: Uint8Array): string => decodeXmlBytes(bytes).text;

const cloud = (file: string) => (bytes: Uint8Array) =>
  take(parseCloud(bytes, { file }), (value) => {
    const numbers = value instanceof Float64Array ? Array.from(value) : [];
    const points = Array.from({ length: numbers.length / 3 }, (_, i) => numbers.slice(3 * i, 3 * i + 3).join(' '));
    return { counts: { points: points.length }, content: points.sort().join('\n') };
  });

const trajectory = (format: 'csv' | 'json') => (bytes: Uint8Array) =>
  take(parseTrajectoryFile(decode(bytes), format), ofTrajectory);

const READERS: readonly Bare[] = [
  ...MESH_FILE_SAMPLES.map(({ name, format, bytes, isText }) => ({
    name,
    bytes,
    isText,
    read: async (content: Uint8Array) => take(await parseMesh(content, { format }), ofMesh),
  })),
  text('URDF', data.URDF, (bytes) => take(parseUrdf(xml(bytes)), ofRobot)),
  text('xacro', data.XACRO, (bytes) => {
    const { value, issues } = expandXacro(xml(bytes));
    return value ? take(readUrdf(value, undefined, issues), ofRobot) : { value: null, issues };
  }),
  text('SRDF', data.SRDF, (bytes) => take(parseSrdf(xml(bytes)), ofSemantics)),
  text('scene file', data.SCENE, (bytes) =>
    take(parseSceneFile(decode(bytes)), (scene) => ({
      counts: {
        objects: scene.objects.length,
        robots: scene.robots.length,
        attached: scene.attached.length,
        allowed: scene.allowed?.length ?? 0,
      },
      content: toText(scene),
    })),
  ),
  text('chain file', data.CHAIN, (bytes) =>
    take(parseChainFile(decode(bytes)), (chain) => ({
      counts: { links: chain.links.length, joints: chain.joints.length },
      content: toText(chain),
    })),
  ),
  text('allowed pairs', data.ALLOWED_PAIRS, (bytes) => {
    try {
      const { pairs, replace } = readAllowedPairs(data.keepFile('pairs.json', bytes));
      return take({ value: pairs, issues: [] }, () => ({
        counts: { pairs: pairs.length, isAlone: Number(replace) },
        content: toText(pairs),
      }));
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      return { value: null, issues: [{ severity: 'error', code: 'usage', message: error.message }] };
    }
  }),
  {
    name: 'zip',
    bytes: data.zip(),
    isText: false,
    read: async (bytes) => {
      const { paths, issues, read } = await createFileSet([['a.zip', new Blob([bytes as Uint8Array<ArrayBuffer>])]]);
      try {
        const contents = await Promise.all(paths.map(async (path) => `${path} ${(await read(path)).join(' ')}`));
        return { value: { counts: { files: paths.length }, content: contents.join('\n') }, issues };
      } catch (error) {
        return { value: null, issues: [{ severity: 'error', code: 'zip', message: (error as Error).message }] };
      }
    },
  },
  {
    name: 'OctoMap',
    bytes: data.octomap(),
    isText: false,
    read: (bytes) =>
      take(parseOctomap(bytes), (map) => ({
        counts: { leaves: map.leafCount },
        content: toText({ ...map, leafCount: 0 }),
      })),
  },
  text('text PCD', decode(data.pcd('ascii')), cloud('x.pcd')),
  { name: 'binary PCD', bytes: data.pcd('binary'), isText: false, read: cloud('x.pcd') },
  { name: 'compressed PCD', bytes: data.pcd('binary_compressed'), isText: false, read: cloud('x.pcd') },
  text('trajectory CSV', writeTrajectoryCsv(data.TRAJECTORY), trajectory('csv')),
  text('trajectory JSON', writeTrajectoryJson(data.TRAJECTORY), trajectory('json')),
  text(
    'path CSV',
    writePathsCsv(
      ['shoulder', 'elbow'],
      data.PATHS.map(({ path }) => path),
    ),
    trajectory('csv'),
  ),
  text('path JSON', writePathsJson(['shoulder', 'elbow'], data.PATHS), trajectory('json')),
  {
    name: 'MCAP',
    bytes: data.mcap,
    isText: false,
    read: async (bytes) =>
      take(await readTrajectoryMcap(bytes), (table) => ofTrajectory({ kind: 'trajectory', trajectory: table })),
  },
];

export const FORMATS: readonly Format[] = READERS.map((format) => ({ ...format, hidden: HIDDEN[format.name] }));
