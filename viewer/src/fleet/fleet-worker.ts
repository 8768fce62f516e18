/** Runs a fleet, or reads a recording, beside the page: steps at the wished pace, frames as the page takes them, what was. */
import {
  createFleetRun,
  createFleetSetup,
  createFleetWorld,
  type FleetDescription,
  type FleetRun,
  type FleetSetup,
  type FleetWorld,
} from 'clearance/fleet';
import { parseFleetFile, parseGridMap, readFleetRecording } from 'clearance/io';
import { createFloor } from './floor-map.js';
import { CARRIES, FRAME_STRIDE, type FromFleet, STOPPED, TOUCHES, type ToFleet, WAITS } from './messages.js';

const STEP = 0.1;
/** Milliseconds of stepping before messages are looked at. */
const SLICE_MS = 40;
/** Bytes of frames that are kept. */
const HISTORY_BYTES = 96e6;

interface Kept {
  readonly time: number;
  readonly data: Float32Array;
  readonly words: string;
}

let run: FleetRun | null = null;
let setup: FleetSetup | null = null;
let contacts: FleetWorld | null = null;
let frames: Kept[] = [];
/** Seconds between kept frames: doubled, and every other one dropped, when they become too many. */
let spacing = 0.5;
let shown = -1;
let isRunning = true;
let factor = 4;
let isPageReady = true;
let isHeatOn = false;
let heat = new Float32Array(0);
let closing: { x: number; y: number }[] = [];
let wall = 0;
let due = 0;
/** Where a replay stands, seconds. */
let played = 0;
let timer = 0;

const post = (message: FromFleet, transfer: Transferable[] = []): void => self.postMessage(message, { transfer });

self.onmessage = async ({ data }: MessageEvent<ToFleet>) => {
  try {
    await take(data);
  } catch (error) {
    post({ type: 'failed', message: (error as Error).message });
  }
};

async function take(message: ToFleet): Promise<void> {
  switch (message.type) {
    case 'floor': {
      const description = createFloor(message.robots);
      start(
        `Warehouse, ${message.robots} robots`,
        description,
        (description.fleet.map as readonly string[]).join('\n'),
      );
      return;
    }
    case 'files':
      await open(message.files);
      return;
    case 'run':
      isRunning = message.isRunning;
      restartClock();
      return;
    case 'pace':
      factor = message.factor;
      restartClock();
      return;
    case 'seek':
      shown = message.frame;
      if (run === null && frames.length > 0 && shown >= 0) played = frames[shown].time;
      restartClock();
      postFrame();
      return;
    case 'robot':
      tellRobot(message.robot);
      return;
    case 'obstacle':
      addObstacle(message.x, message.y);
      return;
    case 'heat':
      isHeatOn = message.isOn;
      postFrame();
      return;
    case 'ready':
      isPageReady = true;
  }
}

async function open(files: readonly { readonly name: string; readonly bytes: ArrayBuffer }[]): Promise<void> {
  const textOf = ({ bytes }: { readonly bytes: ArrayBuffer }): string => new TextDecoder().decode(bytes);
  const recording = files.find(({ name }) => /\.mcap$/i.test(name));
  if (recording !== undefined) return replay(recording.name, new Uint8Array(recording.bytes));
  const world = files.find(({ name }) => /\.json$/i.test(name));
  if (world === undefined) throw new Error('Neither a world (.json) nor a recording (.mcap)');
  const { value, issues } = parseFleetFile(textOf(world), { file: world.name });
  if (value === null) throw new Error(issues.map(({ message }) => message).join('; '));
  let rows = value.fleet.map;
  if (typeof rows === 'string') {
    const file = files.find(({ name }) => name.endsWith(String(rows).replace(/^.*\//, '')));
    if (file === undefined) throw new Error(`Give the map "${rows}" together with its world`);
    rows = textOf(file)
      .replace(/^[\s\S]*?\nmap\r?\n/, '')
      .trimEnd()
      .split(/\r?\n/);
  }
  start(world.name, value, rows.join('\n'));
}

function start(title: string, description: FleetDescription, rows: string): void {
  const lines = rows.split('\n');
  const text = ['type octile', `height ${lines.length}`, `width ${lines[0].length}`, 'map', ...lines].join('\n');
  const map = parseGridMap(text).value;
  if (map === null) throw new Error('The map has rows that cannot be read');
  setup = createFleetSetup(description, map);
  const made = createFleetRun(setup, { timeoutMs: 10_000, clock: () => performance.now() });
  if (made.run === null) throw new Error(`No plan: ${made.plan!.reason}`);
  run = made.run;
  const { x, y } = run.execution;
  contacts = createFleetWorld();
  for (let i = 0; i < x.length; i++)
    contacts.addBody({ name: `${i}`, shape: { type: 'disc', radius: setup.radius }, pose: [x[i], y[i], 0, 0] });
  const free = new Uint8Array(map.width * map.height);
  for (const cell of setup.graph.cellOfVertex!) free[cell] = 1;
  begin(map.width, map.height);
  post({
    type: 'floor',
    floor: {
      title,
      width: map.width,
      height: map.height,
      free,
      cellSize: setup.cellSize,
      radius: setup.radius,
      robots: x.length,
      maxSpeed: run.execution.maxSpeed,
      isReplay: false,
    },
  });
  keepFrame();
  postFrame();
}

async function replay(title: string, bytes: Uint8Array): Promise<void> {
  const { value, issues } = await readFleetRecording(bytes);
  if (value === null) throw new Error(issues.map(({ message }) => message).join('; '));
  run = null;
  setup = null;
  let [right, down, fastest] = [1, 1, 0];
  const { robots, times, poses } = value;
  const list = poses.map((pose, k): Kept => {
    const data = new Float32Array(FRAME_STRIDE * robots);
    const before = poses[Math.max(0, k - 1)];
    const dt = k > 0 ? times[k] - times[k - 1] : 1;
    for (let i = 0; i < robots; i++) {
      const [x, y] = [pose[3 * i], pose[3 * i + 1]];
      const [dx, dy] = [x - before[3 * i], y - before[3 * i + 1]];
      const speed = Math.sqrt(dx * dx + dy * dy) / dt;
      data.set([x, y, speed, speed === 0 ? WAITS : 0], FRAME_STRIDE * i);
      right = Math.max(right, x);
      down = Math.max(down, y);
      fastest = Math.max(fastest, speed);
    }
    return { time: times[k], data, words: `${robots} robots` };
  });
  const [width, height] = [Math.ceil(right) + 1, Math.ceil(down) + 1];
  begin(width, height);
  frames = list;
  played = times[0];
  post({
    type: 'floor',
    floor: {
      title,
      width,
      height,
      free: new Uint8Array(width * height).fill(1),
      cellSize: 1,
      radius: 0.35,
      robots,
      maxSpeed: fastest || 1,
      isReplay: true,
    },
  });
  shown = 0;
  postFrame();
}

function begin(width: number, height: number): void {
  frames = [];
  spacing = 0.5;
  shown = -1;
  closing = [];
  heat = new Float32Array(width * height);
  isPageReady = true;
  restartClock();
  clearTimeout(timer);
  timer = self.setTimeout(tick, 0);
}

function restartClock(): void {
  wall = performance.now();
  due = 0;
}

/** Steps as far as the pace asks and the slice allows; then a frame, if the page takes one. */
function tick(): void {
  const now = performance.now();
  due += ((now - wall) / 1000) * (factor || 1);
  wall = now;
  let didStep = false;
  if (isRunning && run === null && frames.length > 0) didStep = playOn();
  else if (isRunning && shown < 0 && run !== null && !run.isDone) {
    while ((factor === 0 || due >= STEP) && performance.now() - now < SLICE_MS && !run.isDone) {
      run.step(STEP);
      due -= STEP;
      addHeat(run);
      didStep = true;
      if (run.time >= frames[frames.length - 1].time + spacing - 1e-9) keepFrame();
    }
    // What cannot be kept up with is not made up for.
    due = Math.min(due, 1);
    for (const { x, y } of closing.splice(0)) addObstacle(x, y);
  }
  if (didStep && isPageReady) postFrame();
  timer = self.setTimeout(tick, didStep ? 0 : 15);
}

/** The frame of a recording that its time has come to. */
function playOn(): boolean {
  played += due;
  due = 0;
  let k = Math.max(0, shown);
  while (k + 1 < frames.length && frames[k + 1].time <= played) k++;
  if (k === shown) return false;
  shown = k;
  return true;
}

function readFrame(current: FleetRun): Float32Array {
  const { x, y, speed, robots } = current.execution;
  const data = new Float32Array(FRAME_STRIDE * robots);
  for (let i = 0; i < robots; i++) contacts!.movePlane(i, x[i], y[i]);
  contacts!.step(STEP);
  for (let i = 0; i < robots; i++) {
    const isStopped = current.execution.isStopped(i);
    const waits = speed[i] === 0 && !isStopped && current.execution.pending(i) > 0;
    const o = FRAME_STRIDE * i;
    data[o] = x[i];
    data[o + 1] = y[i];
    data[o + 2] = speed[i];
    data[o + 3] = (current.isCarrying(i) ? CARRIES : 0) | (waits ? WAITS : 0) | (isStopped ? STOPPED : 0);
  }
  contacts!.forEachContact((a, b) => {
    for (const i of [a, b]) data[FRAME_STRIDE * i + 3] |= TOUCHES;
  });
  return data;
}

function describe(current: FleetRun): string {
  const { moving, waiting, stopped, delivered, arrived, collisions } = current.metrics();
  const done = current.plan === null ? `${delivered} delivered` : `${arrived} at their goals`;
  return `${moving} drive, ${waiting} wait, ${stopped} stopped, ${done}, ${collisions} not proven apart`;
}

function keepFrame(): void {
  const current = run!;
  frames.push({ time: current.time, data: readFrame(current), words: describe(current) });
  if (frames.length * frames[0].data.byteLength < HISTORY_BYTES && frames.length < 1200) return;
  frames = frames.filter((_, k) => k % 2 === 0);
  spacing *= 2;
}

function addHeat(current: FleetRun): void {
  const { x, y, speed, robots } = current.execution;
  const { cellSize, width } = setup!;
  for (let i = 0; i < robots; i++)
    if (speed[i] === 0 && current.execution.pending(i) > 0)
      heat[Math.round(y[i] / cellSize) * width + Math.round(x[i] / cellSize)] += STEP;
}

function postFrame(): void {
  const isPast = shown >= 0 && shown < frames.length;
  if (!isPast && run === null) return;
  const kept = isPast ? frames[shown] : { time: run!.time, data: readFrame(run!), words: describe(run!) };
  const data = isPast ? kept.data.slice() : kept.data;
  const { time, words } = kept;
  isPageReady = false;
  post(
    {
      type: 'frame',
      frame: isPast ? shown : frames.length,
      frames: frames.length,
      time,
      data,
      words,
      heat: isHeatOn ? heat.slice() : null,
    },
    [data.buffer],
  );
}

function tellRobot(robot: number): void {
  if (run === null || setup === null) {
    const past = frames
      .slice(Math.max(0, shown))
      .map(({ data }) => [data[FRAME_STRIDE * robot], data[FRAME_STRIDE * robot + 1]]);
    const path = Float32Array.from(past.slice(0, 2000).flat());
    post({ type: 'robot', answer: { robot, name: `robot ${robot + 1}`, doing: ['its way in the recording'], path } });
    return;
  }
  const { graph } = setup;
  const { execution } = run;
  const nameOf = (v: number): string => {
    const cell = graph.cellOfVertex![v];
    return `cell ${cell % setup!.width}, ${Math.floor(cell / setup!.width)}`;
  };
  const way = execution.wayOf(robot);
  const rest = way.slice(execution.reached[robot]);
  const path = Float32Array.from([
    execution.x[robot],
    execution.y[robot],
    ...rest.slice(1).flatMap((v) => [graph.x[v], graph.y[v]]),
  ]);
  const task = run.taskOf(robot);
  const doing: string[] = [];
  if (execution.isStopped(robot)) doing.push('stopped');
  if (rest.length > 1) doing.push(`${rest.length - 1} places ahead, up to ${nameOf(rest[rest.length - 1])}`);
  if (task !== null && !task.isCarrying) doing.push(`pick up at ${nameOf(task.pickup)}`);
  if (task !== null) doing.push(`deliver at ${nameOf(task.delivery)}`);
  post({ type: 'robot', answer: { robot, name: run.names[robot], doing, path } }, [path.buffer]);
}

function addObstacle(x: number, y: number): void {
  let state: 'closed' | 'closing' | 'refused' = 'refused';
  try {
    state = run?.closeCell(x, y) ?? 'refused';
  } catch {
    // Somebody's goal.
  }
  if (state === 'closing') closing.push({ x, y });
  post({ type: 'obstacle', x, y, state });
}
