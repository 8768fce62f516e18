/** Taking the chosen part out: the search, what it found, and the way played with the balls that prove it. */
import { element, field } from '../dom.js';
import { countOf, formatMilliseconds } from '../format.js';
import type { WayAnswer } from './messages.js';
import { poseAt } from './parts-view.js';

export interface WayPlace {
  readonly pose: Float64Array;
  readonly motion: number;
  readonly t: number;
  readonly balls: boolean;
  readonly tight: boolean;
}

export interface WayPanel {
  readonly elements: readonly HTMLElement[];
  readonly isSearching: boolean;
  setProgress(queries: number, poses: readonly [number, number], edges: number): void;
  show(answer: WayAnswer, name: string): void;
  /** The search ended without an answer. */
  stop(): void;
  clear(): void;
}

export interface WayActions {
  takeOut(seed: number): void;
  cancel(): void;
  /** Where on the way the part is to be drawn. */
  show(at: WayPlace | null): void;
}

/** Seconds in which all of a way is played. */
const SECONDS = 8;

export function createWayPanel(actions: WayActions): WayPanel {
  let answer: WayAnswer | null = null;
  let isSearching = false;
  let isPlaying = false;
  let now = 0;
  let last = 0;
  /** Share of the playing time at which each pose is reached. */
  let shares: number[] = [0];

  const button = (id: string, text: string, onclick: () => void): HTMLButtonElement =>
    element('button', { type: 'button', id, onclick }, text);
  const seed = element('input', { id: 'rigid-seed', type: 'number', min: '0', step: '1', value: '0' });
  const take = button('rigid-take-out', 'Take out', () => {
    panel.clear();
    isSearching = true;
    words.textContent = 'Searching';
    update();
    actions.takeOut(Math.max(0, Math.floor(Number(seed.value)) || 0));
  });
  const cancel = button('rigid-cancel', 'Cancel', () => actions.cancel());
  const words = element('p', { id: 'rigid-way', className: 'note', role: 'status' });
  const play = button('rigid-play', 'Play', () => {
    isPlaying = !isPlaying;
    if (isPlaying && now >= 1) now = 0;
    update();
    if (isPlaying)
      requestAnimationFrame((stamp) => {
        last = stamp;
        step(stamp);
      });
  });
  const slider = element('input', { id: 'rigid-time', type: 'range', min: '0', max: '1', step: '0.001', value: '0' });
  slider.addEventListener('input', () => {
    isPlaying = false;
    now = Number(slider.value);
    update();
    draw();
  });
  const balls = element('input', { id: 'rigid-balls', type: 'checkbox', checked: true });
  balls.addEventListener('change', () => draw());
  const tight = button('rigid-tight', 'Tightest place', () => {
    if (!answer?.tight) return;
    const { motion, t } = answer.tight;
    isPlaying = false;
    now = shares[motion] + t * (shares[motion + 1] - shares[motion]);
    update();
    draw();
  });
  const played = element(
    'div',
    { id: 'rigid-played' },
    element('div', { className: 'toolbar' }, play, tight),
    field('Time', slider),
    field('Balls that prove it', balls, 'field-inline'),
  );

  function update(): void {
    take.disabled = isSearching;
    cancel.disabled = !isSearching;
    played.hidden = answer === null || answer.path.length < 2;
    play.textContent = isPlaying ? 'Pause' : 'Play';
    tight.disabled = !answer?.tight;
    slider.value = String(now);
  }

  function step(stamp: number): void {
    if (!isPlaying) return;
    now = Math.min(1, now + Math.min(0.1, (stamp - last) / 1000) / SECONDS);
    last = stamp;
    if (now >= 1) isPlaying = false;
    update();
    draw();
    if (isPlaying) requestAnimationFrame(step);
  }

  function draw(): void {
    if (!answer || answer.path.length < 2) return;
    let motion = 0;
    while (motion + 2 < shares.length && shares[motion + 1] <= now) motion++;
    const length = shares[motion + 1] - shares[motion];
    const t = length > 0 ? Math.min(1, Math.max(0, (now - shares[motion]) / length)) : 0;
    words.dataset.pose = [...poseAt(answer.path, motion, t)].join();
    actions.show({
      pose: poseAt(answer.path, motion, t),
      ...{ motion, t, balls: balls.checked, tight: true },
    });
  }

  const panel: WayPanel = {
    elements: [element('div', { className: 'toolbar' }, take, cancel), field('Seed', seed), words, played],
    get isSearching() {
      return isSearching;
    },
    setProgress(queries, [a, b], edges) {
      if (!isSearching) return;
      words.textContent = `${queries} queries, trees of ${a} and ${b} poses`;
      words.dataset.edges = String(edges);
    },
    show(given, name) {
      isSearching = false;
      answer = given;
      now = 0;
      words.textContent = describe(given, name);
      Object.assign(words.dataset, { status: given.status, clearance: String(given.clearance) });
      if (given.tight) words.dataset.narrowest = String(given.tight.distance);
      shares = listShares(given.path);
      update();
      draw();
    },
    stop() {
      isSearching = false;
      update();
    },
    clear() {
      isSearching = false;
      isPlaying = false;
      answer = null;
      now = 0;
      words.textContent = '';
      for (const key of Object.keys(words.dataset)) delete words.dataset[key];
      update();
    },
  };
  update();
  return panel;
}

/** Share of the playing time at which each pose is reached: a radian takes about as long as a fifth of the way of the origin. */
function listShares(path: readonly (readonly number[])[]): number[] {
  const ways = path.slice(1).map((b, i) => Math.sqrt([0, 1, 2].reduce((sum, k) => sum + (b[k] - path[i][k]) ** 2, 0)));
  const whole = ways.reduce((sum, way) => sum + way, 0) || 1;
  const shares = [0];
  ways.forEach((way, i) => {
    let dot = 0;
    for (let k = 3; k < 7; k++) dot += path[i][k] * path[i + 1][k];
    const turn = Math.sqrt(8 * Math.max(0, 1 - Math.abs(dot)));
    shares.push(shares[i] + way / whole + 0.2 * turn + 1e-6);
  });
  const last = shares[shares.length - 1] || 1;
  return shares.map((x) => x / last);
}

function describe(
  { status, reason, path, clearance, tight, method, queries, milliseconds }: WayAnswer,
  name: string,
): string {
  if (status !== 'solved') return `${status}: ${reason}`;
  const way = method === 'straight' ? 'straight' : `in ${countOf(path.length - 1, 'motion')}`;
  const near = tight ? `; tightest: ${tight.distance.toPrecision(4)} to ${tight.other}` : '';
  return `${name} comes out ${way}, found in ${formatMilliseconds(milliseconds)} and ${queries} queries. Proven: nothing comes nearer than ${clearance.toPrecision(4)}${near}`;
}
