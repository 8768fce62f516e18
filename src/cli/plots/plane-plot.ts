/** A plane problem and its answer as an SVG picture: obstacles, forbidden places, map, roadmap, path, or the closing chain. */
import { coverImplicit } from '../../plane/implicit-cells.js';
import type { PlanePlan } from '../../plane/plan.js';
import type { PlanePoint, Polygon } from '../../plane/polygon.js';
import type { PlaneProblem } from '../../plane/problem.js';
import { openingEnds, trapezoidCorners } from '../../plane/roadmap.js';
import { coordinateToNumber } from '../../plane/verify-separation.js';
import { COLOURS } from './line-plot.js';

const WIDTH = 900;
const BORDER = 20;
/** Trapezoids beyond this many are not drawn: they would be a grey field. */
const MOST_TRAPEZOIDS = 20_000;

/** What is drawn of any problem. */
export type ObstacleScene = Pick<PlaneProblem, 'obstacles' | 'bounds'>;

export type Place = (point: PlanePoint) => string;

const round = (value: number): string => String(Math.round(value * 100) / 100);

export function drawPlane(problem: PlaneProblem, plan: PlanePlan): string {
  const [x0, y0, x1, y1] = problem.bounds;
  const scale = (WIDTH - 2 * BORDER) / (x1 - x0);
  const height = Math.min(4 * WIDTH, (y1 - y0) * scale + 2 * BORDER);
  const place: Place = ([x, y]) => `${round(BORDER + (x - x0) * scale)},${round(height - BORDER - (y - y0) * scale)}`;
  const layers = [
    drawForbidden(plan, place),
    drawMap(plan, place),
    drawObstacles(problem, place, scale),
    drawChain(plan, place),
    drawBody(problem, place, scale),
    drawPath(plan, place),
  ];
  const [left, top] = place([x0, y1]).split(',').map(Number);
  const [right, bottom] = place([x1, y0]).split(',').map(Number);
  const frame = `<rect x="${left}" y="${top}" width="${round(right - left)}" height="${round(bottom - top)}"`;
  const title = plan.status === 'solved' ? `solved, ${plan.length.toPrecision(6)} m` : `${plan.status}: ${plan.reason}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${round(height)}" font-family="sans-serif"><title>${title}</title><rect width="100%" height="100%" fill="white"/><clipPath id="bounds">${frame}/></clipPath><g clip-path="url(#bounds)">${layers.join('')}</g>${frame} fill="none" stroke="black"/></svg>\n`;
}

export function ringPath(rings: readonly (readonly PlanePoint[])[], place: Place): string {
  return rings.map((ring) => `M${ring.map(place).join('L')}Z`).join('');
}

function polygonPath(polygons: readonly Polygon[], place: Place): string {
  return polygons.map(({ outer, holes }) => ringPath([outer, ...(holes ?? [])], place)).join('');
}

/** Pieces overlap; wound one way they fill as their union. */
function drawForbidden({ freeSpace }: PlanePlan, place: Place): string {
  const pieces = freeSpace?.pieces.filter(({ obstacle }) => obstacle >= 0) ?? [];
  const rings = pieces.map(({ corners }) => corners.map(({ x, y }): PlanePoint => [x, y]));
  return `<path id="forbidden" d="${ringPath(rings, place)}" fill="#f6c7b3"/>`;
}

export function drawObstacles({ obstacles, bounds }: ObstacleScene, place: Place, scale: number): string {
  const shapes = obstacles.map((obstacle) => {
    if ('polygon' in obstacle) return `<path d="${polygonPath([obstacle.polygon], place)}" fill-rule="evenodd"/>`;
    if ('implicit' in obstacle) {
      const [x0, y0, x1, y1] = bounds;
      const { inside, undecided } = coverImplicit(obstacle.implicit, bounds, Math.max(x1 - x0, y1 - y0) / 256);
      return `<path d="${ringPath([...inside, ...undecided], place)}"/>`;
    }
    const [cx, cy] = place(obstacle.at).split(',');
    return `<circle cx="${cx}" cy="${cy}" r="${round(obstacle.disc * scale)}"/>`;
  });
  return `<g id="obstacles" fill="#666">${shapes.join('')}</g>`;
}

function drawMap({ freeSpace }: PlanePlan, place: Place): string {
  if (freeSpace === null || freeSpace.map.trapezoidCount > MOST_TRAPEZOIDS) return '';
  const { map } = freeSpace;
  const cells: string[] = [];
  for (let t = 0; t < map.trapezoidCount; t++) cells.push(ringPath([trapezoidCorners(map, t)], place));
  const openings: string[] = [];
  for (let o = 0; o < map.openingCount; o++) openings.push(`M${openingEnds(map, o).map(place).join('L')}`);
  return `<path id="trapezoids" d="${cells.join('')}" fill="#e8f1fa" stroke="#c3d7ea" stroke-width="0.5"/><path id="openings" d="${openings.join('')}" fill="none" stroke="#8fb3d4" stroke-width="0.5"/>`;
}

function drawBody({ body, start, goal }: PlaneProblem, place: Place, scale: number): string {
  const at = ([x, y]: PlanePoint, colour: string) => {
    const [cx, cy] = place([x, y]).split(',');
    const dot = `<circle cx="${cx}" cy="${cy}" r="3" fill="${colour}"/>`;
    if ('disc' in body)
      return `${dot}<circle cx="${cx}" cy="${cy}" r="${round(body.disc * scale)}" fill="none" stroke="${colour}"/>`;
    const rings = [body.polygon.outer, ...(body.polygon.holes ?? [])].map((ring) =>
      ring.map(([px, py]): PlanePoint => [px + x, py + y]),
    );
    return `${dot}<path d="${ringPath(rings, place)}" fill="none" stroke="${colour}"/>`;
  };
  return `<g id="body">${at(start, COLOURS[2])}${at(goal, COLOURS[0])}</g>`;
}

function drawPath({ path }: PlanePlan, place: Place): string {
  if (path.length === 0) return '';
  return `<polyline id="path" points="${path.map(place).join(' ')}" fill="none" stroke="${COLOURS[0]}" stroke-width="2"/>`;
}

function drawChain({ separation }: PlanePlan, place: Place): string {
  if (separation === null) return '';
  const points = separation.flatMap(({ inside, contact }) =>
    [inside, contact].map(([x, y]): PlanePoint => [coordinateToNumber(x), coordinateToNumber(y)]),
  );
  return `<path id="chain" d="${ringPath([points], place)}" fill="none" stroke="${COLOURS[1]}" stroke-width="2.5"/>`;
}
