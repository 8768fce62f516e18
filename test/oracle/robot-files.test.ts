/**
 * Every robot file of the reference data: URDF counts as counted independently, SRDFs against their robots, xacro files
 * against the URDFs beside them, and meshes found without any option or with a package path.
 */
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatIssue, type Issue } from '../../src/io/issue.js';
import { parseSrdf, writeSrdf } from '../../src/io/robot/srdf.js';
import { parseUrdf, readUrdf } from '../../src/io/robot/urdf.js';
import { decodeXmlBytes } from '../../src/io/xml/xml.js';
import { loadRobot } from '../../src/node/load-robot.js';
import { loadTree } from '../../src/node/load-tree.js';
import { createUriContext } from '../../src/node/resolve-uri.js';
import type { RobotDescription, ShapeDescription } from '../../src/scene/description.js';
import { needsShared, sharedPath } from '../shared.js';

const data = sharedPath('data');
const manifest = sharedPath('data', 'MANIFEST.tsv');
const rows = manifest
  ? readFileSync(manifest, 'utf8')
      .split('\n')
      .slice(1)
      .map((line) => line.split('\t'))
      .map(([path, format, , , , count, stats]) => ({ path, format, count: Number(count), stats }))
  : [];
const ofFormat = (format: string): typeof rows => rows.filter((row) => row.format === format);
const fileOf = (path: string): string => join(data!, path);
const readText = (file: string): string => decodeXmlBytes(readFileSync(file)).text;
/** The folder that stands for the robot: two levels below the data root. */
const robotFolder = (path: string): string => fileOf(path.split('/').slice(0, 2).join('/'));
const errors = (issues: readonly Issue[]): string[] =>
  issues.filter(({ severity }) => severity === 'error').map(formatIssue);

describe.skipIf(!manifest)(`URDF files${needsShared('data', 'MANIFEST.tsv')}`, () => {
  for (const row of ofFormat('urdf')) {
    const links = /links=(\d+)/.exec(row.stats);
    it(`${basename(row.path)}: counts of links, movable joints, mimic tags, collision shapes`, () => {
      const file = fileOf(row.path);
      const { value, issues } = parseUrdf(readText(file), { file });
      for (const issue of issues) expect(formatIssue(issue)).toContain(file);
      if (!links) {
        expect(issues.length).toBeGreaterThan(0);
        return;
      }
      expect(value).not.toBeNull();
      const shapes: Record<string, number> = {};
      for (const { shape } of value!.collisions) shapes[shape.type] = (shapes[shape.type] ?? 0) + 1;
      expect({
        links: value!.model.links.length,
        movable: value!.model.joints.filter((joint) => joint.type !== 'fixed').length,
        mimic: value!.mimicTags,
        shapes,
      }).toEqual({
        links: Number(links[1]),
        movable: row.count,
        mimic: Number(/mimic=(\d+)/.exec(row.stats)![1]),
        shapes: JSON.parse(/collision=(\{[^}]*\})/.exec(row.stats)![1].replaceAll("'", '"')),
      });
    });

    it(`${basename(row.path)}: every collision mesh that the data holds is found, with and without a package path`, async () => {
      for (const options of [{}, { packagePaths: [robotFolder(row.path)] }]) {
        const { value, issues } = await loadRobot(fileOf(row.path), options);
        const named = new Set(
          value?.description.collisions.flatMap(({ shape }) => (shape.type === 'mesh' ? [shape.file] : [])),
        );
        // Three packages of baxter_simple, and the wheel of wheel.urdf, are not part of the data.
        const absent = /baxter_simple|wheel\.urdf/.test(row.path);
        expect(value?.meshes.size ?? 0).toBe(absent ? 0 : named.size);
        if (absent) expect(errors(issues).length).toBe(named.size);
      }
    });
  }
});

/** The URDF that an SRDF speaks about. */
const SRDF_ROBOTS: Readonly<Record<string, string>> = {
  'robots/panda/panda_moveit_config/config/panda.srdf': 'robots/panda/panda_description/urdf/panda.urdf',
  'robots/fanuc_m10ia/fanuc_moveit_config/config/fanuc.srdf': 'robots/fanuc_m10ia/fanuc_description/urdf/fanuc.urdf',
  'robots/fetch/resources/fetch/fetch.srdf': 'robots/fetch/resources/fetch/fetch.urdf',
  'robots/pr2/robots/pr2_description/srdf/pr2.srdf': 'robots/pr2/robots/pr2_description/urdf/pr2.urdf',
};

describe.skipIf(!manifest)(`SRDF files${needsShared('data', 'MANIFEST.tsv')}`, () => {
  for (const { path } of ofFormat('srdf')) {
    it(`${basename(path)}: all statements are read, and writing gives them back`, () => {
      const text = readText(fileOf(path));
      const { value, issues } = parseSrdf(text, { file: path });
      // The only state of kinova.srdf names no group.
      const broken = path.endsWith('/kinova.srdf') ? 1 : 0;
      expect(issues.filter(({ code }) => code === 'missing-attribute')).toHaveLength(broken);
      expect(errors(issues)).toHaveLength(broken);
      const plain = text.replace(/<!--[\s\S]*?-->/g, '');
      const count = (pattern: RegExp): number => plain.match(pattern)?.length ?? 0;
      expect(value!.disabledPairs).toHaveLength(count(/<disable_collisions\s/g));
      expect(value!.states).toHaveLength(count(/<group_state\s/g) - broken);
      expect(value!.endEffectors).toHaveLength(count(/<end_effector\s/g));
      expect(parseSrdf(writeSrdf(value!))).toEqual({ value, issues: [] });
    });
  }

  for (const [srdf, urdf] of Object.entries(SRDF_ROBOTS)) {
    it(`${basename(srdf)} fits ${basename(urdf)}`, async () => {
      const { value, issues } = await loadRobot(fileOf(urdf), { srdf: fileOf(srdf), geometry: 'none' });
      expect(errors(issues)).toEqual([]);
      const links = new Set(value!.description.model.links.map(({ name }) => name));
      const semantic = value!.semantic!;
      expect(semantic.disabledPairs.every(({ a, b }) => links.has(a) && links.has(b))).toBe(true);
      // 87 of fetch's 162 pairs name links that its URDF lacks.
      if (srdf.includes('fetch')) expect(semantic.disabledPairs).toHaveLength(162 - 87);
    });
  }
});

/** Robots, numbers as written to 12 digits: xacro computes what the URDF beside it has printed. */
function summarize(robot: RobotDescription, inertia: boolean): unknown {
  // $(find NAME) makes a path where the URDF says package://NAME.
  const nameOnly = (shape: ShapeDescription): unknown =>
    shape.type === 'mesh' ? { ...shape, file: basename(shape.file) } : shape;
  const round = (numbers: ArrayLike<number>): number[] => Array.from(numbers, (x) => Number(x.toPrecision(12)) + 0);
  return {
    links: robot.model.links.map(({ name, inertial }) => [
      name,
      inertia && inertial && [inertial.mass, ...round(inertial.inertia)],
    ]),
    joints: robot.model.joints.map(({ dynamics, ...joint }) => ({
      ...joint,
      origin: round(joint.origin),
      ...(inertia && dynamics),
    })),
    collisions: robot.collisions.map(({ link, origin, shape }) => ({
      link,
      origin: round(origin),
      shape: nameOnly(shape),
    })),
    visuals: robot.visuals.map(({ link, origin, shape }) => ({ link, origin: round(origin), shape: nameOnly(shape) })),
  };
}

async function expand(
  path: string,
  xacroArgs: Record<string, string> = {},
): Promise<{ robot: RobotDescription | null; issues: readonly Issue[] }> {
  const packagePaths = [robotFolder(path), fileOf('robots/panda')];
  const file = fileOf(path);
  const tree = await loadTree(file, createUriContext(file, { packagePaths }), { xacroArgs });
  if (!tree.value) return { robot: null, issues: tree.issues };
  const urdf = readUrdf(tree.value.root, file);
  return { robot: urdf.value, issues: [...tree.issues, ...urdf.issues] };
}

describe.skipIf(!manifest)(`xacro files${needsShared('data', 'MANIFEST.tsv')}`, () => {
  /** What these include is not part of the data. */
  const INCOMPLETE = /quadrotor_base\.xacro|iiwa14_\w+\.urdf\.xacro/;
  for (const { path } of ofFormat('xacro')) {
    it(`${path.split('/').slice(1).join('/')} ${INCOMPLETE.test(path) ? 'says what it lacks' : 'expands'}`, async () => {
      const { robot, issues } = await expand(path, { ur_type: 'ur5e' });
      if (INCOMPLETE.test(path)) {
        expect(robot).toBeNull();
        expect(issues[0]).toMatchObject({ severity: 'error', code: 'xacro-include', file: fileOf(path) });
      } else {
        expect(issues.filter(({ code }) => code.startsWith('xacro') && code !== 'xacro-unknown-argument')).toEqual([]);
        expect(robot).not.toBeNull();
      }
    });
  }

  it.each([
    ['robots/panda/panda_description/urdf/panda.urdf.xacro', 'robots/panda/panda_description/urdf/panda.urdf'],
    ['robots/panda/panda_moveit_config/config/panda.urdf.xacro', 'robots/panda/panda_description/urdf/panda.urdf'],
    [
      'robots/fanuc_m10ia/fanuc_moveit_config/config/fanuc.urdf.xacro',
      'robots/fanuc_m10ia/fanuc_description/urdf/fanuc.urdf',
    ],
    [
      'robots/robotiq_2f_c2/robotiq_2f_c2_gripper_visualization/urdf/robotiq_c2_model.xacro',
      'robots/robotiq_2f_c2/robotiq_2f_c2_gripper_visualization/urdf/robotiq_c2_model.urdf',
    ],
    ['planning/trajopt_cases/trajopt/test/data/boxbot.xacro', 'planning/trajopt_cases/trajopt/test/data/boxbot.urdf'],
    [
      'planning/trajopt_cases/trajopt/test/data/boxbot_world.xacro',
      'planning/trajopt_cases/trajopt/test/data/boxbot_world.urdf',
    ],
  ])('%s expands to the robot of %s', async (xacro, urdf) => {
    const { robot } = await expand(xacro);
    const file = fileOf(urdf);
    // Panda's xacro has gained inertias and damping since its URDF was printed.
    const inertia = !xacro.includes('/panda/');
    expect(summarize(robot!, inertia)).toEqual(summarize(parseUrdf(readText(file), { file }).value!, inertia));
  });

  it.each(['ur3', 'ur3e', 'ur5', 'ur5e', 'ur10', 'ur10e', 'ur16e', 'ur20', 'ur30'])(
    '%s: all of the type from YAML',
    async (type) => {
      expect(existsSync(fileOf(`robots/ur_xacro/config/${type}`))).toBe(true);
      const { robot, issues } = await expand('robots/ur_xacro/urdf/ur.urdf.xacro', {
        ur_type: type,
        name: type,
        tf_prefix: 'a_',
      });
      expect(errors(issues)).toEqual([]);
      expect(robot!.name).toBe(type);
      const movable = robot!.model.joints.filter((joint) => joint.type !== 'fixed');
      expect(movable.map(({ name }) => name)).toEqual(
        ['shoulder_pan', 'shoulder_lift', 'elbow', 'wrist_1', 'wrist_2', 'wrist_3'].map((name) => `a_${name}_joint`),
      );
      for (const { type: kind, limits } of movable) {
        // The last wrist of the small arms turns without end.
        if (kind === 'continuous') expect(limits).toMatchObject({ velocity: expect.any(Number) });
        else expect([limits!.lower, limits!.upper! > 3]).toEqual([-limits!.upper!, true]);
      }
      expect(robot!.collisions).toHaveLength(7);
    },
  );
});
