/** The file that is edited, as `plan-2d` reads it, with what was before; and files to begin with. */

export type Pair = readonly [number, number];

/** Of the file; a polygon's holes and texts of inequalities are kept as they came. */
export interface PlaneFile {
  readonly description?: string;
  readonly robot: FileBody;
  readonly obstacles: readonly FileObstacle[];
  readonly bounds: readonly [number, number, number, number];
  readonly start: readonly number[];
  readonly goal: readonly number[];
  readonly touching?: 'free' | 'blocked';
  readonly turning?: boolean;
}

export interface FilePolygon {
  readonly name?: string;
  readonly polygon: readonly Pair[];
  readonly holes?: readonly (readonly Pair[])[];
}

export type FileBody = { readonly disc: number } | FilePolygon | { readonly polygons: readonly FilePolygon[] };

export type FileObstacle =
  | FilePolygon
  | { readonly name?: string; readonly disc: number; readonly at: Pair }
  | { readonly name?: string; readonly implicit: string };

const box = (x0: number, y0: number, x1: number, y1: number): FilePolygon => ({
  polygon: [
    [x0, y0],
    [x1, y0],
    [x1, y1],
    [x0, y1],
  ],
});

export const bodies: Readonly<Record<string, FileBody>> = {
  point: { disc: 0 },
  disc: { disc: 0.5 },
  square: box(-0.5, -0.5, 0.5, 0.5),
  desk: box(-0.6, -0.4, 0.6, 0.4),
  corner: {
    polygon: [
      [-0.75, -0.75],
      [0.75, -0.75],
      [0.75, -0.25],
      [-0.25, -0.25],
      [-0.25, 0.75],
      [-0.75, 0.75],
    ],
  },
};

const room: PlaneFile = {
  description: 'A desk of 1.2 m by 0.8 m through a room with a doorway of 1 m and a round column',
  robot: bodies.desk,
  obstacles: [
    box(4, 0, 4.2, 3),
    box(4, 4, 4.2, 6),
    {
      polygon: [
        [6, 0],
        [8, 0],
        [8, 1],
        [7, 1],
        [7, 2],
        [6, 2],
      ],
    },
    { disc: 0.3, at: [6.5, 4] },
  ],
  bounds: [0.6, 0.4, 9.4, 5.6],
  start: [1, 1],
  goal: [9, 1],
  touching: 'blocked',
};

export const examples: Readonly<Record<string, PlaneFile>> = {
  'A desk through a doorway': room,
  'A doorway that is too narrow': {
    ...room,
    obstacles: [box(4, 0, 4.2, 3), box(4, 3.75, 4.2, 6), ...room.obstacles.slice(2)],
  },
  'A gap of exactly the body': {
    description: 'Free only where touching is',
    robot: box(0, 0, 1, 1),
    obstacles: [box(4, -1, 5, 5), box(4, 6, 5, 12)],
    bounds: [0, 0, 10, 10],
    start: [1, 1],
    goal: [8, 8],
    touching: 'free',
  },
  'Islands and a bean': {
    description: 'A disc among polygons and an implicit region',
    robot: { disc: 0.3 },
    obstacles: [
      {
        polygon: [
          [1, 2],
          [3, 1.5],
          [2.5, 4],
        ],
      },
      {
        polygon: [
          [6, 0.5],
          [8, 1],
          [8.5, 3],
          [7, 2.5],
        ],
      },
      { implicit: '((x - 5)^2 + (y - 4)^2)^2 <= 2 (x - 5)^3 + 1' },
      {
        polygon: [
          [7.5, 4.5],
          [9.5, 4.5],
          [9.5, 6.5],
          [7.5, 6.5],
        ],
        holes: [
          [
            [8, 5],
            [9, 5],
            [9, 6],
            [8, 6],
          ],
        ],
      },
    ],
    bounds: [0, 0, 10, 7],
    start: [0.5, 0.5],
    goal: [9.5, 3.8],
    touching: 'blocked',
  },
  'A board around a corner': {
    description: 'A board that turns in a corridor of 1 m',
    robot: box(-1, -0.15, 1, 0.15),
    obstacles: [box(-1, -1, 6, 0), box(-1, 0, 0, 6), box(1, 1, 6, 6)],
    bounds: [0, 0, 4.5, 4.5],
    start: [0.5, 3.5, Math.PI / 2],
    goal: [3.5, 0.5, Math.PI],
    touching: 'blocked',
    turning: true,
  },
};

/** What a handle moves. */
export type Grip =
  | { readonly kind: 'start' | 'goal' }
  | { readonly kind: 'vertex'; readonly obstacle: number; readonly ring: number; readonly vertex: number }
  | { readonly kind: 'obstacle'; readonly obstacle: number }
  | { readonly kind: 'radius'; readonly obstacle: number }
  | { readonly kind: 'body-vertex'; readonly vertex: number }
  | { readonly kind: 'body-radius' };

const length = (dx: number, dy: number): number => Math.sqrt(dx * dx + dy * dy);

/** The file with a handle moved from one place to another. */
export function moveGrip(
  file: PlaneFile,
  grip: Grip,
  from: Pair,
  to: Pair,
  round: (value: number) => number,
): PlaneFile {
  const at: Pair = [round(to[0]), round(to[1])];
  switch (grip.kind) {
    case 'start':
    case 'goal':
      return { ...file, [grip.kind]: [...at, ...file[grip.kind].slice(2)] };
    case 'body-vertex': {
      if (!('polygon' in file.robot)) return file;
      const own: Pair = [round(to[0] - file.start[0]), round(to[1] - file.start[1])];
      return { ...file, robot: { ...file.robot, polygon: file.robot.polygon.with(grip.vertex, own) } };
    }
    case 'body-radius':
      return { ...file, robot: { disc: Math.abs(round(length(to[0] - file.start[0], to[1] - file.start[1]))) } };
  }
  const { obstacle: index } = grip;
  const obstacle = file.obstacles[index];
  const put = (next: FileObstacle): PlaneFile => ({ ...file, obstacles: file.obstacles.with(index, next) });
  if (grip.kind === 'vertex') {
    if (!('polygon' in obstacle)) return file;
    const { ring, vertex } = grip;
    if (ring === 0) return put({ ...obstacle, polygon: obstacle.polygon.with(vertex, at) });
    const holes = obstacle.holes ?? [];
    return put({ ...obstacle, holes: holes.with(ring - 1, holes[ring - 1].with(vertex, at)) });
  }
  if (grip.kind === 'radius') {
    if (!('disc' in obstacle)) return file;
    const radius = round(length(to[0] - obstacle.at[0], to[1] - obstacle.at[1]));
    return radius > 0 ? put({ ...obstacle, disc: radius }) : file;
  }
  const [dx, dy] = [round(to[0] - from[0]), round(to[1] - from[1])];
  const moved = (ring: readonly Pair[]): Pair[] => ring.map(([x, y]) => [round(x + dx), round(y + dy)]);
  if ('disc' in obstacle) return put({ ...obstacle, at: moved([obstacle.at])[0] });
  if (!('polygon' in obstacle)) return file;
  const { holes } = obstacle;
  return put({
    ...obstacle,
    polygon: moved(obstacle.polygon),
    ...(holes === undefined ? {} : { holes: holes.map(moved) }),
  });
}

/** A vertex more, behind the given one. */
export function addVertex(file: PlaneFile, obstacle: number, ring: number, vertex: number, at: Pair): PlaneFile {
  return changeRing(file, obstacle, ring, (points) => points.toSpliced(vertex + 1, 0, at));
}

/** A vertex less; of a triangle the whole ring, of an obstacle's outline the obstacle. */
export function removeVertex(file: PlaneFile, obstacle: number, ring: number, vertex: number): PlaneFile {
  return changeRing(file, obstacle, ring, (points) => points.toSpliced(vertex, 1));
}

function changeRing(
  file: PlaneFile,
  index: number,
  ring: number,
  change: (points: readonly Pair[]) => readonly Pair[],
): PlaneFile {
  const obstacle = file.obstacles[index];
  if (!('polygon' in obstacle)) return file;
  const holes = obstacle.holes ?? [];
  const points = change(ring === 0 ? obstacle.polygon : holes[ring - 1]);
  if (points.length < 3 && ring === 0) return removeObstacle(file, index);
  const next: FilePolygon =
    ring === 0
      ? { ...obstacle, polygon: points }
      : { ...obstacle, holes: points.length < 3 ? holes.toSpliced(ring - 1, 1) : holes.with(ring - 1, points) };
  return { ...file, obstacles: file.obstacles.with(index, next) };
}

export function removeObstacle(file: PlaneFile, index: number): PlaneFile {
  return { ...file, obstacles: file.obstacles.toSpliced(index, 1) };
}

/** What is edited, and what was: a drag is one step. */
export class EditedScene {
  private readonly past: PlaneFile[] = [];
  private future: PlaneFile[] = [];

  constructor(private current: PlaneFile) {}

  get file(): PlaneFile {
    return this.current;
  }

  get canUndo(): boolean {
    return this.past.length > 0;
  }

  get canRedo(): boolean {
    return this.future.length > 0;
  }

  /** `isStep`: the state before is kept. */
  set(next: PlaneFile, isStep = true): void {
    if (isStep) {
      this.past.push(this.current);
      this.future = [];
    }
    this.current = next;
  }

  undo(): void {
    const before = this.past.pop();
    if (before === undefined) return;
    this.future.push(this.current);
    this.current = before;
  }

  redo(): void {
    const after = this.future.pop();
    if (after === undefined) return;
    this.past.push(this.current);
    this.current = after;
  }
}
