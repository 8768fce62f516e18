/** Reads parts, tells what a dragged part is near to, searches its way out in slices, and plans sequences, beside the page. */
import {
  buildMeshBvh,
  collideMeshMesh,
  createMeshCollision,
  createMeshDistance,
  distanceMeshMesh,
  type MeshBvh,
} from 'clearance/bvh';
import { joinMeshes, type TriangleMesh } from 'clearance/geometry';
import { parseAssembly, parseMesh } from 'clearance/io';
import { createTransform, poseToTransform } from 'clearance/math';
import { createTakeOutSearch, placeMesh, planSequence, type RigidPlan, type TakeOutSearch } from 'clearance/rigid';
import { loadKernel } from '../kernel.js';
import type { FromRigid, PartData, TightPlace, ToRigid } from './messages.js';

/** Milliseconds of searching before messages are looked at, and between two pictures of the trees. */
const SLICE_MS = 40;
const PICTURE_MS = 150;
/** Queries between looks at the clock. */
const QUERIES = 128;

interface Chosen {
  readonly part: number;
  readonly body: MeshBvh;
  readonly others: MeshBvh;
  readonly meshes: readonly TriangleMesh[];
  readonly names: readonly string[];
}

interface Running {
  readonly search: TakeOutSearch;
  readonly begin: number;
  drawn: [number, number];
  pictured: number;
}

const ready = loadKernel();
let parts: readonly PartData[] = [];
let chosen: Chosen | null = null;
let running: Running | null = null;

const post = (message: FromRigid, transfer: Transferable[] = []): void => self.postMessage(message, { transfer });

self.onmessage = async ({ data }: MessageEvent<ToRigid>) => {
  try {
    await ready;
    await take(data);
  } catch (error) {
    post({ type: 'failed', message: (error as Error).message });
  }
};

async function take(message: ToRigid): Promise<void> {
  switch (message.type) {
    case 'example': {
      const read = await Promise.all(
        message.parts.map(async ({ name, url, pose, goal }) => {
          const response = await fetch(url);
          if (!response.ok) throw new Error(`${name}: ${response.status} ${response.statusText}`);
          return readPart(name, url, new Uint8Array(await response.arrayBuffer()), pose, goal);
        }),
      );
      show(message.title, read);
      return;
    }
    case 'files':
      await open(message.files);
      return;
    case 'restore':
      forget();
      parts = message.parts;
      return;
    case 'choose':
      choose(message.part);
      return;
    case 'pose':
      answerContact(message.pose);
      return;
    case 'take-out':
      startSearch(message.pose, message.seed);
      return;
    case 'cancel':
      if (running) finish(running.search.result());
      return;
    case 'sequence':
      sequence();
  }
}

const AT_HOME = [0, 0, 0, 0, 0, 0, 1];

async function readPart(
  name: string,
  file: string,
  bytes: Uint8Array,
  pose: readonly number[] = AT_HOME,
  goal: readonly number[] | null = null,
): Promise<PartData> {
  const { value, issues } = await parseMesh(bytes, { file });
  const dropped = issues.filter(({ severity, assumes }) => severity === 'error' || assumes === 'dropped');
  // A part that lacks triangles would come out of what holds it.
  if (value === null || dropped.length > 0)
    throw new Error(`${name}: ${(dropped.length > 0 ? dropped : issues).map((issue) => issue.message).join('; ')}`);
  const { vertices, triangles } = value.mesh;
  return { name, vertices: Float64Array.from(vertices), triangles: Uint32Array.from(triangles), pose, goal };
}

/** Meshes are parts, by their names; an assembly file says which of them, and where. */
async function open(files: readonly { readonly name: string; readonly bytes: ArrayBuffer }[]): Promise<void> {
  const description = files.find(({ name }) => /\.json$/i.test(name));
  if (!description) {
    const read: PartData[] = [];
    for (const { name, bytes } of files)
      read.push(await readPart(name.replace(/\.[^.]*$/, ''), name, new Uint8Array(bytes)));
    show(files.length === 1 ? files[0].name : `${files.length} parts`, read);
    return;
  }
  const { value, issues } = parseAssembly(new TextDecoder().decode(description.bytes));
  if (value === null) throw new Error(`${description.name}: ${issues.map(({ message }) => message).join('; ')}`);
  const read: PartData[] = [];
  for (const { name, file, pose } of value) {
    const base = file.replace(/^.*[\\/]/, '');
    const found = files.find((given) => given.name === base);
    if (!found) throw new Error(`${description.name}: give the mesh "${file}" of part "${name}" with it`);
    read.push(await readPart(name, base, new Uint8Array(found.bytes), [...pose]));
  }
  show(description.name, read);
}

function show(title: string, read: readonly PartData[]): void {
  forget();
  parts = read;
  post({ type: 'parts', title, parts: read });
}

function forget(): void {
  running?.search.dispose();
  running = null;
  chosen?.body.dispose();
  chosen?.others.dispose();
  chosen = null;
}

const meshOf = ({ vertices, triangles }: PartData): TriangleMesh => ({ vertices, triangles });
const placed = (part: PartData): TriangleMesh => placeMesh(meshOf(part), Float64Array.from(part.pose));

function choose(part: number): void {
  forget();
  const others = parts.filter((_, i) => i !== part);
  const meshes = others.map(placed);
  chosen = {
    part,
    body: buildMeshBvh(meshOf(parts[part])),
    others: buildMeshBvh(joinMeshes(meshes)),
    meshes,
    names: others.map(({ name }) => name),
  };
  answerContact(parts[part].pose);
}

function ownerOf({ meshes, names }: Chosen, triangle: number): string {
  let first = 0;
  for (let i = 0; i < meshes.length; i++) {
    first += meshes[i].triangles.length / 3;
    if (triangle < first) return names[i];
  }
  return '';
}

const X = createTransform();
const nearest = createMeshDistance();
const contact = createMeshCollision();

function answerContact(pose: readonly number[]): void {
  if (!chosen) return;
  poseToTransform(X, pose);
  const { collides, triangleA } = collideMeshMesh(chosen.others, chosen.body, X, { out: contact });
  if (collides) {
    const corners = cornersOf(chosen.others.mesh, triangleA);
    const middle = [0, 1, 2].map((k) => (corners[k] + corners[3 + k] + corners[6 + k]) / 3);
    const other = ownerOf(chosen, triangleA);
    post({ type: 'contact', answer: { pose, touches: true, distance: 0, points: [...middle, ...middle], other } });
    return;
  }
  distanceMeshMesh(nearest, chosen.others, chosen.body, X, {});
  const { distance, pointA, pointB } = nearest;
  const other = ownerOf(chosen, nearest.triangleA);
  post({ type: 'contact', answer: { pose, touches: false, distance, points: [...pointA, ...pointB], other } });
}

function cornersOf({ vertices, triangles }: TriangleMesh, triangle: number): number[] {
  if (triangle < 0) return [];
  return [0, 1, 2].flatMap((corner) => {
    const v = 3 * triangles[3 * triangle + corner];
    return [vertices[v], vertices[v + 1], vertices[v + 2]];
  });
}

function startSearch(pose: readonly number[], seed: number): void {
  if (!chosen) throw new Error('Choose a part first');
  running?.search.dispose();
  const { goal } = parts[chosen.part];
  const search = createTakeOutSearch({
    part: meshOf(parts[chosen.part]),
    obstacles: joinMeshes(chosen.meshes),
    start: Float64Array.from(pose),
    ...(goal ? { goal: Float64Array.from(goal) } : {}),
    seed,
  });
  const now = performance.now();
  running = { search, begin: now, drawn: [1, 1], pictured: now };
  setTimeout(() => work(running), 0);
}

function work(current: Running | null): void {
  // Another search, or none, has taken its place.
  if (current === null || current !== running) return;
  const { search } = current;
  try {
    const until = performance.now() + SLICE_MS;
    while (!search.step(QUERIES) && performance.now() < until);
    if (search.done) {
      finish(search.result());
      return;
    }
  } catch (error) {
    running = null;
    search.dispose();
    post({ type: 'failed', message: (error as Error).message });
    return;
  }
  if (performance.now() - current.pictured > PICTURE_MS) picture(current);
  setTimeout(() => work(current), 0);
}

function picture(current: Running): void {
  const { search, drawn } = current;
  const { queries, startPoses, goalPoses } = search.progress;
  const list = search.edges(drawn);
  const edges = new Float32Array(6 * list.length);
  const sides = new Uint8Array(list.length);
  list.forEach(({ a, b, side }, i) => {
    for (let k = 0; k < 3; k++) {
      edges[6 * i + k] = a[k];
      edges[6 * i + 3 + k] = b[k];
    }
    sides[i] = side;
  });
  current.drawn = [Math.max(1, startPoses), Math.max(1, goalPoses)];
  current.pictured = performance.now();
  post({ type: 'progress', queries, poses: [startPoses, goalPoses], edges, sides }, [edges.buffer, sides.buffer]);
}

function finish(plan: RigidPlan): void {
  const current = running as Running;
  picture(current);
  const center = [...current.search.center];
  const milliseconds = performance.now() - current.begin;
  current.search.dispose();
  running = null;
  const { status, reason, method, path, proof, queries } = plan;
  const balls = (proof?.certificate?.motions ?? []).flatMap((motion, i) =>
    Array.from({ length: motion.balls.length / 2 }, (_, k) => [i, motion.balls[2 * k], motion.balls[2 * k + 1]]),
  );
  post({
    type: 'way',
    answer: {
      ...{ status, reason, method, queries, milliseconds, center },
      path: path.map((pose) => [...pose]),
      clearance: proof?.clearance ?? 0,
      tight: tightPlace(plan),
      balls: Float64Array.from(balls.flat()),
    },
  });
}

function tightPlace({ proof }: RigidPlan): TightPlace | null {
  const narrow = proof?.narrowest;
  if (!chosen || !narrow || narrow.triangleObstacle < 0) return null;
  const { motion, t, distance } = narrow;
  return {
    ...{ motion, t, distance },
    other: ownerOf(chosen, narrow.triangleObstacle),
    obstacleCorners: cornersOf(joinMeshes(chosen.meshes), narrow.triangleObstacle),
    partCorners: cornersOf(meshOf(parts[chosen.part]), narrow.triangleBody),
  };
}

/** In one go: the page ends the worker where it is to stop. */
function sequence(): void {
  const begin = performance.now();
  const number = new Map(parts.map(({ name }, i) => [name, i]));
  const { status, reason, precedence } = planSequence(
    parts.map((part) => ({ name: part.name, mesh: meshOf(part), pose: Float64Array.from(part.pose) })),
    {
      onStep: ({ parts: names, displacements, method, clearance }) =>
        post({
          type: 'step',
          step: {
            parts: names.map((name) => number.get(name) as number),
            displacements: displacements.map((pose) => [...pose]),
            ...{ method, clearance },
          },
        }),
    },
  );
  post({ type: 'sequence', answer: { status, reason, precedence, milliseconds: performance.now() - begin } });
}
