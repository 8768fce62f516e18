/** Plans beside the page: one question after the other, each answered with all that is drawn. */
import { parsePlaneProblem, parseTurningProblem } from 'clearance/io';
import {
  coordinateToNumber,
  coverImplicit,
  createVisibilityGraph,
  type PlanePoint,
  type PlaneProblem,
  planInPlane,
  planTurning,
  type TurningProblem,
} from 'clearance/plane';
import type { PlaneAnswer, PlaneQuestion } from './messages.js';

/** Corners and edges beyond which the graph is not made: it would be a grey field, and take seconds. */
const MOST_CORNERS = 1500;
const MOST_EDGES = 60_000;

const nothing = {
  path: [],
  length: 0,
  clearance: 0,
  verified: false,
  width: 0,
  forbidden: [],
  trapezoids: [],
  neighbours: 0,
  components: 0,
  graph: null,
  chain: [],
  links: 0,
  boxes: [],
} as const;

self.onmessage = ({ data }: MessageEvent<PlaneQuestion>) => {
  const start = performance.now();
  const answer = answerQuestion(data);
  self.postMessage({ ...answer, number: data.number, ms: performance.now() - start } satisfies PlaneAnswer);
};

type Answer = Omit<PlaneAnswer, 'number' | 'ms'>;

function answerQuestion({ text, method, withGraph }: PlaneQuestion): Answer {
  const invalid = (reason: string): Answer => ({ ...nothing, status: 'invalid', reason, touching: '' });
  try {
    const isTurning = (JSON.parse(text) as { turning?: unknown }).turning === true;
    const { value, issues } = isTurning ? parseTurningProblem(text) : parsePlaneProblem(text);
    if (value === null) return invalid(issues.map(({ message }) => message).join('; '));
    const boxes = value.obstacles.flatMap((obstacle) => {
      if (!('implicit' in obstacle)) return [];
      const [x0, y0, x1, y1] = value.bounds;
      const { inside, undecided } = coverImplicit(obstacle.implicit, value.bounds, Math.max(x1 - x0, y1 - y0) / 256);
      return [...inside, ...undecided];
    });
    const answer = isTurning
      ? answerTurning(value as TurningProblem)
      : answerTranslating(value as PlaneProblem, method, withGraph);
    return { ...answer, boxes };
  } catch (error) {
    return invalid((error as Error).message);
  }
}

function answerTurning(problem: TurningProblem): Answer {
  const plan = planTurning(problem, { resolution: 0.01, boxes: 40_000 });
  const { status, reason, touching, path, length, verified, width } = plan;
  return { ...nothing, status, reason, touching, path, length, verified, width };
}

function answerTranslating(problem: PlaneProblem, method: PlaneQuestion['method'], withGraph: boolean): Answer {
  const plan = planInPlane(problem, { method });
  const { status, reason, touching, path, length, verified, clearance, width, freeSpace, separation } = plan;
  const cells = freeSpace?.cells ?? [];
  const pieces = freeSpace?.pieces.filter(({ obstacle }) => obstacle >= 0) ?? [];
  return {
    status,
    reason,
    touching,
    path,
    length,
    verified,
    clearance,
    width,
    forbidden: pieces.map(({ corners }) => corners.map(({ x, y }): PlanePoint => [x, y])),
    trapezoids: cells.map(({ corners }) => corners),
    neighbours: cells.reduce((sum, { neighbours }) => sum + neighbours.length, 0) / 2,
    components: new Set(cells.map(({ component }) => component)).size,
    graph:
      withGraph && pieces.reduce((sum, { corners }) => sum + corners.length, 0) < MOST_CORNERS
        ? edgesOf(problem)
        : null,
    chain: (separation ?? []).flatMap(({ inside, contact }) =>
      [inside, contact].map(([x, y]): PlanePoint => [coordinateToNumber(x), coordinateToNumber(y)]),
    ),
    links: separation?.length ?? 0,
    boxes: [],
  };
}

function edgesOf({ body, obstacles, bounds }: PlaneProblem): Float64Array | null {
  const { places, pairs } = createVisibilityGraph({ body, obstacles, bounds });
  if (pairs.length > 2 * MOST_EDGES) return null;
  const edges = new Float64Array(2 * pairs.length);
  for (const [k, corner] of pairs.entries()) edges.set(places[corner], 2 * k);
  return edges;
}
