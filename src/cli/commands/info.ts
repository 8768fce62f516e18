/** `clearance info`: what a robot, mesh or scene file holds. */
import { extname } from 'node:path';
import { Command } from 'commander';
import { boundPoints, boundShape } from '../../geometry/aabb.js';
import { reportMesh } from '../../geometry/mesh-report.js';
import { formatIssue, type Issue } from '../../io/issue.js';
import { STRUCTURE_EXTENSIONS, structureFormatOf } from '../../io/structure.js';
import { createTransform } from '../../math/transform.js';
import { buildModel } from '../../model/build-model.js';
import type { Model } from '../../model/model.js';
import { loadOctomap, loadPoints } from '../../node/load-cloud.js';
import { loadMeshContent } from '../../node/load-mesh.js';
import { loadRobot } from '../../node/load-robot.js';
import { loadScene } from '../../node/load-scene.js';
import { ExitStatus, UsageError } from '../exit.js';
import { toJson, writeLine } from '../json-lines.js';
import { warn } from '../messages.js';
import { addRobotOptions, type RobotArguments, robotFileOptions } from '../robot-arguments.js';
import { reportStructure } from '../structure-report.js';

interface InfoArguments extends RobotArguments {
  readonly json?: boolean;
}

interface Report {
  readonly result: Record<string, unknown>;
  readonly text: string;
  readonly issues: readonly Issue[];
  readonly usable: boolean;
}

const meshExtensions = new Set(['.stl', '.obj', '.ply', '.off', '.dae', '.gltf', '.glb', '.tris']);
const robotExtensions = new Set(['.urdf', '.xacro']);

export function infoCommand(): Command {
  return addRobotOptions(new Command('info'))
    .description('what a file holds: a robot, a mesh, a scene or a protein; issues with file, line and remedy')
    .argument(
      '<file>',
      'robot (.urdf, .xacro), mesh (.stl .obj .ply .off .dae .gltf .glb), scene (.json) or protein (.pdb .cif .bcif)',
    )
    .addHelpText(
      'after',
      '\nExit status 2 when the file cannot be used.\n\nExample:\n  clearance info arm.urdf --srdf arm.srdf --json',
    )
    .action(async (file: string, args: InfoArguments) => {
      const report = await describeFile(file, args);
      if (args.json) await writeLine(toJson({ ...report.result, issues: report.issues }));
      else if (report.text) await writeLine(report.text);
      for (const issue of report.issues) {
        if (!args.json || issue.severity === 'error') warn(formatIssue(issue));
      }
      process.exitCode = report.usable ? ExitStatus.done : ExitStatus.unusable;
    });
}

async function describeFile(file: string, args: InfoArguments): Promise<Report> {
  const extension = extname(file).toLowerCase();
  if (robotExtensions.has(extension)) return describeRobot(file, args);
  if (extension === '.bt') return describeOctomap(file);
  if (extension === '.pcd') return describeCloud(file);
  if (meshExtensions.has(extension)) return describeMesh(file, args);
  if (extension === '.json') return describeScene(file, args);
  if (structureFormatOf(file)) return reportStructure(file);
  const structures = STRUCTURE_EXTENSIONS.map((name) => `.${name}`);
  const known = [...robotExtensions, ...meshExtensions, '.json', ...structures].join(' ');
  throw new UsageError(`${file}: file type "${extension}" is not known, expected one of ${known}`);
}

async function describeRobot(file: string, args: InfoArguments): Promise<Report> {
  const { value, issues } = await loadRobot(file, { ...robotFileOptions(args), geometry: 'both' });
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
        : type === 'revolute' || type === 'prismatic'
          ? `[${lower}, ${upper}]`
          : '';
      return `  ${name.padEnd(28)} ${type.padEnd(11)} ${range}`.trimEnd();
    }),
  ];
  if (result.groups.length > 0) lines.push(`groups: ${result.groups.join(', ')}`);
  return {
    result,
    text: lines.join('\n'),
    issues: [...issues, ...modelIssues.map((issue) => ({ file, ...issue }))],
    usable: true,
  };
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
  const { value, issues } = await loadMeshContent(file, { upAxis: args.upAxis, unit: args.unit });
  if (!value) return { result: { kind: 'mesh' }, text: '', issues, usable: false };
  const report = reportMesh(value.mesh);
  const result = {
    kind: 'mesh',
    format: value.format,
    ...report,
    unit: value.unit,
    upAxis: value.upAxis,
    parts: value.parts.length,
  };
  const bounds = report.bounds;
  const size = bounds ? [0, 1, 2].map((i) => (bounds[i + 3] - bounds[i]).toPrecision(6)).join(' x ') : 'none (empty)';
  const lines = [
    `${value.format} mesh: ${report.triangles} triangles, ${report.vertices} vertices, ${report.watertight ? 'watertight' : 'open'}`,
    `degenerate ${report.degenerate}, duplicate ${report.duplicate}, non-manifold edges ${report.nonManifoldEdges}`,
    `area ${report.area} m2, volume ${report.volume === null ? 'none (open)' : `${report.volume} m3`}`,
    `size ${size} m, unit of the file ${value.unit === null ? 'not stated' : `${value.unit} m`}`,
  ];
  return { result, text: lines.join('\n'), issues, usable: true };
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
  const { value, issues } = await loadScene(file, { allowOutside: args.allowOutside });
  if (!value) return { result: { kind: 'scene' }, text: '', issues, usable: false };
  const { objects, robots, attached } = value.description;
  const counts: Record<string, number> = {};
  for (const { shape } of objects) counts[shape.type] = (counts[shape.type] ?? 0) + 1;
  const result = {
    kind: 'scene',
    objects: objects.length,
    shapes: counts,
    robots: robots.map(({ name }) => name),
    attached: attached.length,
  };
  const shapes = Object.entries(counts).map(([type, n]) => `${n} ${type}`);
  return {
    result,
    text: `scene: ${objects.length} objects (${shapes.join(', ')}), ${robots.length} robots, ${attached.length} attached`,
    issues,
    usable: !issues.some(({ severity }) => severity === 'error'),
  };
}
