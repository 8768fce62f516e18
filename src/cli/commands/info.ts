/** `clearance info`: what a robot, mesh or scene file holds. */
import { extname } from 'node:path';
import { Command } from 'commander';
import { boundShape } from '../../geometry/aabb.js';
import { boundPoints } from '../../geometry/bounds.js';
import type { MeshReport } from '../../geometry/mesh-report.js';
import { reportMesh } from '../../geometry/mesh-report.js';
import { applyScale } from '../../geometry/scale-mesh.js';
import { formatIssue, type Issue } from '../../io/issue.js';
import { STRUCTURE_EXTENSIONS, structureFormatOf } from '../../io/molecule/structure.js';
import { createTransform } from '../../math/transform.js';
import { buildModel } from '../../model/build-model.js';
import { findJointKind, hasRange } from '../../model/joints/index.js';
import type { Model } from '../../model/model.js';
import { loadOctomap, loadPoints } from '../../node/load-cloud.js';
import { loadMeshContent } from '../../node/load-mesh.js';
import { loadRobot } from '../../node/load-robot.js';
import { loadScene } from '../../node/load-scene.js';
import { ExitStatus, UsageError } from '../exit.js';
import { acceptOptions } from '../given-options.js';
import { requireReadable, toJson, writeLine } from '../json-lines.js';
import { addMeshReading, addScaleOption, parseScale } from '../mesh-arguments.js';
import { warn } from '../messages.js';
import { addModelOptions, type RobotArguments, robotFileOptions } from '../robot-arguments.js';
import { sceneFileOptions } from '../scene-arguments.js';
import { reportStructure } from '../structure-report.js';
import { countOf, formatNumber } from '../words.js';

interface InfoArguments extends RobotArguments {
  readonly json?: boolean;
}

interface Report {
  readonly result: Record<string, unknown>;
  readonly text: string;
  readonly issues: readonly Issue[];
  readonly usable: boolean;
}

export function infoCommand(): Command {
  return addScaleOption(addMeshReading(addModelOptions(new Command('info'), { state: false, grounds: false })))
    .description('what a file holds: a robot, a mesh, a scene or a protein; issues with file, line and remedy')
    .option('--allow-outside', 'a scene file may name meshes outside its folder')
    .argument(
      '<file>',
      'robot (.urdf, .xacro), mesh (.stl .obj .ply .off .dae .gltf .glb), scene (.json) or protein (.pdb .cif .bcif)',
    )
    .addHelpText(
      'after',
      '\nExit status 2 when the file cannot be used.\n\nExample:\n  clearance info arm.urdf --srdf arm.srdf --json',
    )
    .action(async (file: string, args: InfoArguments, command: Command) => {
      requireReadable(file);
      const { name, options, describe } = kindOf(file);
      acceptOptions(command, options, `means nothing for ${name} (${file})`);
      const report = await describe(file, args);
      if (args.json) await writeLine(toJson({ ...report.result, issues: report.issues }));
      else if (report.text) await writeLine(report.text);
      for (const issue of report.issues) {
        if (!args.json || issue.severity === 'error') warn(formatIssue(issue));
      }
      process.exitCode = report.usable ? ExitStatus.done : ExitStatus.unusable;
    });
}

interface FileKind {
  readonly name: string;
  /** Attribute names of the options that a description depends on. */
  readonly options: readonly string[];
  readonly describe: (file: string, args: InfoArguments) => Promise<Report>;
}

const PACKAGES = ['package', 'packagePath'];
const KINDS: readonly (FileKind & { readonly extensions: ReadonlySet<string> })[] = [
  {
    name: 'a robot',
    extensions: new Set(['.urdf', '.xacro']),
    options: [...PACKAGES, 'srdf', 'xacroArg', 'mimic', 'base', 'continuous'],
    describe: describeRobot,
  },
  {
    name: 'a mesh',
    extensions: new Set(['.stl', '.obj', '.ply', '.off', '.dae', '.gltf', '.glb', '.tris']),
    options: ['scale', 'upAxis', 'unit', 'weld', 'fillHoles'],
    describe: describeMesh,
  },
  { name: 'a scene', extensions: new Set(['.json']), options: ['allowOutside', ...PACKAGES], describe: describeScene },
  { name: 'an occupancy map', extensions: new Set(['.bt']), options: [], describe: describeOctomap },
  { name: 'a point cloud', extensions: new Set(['.pcd']), options: [], describe: describeCloud },
];

function kindOf(file: string): FileKind {
  const extension = extname(file).toLowerCase();
  const kind = KINDS.find(({ extensions }) => extensions.has(extension));
  if (kind) return kind;
  if (structureFormatOf(file)) return { name: 'a structure', options: [], describe: (path) => reportStructure(path) };
  const structures = STRUCTURE_EXTENSIONS.map((name) => `.${name}`);
  const known = [...KINDS.flatMap(({ extensions }) => [...extensions]), ...structures].join(' ');
  throw new UsageError(`${file}: file type "${extension}" is not known, expected one of ${known}`);
}

async function describeRobot(file: string, args: InfoArguments): Promise<Report> {
  const { value, issues } = await loadForInfo(file, args);
  if (!value) return { result: { kind: 'robot' }, text: '', issues, usable: false };
  const { description, semantic } = value;
  const { model, issues: modelIssues } = buildModel(description.model, {
    base: args.base,
    mimic: args.mimic,
    continuous: args.continuous,
  });
  const movable = description.model.joints.filter(({ type }) => type !== 'fixed').length;
  const result = {
    kind: 'robot',
    name: description.name,
    nq: model.nq,
    nv: model.nv,
    joints: listJoints(model),
    links: description.model.links.length,
    movable,
    mimicTags: description.mimicTags,
    collisionShapes: description.collisions.length,
    visualShapes: description.visuals.length,
    groups: (semantic?.groups ?? []).map(({ name }) => name),
    states: (semantic?.states ?? []).map(({ name, group }) => ({ name, group })),
  };
  const lines = [
    `robot "${description.name}": ${result.links} links, ${movable} movable joints, nq ${model.nq}, nv ${model.nv}`,
    `collision shapes: ${result.collisionShapes}, visual shapes: ${result.visualShapes}`,
    ...listJoints(model).map(({ name, type, lower, upper, mimic }) => {
      const range = mimic
        ? `= ${mimic.multiplier} x ${mimic.joint} + ${mimic.offset}`
        : hasRange(findJointKind(type))
          ? `[${lower}, ${upper}]`
          : '';
      return `  ${name.padEnd(28)} ${type.padEnd(11)} ${range}`.trimEnd();
    }),
  ];
  if (result.groups.length > 0) lines.push(`groups: ${result.groups.join(', ')}`);
  const all = [...issues, ...modelIssues.map((issue) => ({ file, ...issue }))];
  const blocking = all.filter(({ severity, assumes }) => severity === 'error' || assumes === 'dropped').length;
  if (blocking > 0)
    lines.push(
      `${blocking === 1 ? 'an error' : `${blocking} errors`} below: verdicts over this file end with status 2, unless --allow-missing`,
    );
  return { result, text: lines.join('\n'), issues: all, usable: true };
}

/** What only visual shapes lack is no error: nothing but pictures depends on it. */
async function loadForInfo(file: string, args: InfoArguments): ReturnType<typeof loadRobot> {
  const options = robotFileOptions(args);
  const collision = await loadRobot(file, { ...options, geometry: 'collision' });
  if (!collision.value) return collision;
  const both = await loadRobot(file, { ...options, geometry: 'both' });
  const known = new Set(collision.issues.map(formatIssue));
  const visual = both.issues.filter((issue) => !known.has(formatIssue(issue)) && issue.severity !== 'info');
  const told = new Set(collision.issues.map(({ code, element, line }) => `${code} ${element} ${line}`));
  const extra = visual
    .filter(({ code, element, line }) => !told.has(`${code} ${element} ${line}`))
    .map(({ assumes: _, ...issue }) => ({ ...issue, severity: 'warning' as const }));
  return { value: collision.value, issues: [...collision.issues, ...extra] };
}

interface JointRow {
  readonly name: string;
  readonly type: string;
  readonly nq: number;
  readonly nv: number;
  readonly lower: number | readonly number[];
  readonly upper: number | readonly number[];
  readonly velocity: number | readonly number[];
  readonly effort: number | readonly number[];
  readonly mimic?: { readonly joint: string; readonly multiplier: number; readonly offset: number };
}

/** Movable joints in the order of q, mimic joints included. A joint of one coordinate gives numbers, others arrays. */
function listJoints(model: Model): JointRow[] {
  const rows: JointRow[] = [];
  const slice = (values: Float64Array, at: number, count: number): number | number[] => {
    const part = Array.from(values.subarray(at, at + count));
    return part.length === 1 ? part[0] : part;
  };
  for (let j = 1; j < model.jointCount; j++) {
    const nq = model.nqs[j];
    const nv = model.nvs[j];
    const description = model.jointDescriptions[j];
    const driver = model.mimicDrivers[j];
    const limits = description?.limits;
    rows.push({
      name: model.jointNames[j],
      type: description?.type ?? model.jointKinds[j]!.name,
      nq,
      nv,
      lower: driver > 0 ? (limits?.lower ?? -Infinity) : slice(model.lower, model.idxQ[j], nq),
      upper: driver > 0 ? (limits?.upper ?? Infinity) : slice(model.upper, model.idxQ[j], nq),
      velocity: driver > 0 ? (limits?.velocity ?? Infinity) : slice(model.velocityLimits, model.idxV[j], nv),
      effort: driver > 0 ? (limits?.effort ?? Infinity) : slice(model.effortLimits, model.idxV[j], nv),
      ...(driver > 0
        ? {
            mimic: {
              joint: model.jointNames[driver],
              multiplier: model.mimicMultipliers[j],
              offset: model.mimicOffsets[j],
            },
          }
        : {}),
    });
  }
  return rows;
}

async function describeMesh(file: string, args: InfoArguments): Promise<Report> {
  const scale = parseScale(args.scale);
  const { upAxis, unit, weld, fillHoles } = args;
  const { value, issues } = await loadMeshContent(file, { upAxis, unit, weld, fillHoles });
  if (!value) return { result: { kind: 'mesh' }, text: '', issues, usable: false };
  const report = reportMesh(scale ? applyScale(value.mesh, scale) : value.mesh);
  const result = {
    kind: 'mesh',
    format: value.format,
    ...report,
    unit: value.unit,
    upAxis: value.upAxis,
    parts: value.parts.length,
  };
  const bounds = report.bounds;
  const size = bounds ? [0, 1, 2].map((i) => formatNumber(bounds[i + 3] - bounds[i])).join(' x ') : 'none (empty)';
  const lines = [
    `${value.format} mesh: ${report.triangles} triangles, ${report.vertices} vertices, ${report.watertight ? 'watertight' : 'open'}`,
    `degenerate ${report.degenerate}, duplicate ${report.duplicate}, non-manifold edges ${report.nonManifoldEdges}`,
    `area ${formatNumber(report.area)} m2, volume ${volumeText(report)}`,
    `size ${size} m, unit of the file ${value.unit === null ? 'not stated' : `${value.unit} m`}`,
  ];
  return { result, text: lines.join('\n'), issues, usable: true };
}

function volumeText({ volume, watertight }: MeshReport): string {
  if (volume === null) return watertight ? 'none (closed, but not consistently oriented)' : 'none (open)';
  return `${formatNumber(volume)} m3${volume < 0 ? ' (inside out)' : ''}`;
}

async function describeOctomap(file: string): Promise<Report> {
  const { value, issues } = await loadOctomap(file);
  if (!value) return { result: { kind: 'octree' }, text: '', issues, usable: false };
  const { resolution, occupied, free, unknown, leafCount } = value;
  const bounds =
    occupied.length > 0
      ? boundShape([0, 0, 0, 0, 0, 0], { type: 'octree', resolution, cells: occupied }, createTransform())
      : null;
  const result = {
    kind: 'octree',
    resolution,
    occupied: occupied.length / 4,
    free: free.length / 4,
    unknown: unknown.length / 4,
    leaves: leafCount,
    bounds,
  };
  const text = `octree: ${result.occupied} occupied, ${result.free} free, ${result.unknown} unknown cubes from ${leafCount} leaves, resolution ${resolution} m`;
  return { result, text, issues, usable: true };
}

async function describeCloud(file: string): Promise<Report> {
  const { value, issues } = await loadPoints(file);
  if (!value) return { result: { kind: 'points' }, text: '', issues, usable: false };
  const result = { kind: 'points', points: value.length / 3, bounds: boundPoints([0, 0, 0, 0, 0, 0], value) };
  return { result, text: `point cloud: ${result.points} points`, issues, usable: true };
}

async function describeScene(file: string, args: InfoArguments): Promise<Report> {
  const { value, issues } = await loadScene(file, sceneFileOptions(args));
  if (!value) return { result: { kind: 'scene' }, text: '', issues, usable: false };
  const { objects, robots, attached, allowed = [] } = value.description;
  const counts: Record<string, number> = {};
  for (const { shape } of objects) counts[shape.type] = (counts[shape.type] ?? 0) + 1;
  const held = attached.map(({ object, link, touchLinks, pose, mass }) => ({
    object,
    link,
    touchLinks,
    frame: pose ? 'link' : 'world',
    pose: pose ?? objects.find(({ name }) => name === object)?.pose ?? null,
    mass: mass ?? null,
  }));
  const result = {
    kind: 'scene',
    objects: objects.length,
    shapes: counts,
    robots: robots.map(({ name }) => name),
    attached: attached.length,
    attachedObjects: held,
    allowed: allowed.map(({ a, b }) => [a, b]),
  };
  const shapes = Object.entries(counts).map(([type, n]) => `${n} ${type}`);
  const lines = [
    `scene: ${countOf(objects.length, 'object')}${shapes.length > 0 ? ` (${shapes.join(', ')})` : ''}, ${countOf(robots.length, 'robot')}, ${attached.length} attached`,
    ...held.map(({ object, link, frame, pose }) => {
      const where = frame === 'link' ? `at its pose in the link` : 'where it stands in the world when attached';
      return `  "${object}" on "${link}", ${where}: ${pose?.join(' ')}`;
    }),
  ];
  return {
    result,
    text: lines.join('\n'),
    issues,
    usable: !issues.some(({ severity }) => severity === 'error'),
  };
}
