/** Runs a fleet, or reads a recording, beside the page: steps at the wished pace, frames as the page takes them, what was. */
import { isFloorFile, parseFleetFile, parseFloorFile, readFleetRecording } from 'clearance/io';
import { createCellsLive } from './cells-live.js';
import { createFloorLive } from './floor-live.js';
import { createFloor } from './floor-map.js';
import type { Live } from './live.js';
import { FRAME_STRIDE, type FromFleet, type ToFleet, WAITS } from './messages.js';

const STEP = 0.1;
/** Milliseconds of stepping before messages are looked at. */
const SLICE_MS = 40;
/** Bytes of frames that are kept. */
const HISTORY_BYTES = 96e6;

interface Kept {
  readonly time: number;
  readonly data: Float32Array;
  readonly places: Float32Array | null;
  readonly words: string;
}

let run: Live | null = null;
let frames: Kept[] = [];
/** Seconds between kept frames: doubled, and every other one dropped, when they become too many. */
let spacing = 0.5;
let shown = -1;
let isRunning = true;
let factor = 4;
let isPageReady = true;
let isHeatOn = false;
let heat = new Float32Array(0);
let heatWidth = 1;
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
      const rows = (description.fleet.map as readonly string[]).join('\n');
      start(createCellsLive(`Warehouse, ${message.robots} robots`, description, rows));
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
  const text = textOf(world);
  if (isFloorFile(text)) {
    const { value: floor, issues: found } = parseFloorFile(text, { file: world.name });
    if (floor === null) throw new Error(found.map(({ message }) => message).join('; '));
    const given = files.filter((file) => file !== world).map(({ name, bytes }) => [name, new Blob([bytes])] as const);
    start(await createFloorLive(world.name, floor, given));
    return;
  }
  const { value, issues } = parseFleetFile(text, { file: world.name });
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
  start(createCellsLive(world.name, value, rows.join('\n')));
}

function start(live: Live): void {
  run = live;
  begin(live.floor.width, live.floor.height);
  post({ type: 'floor', floor: live.floor });
  keepFrame();
  postFrame();
}

async function replay(title: string, bytes: Uint8Array): Promise<void> {
  const { value, issues } = await readFleetRecording(bytes);
  if (value === null) throw new Error(issues.map(({ message }) => message).join('; '));
  run = null;
  let [left, up, right, down, fastest] = [0, 0, 1, 1, 0];
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
      left = Math.min(left, x);
      up = Math.min(up, y);
      right = Math.max(right, x);
      down = Math.max(down, y);
      fastest = Math.max(fastest, speed);
    }
    return { time: times[k], data, places: null, words: `${robots} robots` };
  });
  const [width, height] = [Math.ceil(right - left) + 1, Math.ceil(down - up) + 1];
  begin(width, height);
  frames = list;
  played = times[0];
  post({
    type: 'floor',
    floor: {
      title,
      width,
      height,
      origin: [left, up],
      free: new Uint8Array(width * height).fill(1),
      cellSize: 1,
      radius: 0.35,
      robots,
      maxSpeed: fastest || 1,
      isReplay: true,
      solids: null,
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
  heatWidth = width;
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
      run.addHeat(heat, STEP);
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

function keepFrame(): void {
  const current = run!;
  frames.push(lookAt(current));
  const bytes = frames[0].data.byteLength + (frames[0].places?.byteLength ?? 0);
  if (frames.length * bytes < HISTORY_BYTES && frames.length < 1200) return;
  frames = frames.filter((_, k) => k % 2 === 0);
  spacing *= 2;
}

function lookAt(live: Live): Kept {
  return { time: live.time, data: live.readFrame(), places: live.readPlaces(), words: live.describe() };
}

function postFrame(): void {
  const isPast = shown >= 0 && shown < frames.length;
  if (!isPast && run === null) return;
  const kept = isPast ? frames[shown] : lookAt(run!);
  const data = isPast ? kept.data.slice() : kept.data;
  const { time, words, places } = kept;
  isPageReady = false;
  const pixels = isHeatOn ? drawHeat() : null;
  post(
    {
      type: 'frame',
      frame: isPast ? shown : frames.length,
      frames: frames.length,
      time,
      data,
      places,
      words,
      heat: pixels,
    },
    pixels === null ? [data.buffer] : [data.buffer, pixels.buffer],
  );
}

/** Texture rows go up, map rows down. A root, for a few cells collect most. */
function drawHeat(): Uint8Array<ArrayBuffer> {
  const height = heat.length / heatWidth;
  const pixels = new Uint8Array(4 * heat.length);
  let most = 1;
  for (const seconds of heat) most = Math.max(most, seconds);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < heatWidth; x++) {
      const share = Math.sqrt(Math.sqrt(heat[y * heatWidth + x] / most));
      const o = 4 * ((height - 1 - y) * heatWidth + x);
      pixels[o] = 230;
      pixels[o + 1] = Math.round(170 * (1 - share));
      pixels[o + 2] = 30;
      pixels[o + 3] = Math.round(230 * share);
    }
  return pixels;
}

function tellRobot(robot: number): void {
  if (run === null) {
    const past = frames
      .slice(Math.max(0, shown))
      .map(({ data }) => [data[FRAME_STRIDE * robot], data[FRAME_STRIDE * robot + 1]]);
    const path = Float32Array.from(past.slice(0, 2000).flat());
    post({ type: 'robot', answer: { robot, name: `robot ${robot + 1}`, doing: ['its way in the recording'], path } });
    return;
  }
  const answer = run.tell(robot);
  post({ type: 'robot', answer }, [answer.path.buffer as ArrayBuffer]);
}

function addObstacle(x: number, y: number): void {
  const state = run?.addObstacle(x, y) ?? 'refused';
  if (state === 'closing') closing.push({ x, y });
  post({ type: 'obstacle', x, y, state });
}
