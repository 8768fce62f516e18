/**
 * A problem of a turning body and its answer as an SVG picture: obstacles, the path with the body at places along it, and slices: what is
 * forbidden at some angles.
 */
import { cos, sin } from '../../math/scalar.js';
import type { PlanePoint, Polygon } from '../../plane/polygon.js';
import type { TurningPlan } from '../../plane/turning/plan-turning.js';
import { listTurnedPieces } from '../../plane/turning/slices.js';
import {
  listBodyPolygons,
  listTurningParts,
  type PlanePose,
  type TurningBody,
  type TurningProblem,
} from '../../plane/turning/turning-problem.js';
import { COLOURS } from './line-plot.js';
import { drawObstacles, type Place, ringPath } from './plane-plot.js';

const WIDTH = 900;
const BORDER = 20;
const SLICES = 8;
const COLUMNS = 4;
/** Bodies drawn along the path. */
const PLACEMENTS = 24;

const round = (value: number): string => String(Math.round(value * 100) / 100);

export function drawTurning(problem: TurningProblem, plan: TurningPlan): string {
  const [x0, y0, x1, y1] = problem.bounds;
  const panel = createPanel(problem, WIDTH - 2 * BORDER, BORDER, BORDER);
  const slices = 'disc' in problem.body ? [] : drawSlices(problem, plan, panel.height + 2 * BORDER);
  const small = ((WIDTH - (COLUMNS + 1) * BORDER) / COLUMNS) * ((y1 - y0) / (x1 - x0));
  const rows = Math.ceil(slices.length / COLUMNS);
  const height = panel.height + 2 * BORDER + rows * (small + 2 * BORDER);
  const title = plan.status === 'solved' ? `solved, ${plan.length.toPrecision(6)} m` : `${plan.status}: ${plan.reason}`;
  const main = [
    drawObstacles(problem, panel.place, panel.scale),
    drawPlacements(problem, plan, panel.place, panel.scale),
    drawPath(plan.path, panel.place, 2),
  ].join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${round(height)}" font-family="sans-serif" font-size="12"><title>${title}</title><rect width="100%" height="100%" fill="white"/>${panel.wrap('bounds', main)}${slices.join('')}</svg>\n`;
}

interface Panel {
  readonly place: Place;
  readonly scale: number;
  readonly height: number;
  readonly wrap: (name: string, content: string) => string;
}

function createPanel({ bounds: [x0, y0, x1, y1] }: TurningProblem, width: number, left: number, top: number): Panel {
  const scale = width / (x1 - x0);
  const height = (y1 - y0) * scale;
  const place: Place = ([x, y]) => `${round(left + (x - x0) * scale)},${round(top + height - (y - y0) * scale)}`;
  const frame = `<rect x="${round(left)}" y="${round(top)}" width="${round(width)}" height="${round(height)}"`;
  const wrap = (name: string, content: string) =>
    `<clipPath id="${name}">${frame}/></clipPath><g clip-path="url(#${name})">${content}</g>${frame} fill="none" stroke="black"/>`;
  return { place, scale, height, wrap };
}

const ringsOf = ({ outer, holes }: Polygon) => [outer, ...(holes ?? [])];

function drawBody(body: TurningBody, [x, y, theta]: PlanePose, place: Place, scale: number): string {
  if ('disc' in body) {
    const [cx, cy] = place([x, y]).split(',');
    return `<circle cx="${cx}" cy="${cy}" r="${round(body.disc * scale)}"/>`;
  }
  const c = cos(theta);
  const s = sin(theta);
  const rings = listBodyPolygons(body).flatMap(ringsOf);
  return `<path d="${ringPath(
    rings.map((ring) => ring.map(([px, py]): PlanePoint => [x + c * px - s * py, y + s * px + c * py])),
    place,
  )}" fill-rule="evenodd"/>`;
}

function drawPlacements({ body, start, goal }: TurningProblem, plan: TurningPlan, place: Place, scale: number): string {
  const between = samplePath(plan.path, PLACEMENTS).map((pose) => drawBody(body, pose, place, scale));
  const end = (pose: PlanePose, colour: string) => `<g stroke="${colour}">${drawBody(body, pose, place, scale)}</g>`;
  return `<g id="bodies" fill="${COLOURS[5]}" fill-opacity="0.25" stroke="${COLOURS[0]}" stroke-width="0.7">${between.join('')}</g><g id="ends" fill="none" stroke-width="1.5">${end(start, COLOURS[2])}${end(goal, COLOURS[1])}</g>`;
}

/** Poses at even shares of the path's motions. */
function samplePath(path: readonly PlanePose[], count: number): PlanePose[] {
  const poses: PlanePose[] = [];
  const motions = path.length - 1;
  if (motions < 1) return poses;
  const each = Math.max(2, Math.ceil(count / motions));
  for (let i = 0; i < motions; i++)
    for (let k = 0; k < each; k++)
      poses.push(path[i].map((x, c) => x + ((path[i + 1][c] - x) * k) / each) as unknown as PlanePose);
  return poses;
}

function drawPath(path: readonly PlanePose[], place: Place, width: number): string {
  if (path.length === 0) return '';
  const points = path.map(([x, y]) => place([x, y])).join(' ');
  return `<polyline points="${points}" fill="none" stroke="${COLOURS[0]}" stroke-width="${width}"/>`;
}

/** What is forbidden at angles spread evenly over those of the path, or over a turn. */
function drawSlices(problem: TurningProblem, plan: TurningPlan, top: number): string[] {
  const parts = listTurningParts(problem, 64);
  const width = (WIDTH - (COLUMNS + 1) * BORDER) / COLUMNS;
  const angles = plan.path.map(([, , theta]) => theta);
  const low = angles.length > 0 ? Math.min(...angles) : 0;
  const high = angles.length > 0 ? Math.max(...angles) : (2 * Math.PI * (SLICES - 1)) / SLICES;
  return Array.from({ length: high > low ? SLICES : 1 }, (_, k) => {
    const theta = low + ((high - low) * k) / Math.max(1, SLICES - 1);
    const left = BORDER + (k % COLUMNS) * (width + BORDER);
    const shape = createPanel(problem, width, left, 0);
    const y = top + Math.floor(k / COLUMNS) * (shape.height + 2 * BORDER) + BORDER;
    const panel = createPanel(problem, width, left, y);
    const pieces = listTurnedPieces(parts, problem.bounds, problem.touching === 'free', theta, theta).filter(
      ({ obstacle }) => obstacle >= 0,
    );
    const rings = pieces.map(({ corners }) => corners.map(({ x, y: v }): PlanePoint => [x, v]));
    const forbidden = `<path d="${ringPath(rings, panel.place)}" fill="#f6c7b3"/>`;
    const content = `${forbidden}${drawObstacles(problem, panel.place, panel.scale)}${drawPath(plan.path, panel.place, 1)}`;
    return `<text x="${round(left)}" y="${round(y - 5)}">${theta.toFixed(3)} rad</text>${panel.wrap(`slice${k}`, content)}`;
  });
}
