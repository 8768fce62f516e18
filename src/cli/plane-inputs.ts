/** What `plan-2d` reads besides its problem: obstacles and the body from drawings, maps, meshes and robots. */
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import type { Parsed } from '../io/issue.js';
import { parseGeoJson } from '../io/plane/geojson.js';
import { parseSvg } from '../io/plane/svg.js';
import { buildModel } from '../model/build-model.js';
import { loadRobot } from '../node/load-robot.js';
import { offsetPolygon } from '../plane/minkowski.js';
import type { Polygon } from '../plane/polygon.js';
import type { PlaneProblem } from '../plane/problem.js';
import { combinePolygons } from '../plane/region.js';
import type { TurningProblem } from '../plane/turning/turning-problem.js';
import type { Assumption } from '../scene/description.js';
import { projectMesh } from '../scene/footprint.js';
import { sliceMesh } from '../scene/mesh-slice.js';
import { addRobot, setConfiguration } from '../scene/robot.js';
import { createScene, disposeScene } from '../scene/scene.js';
import { projectRobot } from '../scene/shape-footprint.js';
import { parseConfiguration } from './configuration-argument.js';
import { orUsageError, UsageError } from './exit.js';
import { requireReadable } from './json-lines.js';
import { readMesh, takeWhole } from './mesh-arguments.js';

export interface PlaneInputs {
  readonly obstacle?: readonly string[];
  readonly body?: string;
  readonly at?: number;
  readonly q?: string;
  readonly width?: number;
}

/** Of a convex link's footprint: two percent more than a round one, and few enough to plan with. */
const SIDES = 16;

/** Part of the extent that a robot's footprint is grown by where its outline had to be rounded. */
const GROWN = 1e-9;

const meshFiles = ['.stl', '.obj', '.ply', '.off', '.dae', '.gltf', '.glb', '.tris'];
const robotFiles = ['.urdf', '.xacro'];

/** The problem with what the options name; what reading altered or guessed is added to `assumed`. */
export async function addInputs<T extends PlaneProblem | TurningProblem>(
  problem: T,
  inputs: PlaneInputs,
  assumed: Assumption[],
): Promise<T> {
  const obstacles = [...problem.obstacles];
  for (const file of inputs.obstacle ?? [])
    for (const polygon of await readPolygons('--obstacle', file, inputs, assumed)) obstacles.push({ polygon });
  if (inputs.body === undefined) return { ...problem, obstacles };
  const polygons = unite(await readPolygons('--body', inputs.body, inputs, assumed));
  if (polygons.length === 0) throw new UsageError(`--body ${inputs.body}: nothing of it is there`);
  const isTurning = problem.start.length === 3;
  if (isTurning && polygons.length > 1) return { ...problem, obstacles, body: { polygons } };
  const [one, ...others] = polygons;
  if (others.length > 0)
    throw new UsageError(`--body ${inputs.body}: ${others.length + 1} parts, expected one without --turn`);
  return { ...problem, obstacles, body: { polygon: one } };
}

/** Their union; where its corners are no doubles it is grown by a hair, so that it holds them all. */
function unite(polygons: readonly Polygon[]): readonly Polygon[] {
  if (polygons.length < 2) return polygons;
  const { polygons: united, isRounded } = combinePolygons('union', polygons, []);
  if (!isRounded) return united;
  const extent = polygons.flatMap(({ outer }) => outer.flat()).reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  return united.flatMap((polygon) => offsetPolygon(polygon, GROWN * extent).polygons);
}

async function readPolygons(
  option: string,
  file: string,
  inputs: PlaneInputs,
  assumed: Assumption[],
): Promise<readonly Polygon[]> {
  requireReadable(file);
  const extension = extname(file).toLowerCase();
  const text = (): string => readFileSync(file, 'utf8');
  const take = (parsed: Parsed<readonly Polygon[]>): readonly Polygon[] => takeWhole(file, parsed, assumed);
  if (extension === '.svg') return take(parseSvg(text(), { width: inputs.width }));
  if (extension === '.geojson' || extension === '.json') return take(parseGeoJson(text()));
  if (meshFiles.includes(extension)) {
    const mesh = await readMesh(file, {}, assumed);
    if (inputs.at === undefined) return projectMesh(mesh).polygons;
    const { polygons, openEnds, thickness } = sliceMesh(mesh, inputs.at);
    if (openEnds > 0)
      assumed.push({
        kind: 'altered',
        element: file,
        message: `the mesh is open at ${inputs.at}: its triangles are walls of ${thickness} m there`,
      });
    return polygons;
  }
  if (robotFiles.includes(extension)) return readRobot(file, inputs, assumed);
  throw new UsageError(`${option} ${file}: expected a drawing (.svg), a map (.geojson), a mesh or a robot (.urdf)`);
}

async function readRobot(file: string, { q, at }: PlaneInputs, assumed: Assumption[]): Promise<readonly Polygon[]> {
  const value = takeWhole(file, await loadRobot(file, { geometry: 'collision' }), assumed);
  const { model } = buildModel(value.description.model);
  const scene = createScene();
  const robot = addRobot(scene, { ...value, model });
  if (q !== undefined) setConfiguration(robot, parseConfiguration({ ...value, model }, parseGiven(q), null));
  const heights = at === undefined ? {} : { low: at, high: at };
  const polygons = orUsageError(file, () => projectRobot(robot, { ...heights, sides: SIDES }));
  disposeScene(scene);
  return polygons;
}

/** Numbers, JSON or the name of a state. */
function parseGiven(text: string): unknown {
  if (/^[[{]/.test(text)) {
    try {
      return JSON.parse(text);
    } catch (error) {
      throw new UsageError(`--q: ${(error as Error).message}`);
    }
  }
  const numbers = text.split(',').map(Number);
  return numbers.every(Number.isFinite) ? numbers : text;
}
