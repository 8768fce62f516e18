/** A sequence: its steps as a list, its time as a slider, and the parts drawn apart. */
import { element, field } from '../dom.js';
import { countOf, formatMilliseconds } from '../format.js';
import type { PartData, SequenceAnswer, SequenceStepAnswer } from './messages.js';
import { explode, isOut, posesAt } from './sequence-times.js';

export interface SequencePanel {
  readonly elements: readonly HTMLElement[];
  readonly isPlanning: boolean;
  setParts(parts: readonly PartData[]): void;
  addStep(step: SequenceStepAnswer): void;
  end(answer: SequenceAnswer): void;
  /** It ended without an answer. */
  stop(): void;
}

export interface SequenceActions {
  plan(): void;
  cancel(): void;
  show(poses: readonly Float64Array[], hidden: readonly boolean[]): void;
  /** The parts take other room. */
  frame(): void;
}

const SECONDS_PER_STEP = 1.2;

export function createSequencePanel(actions: SequenceActions): SequencePanel {
  let parts: readonly PartData[] = [];
  let steps: SequenceStepAnswer[] = [];
  let isPlanning = false;
  let isPlaying = false;
  let time = 0;
  let last = 0;
  let size = 1;

  const button = (id: string, text: string, onclick: () => void): HTMLButtonElement =>
    element('button', { type: 'button', id, onclick }, text);
  const plan = button('rigid-sequence', 'Take all apart', () => {
    clear();
    isPlanning = true;
    words.textContent = 'Planning';
    update();
    actions.plan();
  });
  const cancel = button('rigid-sequence-cancel', 'Cancel', () => {
    isPlanning = false;
    words.textContent = `Cancelled after ${countOf(steps.length, 'step')}`;
    update();
    actions.cancel();
  });
  const words = element('p', { id: 'rigid-sequence-words', className: 'note', role: 'status' });
  const list = element('ol', { id: 'rigid-steps' });
  const play = button('rigid-sequence-play', 'Play', () => {
    isPlaying = !isPlaying;
    if (isPlaying && time >= steps.length) time = 0;
    update();
    if (isPlaying)
      requestAnimationFrame((stamp) => {
        last = stamp;
        step(stamp);
      });
  });
  const slider = element('input', {
    id: 'rigid-sequence-time',
    type: 'range',
    min: '0',
    max: '0',
    step: '0.01',
    value: '0',
  });
  slider.addEventListener('input', () => {
    isPlaying = false;
    goTo(Number(slider.value));
  });
  const apart = element('input', { id: 'rigid-explode', type: 'range', min: '0', max: '1', step: '0.01', value: '0' });
  apart.addEventListener('input', () => {
    isPlaying = false;
    time = 0;
    update();
    actions.show(
      explode(
        parts.map(({ pose }) => pose),
        steps,
        Number(apart.value),
        size,
      ),
      parts.map(() => false),
    );
    actions.frame();
  });
  const order = element('p', { id: 'rigid-precedence', className: 'note' });
  const played = element(
    'div',
    {},
    element('div', { className: 'toolbar' }, play),
    field('Time', slider),
    field('Apart', apart),
    list,
    order,
  );

  function clear(): void {
    steps = [];
    time = 0;
    isPlaying = false;
    isPlanning = false;
    words.textContent = '';
    order.textContent = '';
    list.replaceChildren();
    apart.value = '0';
    delete words.dataset.status;
    update();
  }

  function update(): void {
    plan.disabled = isPlanning || parts.length < 2;
    cancel.disabled = !isPlanning;
    played.hidden = steps.length === 0;
    play.textContent = isPlaying ? 'Pause' : 'Play';
    slider.max = String(steps.length);
    slider.value = String(time);
    [...list.children].forEach((row, k) => {
      if (Math.floor(time) === k && time > 0) row.setAttribute('aria-current', 'step');
      else row.removeAttribute('aria-current');
    });
  }

  function goTo(to: number): void {
    time = Math.min(steps.length, Math.max(0, to));
    apart.value = '0';
    update();
    const poses = posesAt(
      parts.map(({ pose }) => pose),
      steps,
      time,
    );
    const hidden = parts.map((_, i) => isOut(steps, i, time));
    words.dataset.shown = String(hidden.filter((isHidden) => !isHidden).length);
    actions.show(poses, hidden);
  }

  function step(stamp: number): void {
    if (!isPlaying) return;
    const next = Math.min(steps.length, time + Math.min(0.1, (stamp - last) / 1000) / SECONDS_PER_STEP);
    last = stamp;
    if (next >= steps.length) isPlaying = false;
    goTo(next);
    if (isPlaying) requestAnimationFrame(step);
  }

  update();
  return {
    elements: [element('div', { className: 'toolbar' }, plan, cancel), words, played],
    get isPlanning() {
      return isPlanning;
    },
    setParts(given) {
      parts = given;
      clear();
      const low = [Infinity, Infinity, Infinity];
      const high = [-Infinity, -Infinity, -Infinity];
      for (const { vertices } of parts)
        vertices.forEach((x, i) => {
          low[i % 3] = Math.min(low[i % 3], x);
          high[i % 3] = Math.max(high[i % 3], x);
        });
      size = Math.max(...high.map((x, k) => x - low[k]));
    },
    addStep(given) {
      if (!isPlanning) return;
      const number = steps.push(given) - 1;
      const names = given.parts.map((i) => parts[i].name).join(' + ');
      const row = button(`rigid-step-${number}`, names, () => {
        isPlaying = false;
        goTo(number + 0.5);
        actions.frame();
      });
      const how = `${given.method}, at least ${given.clearance.toPrecision(3)} clear`;
      list.append(element('li', {}, row, ` ${how}`));
      words.textContent = `Planning: ${countOf(steps.length, 'step')}`;
      update();
    },
    end({ status, reason, precedence, milliseconds }) {
      isPlanning = false;
      words.dataset.status = status;
      words.textContent =
        status === 'solved'
          ? `All apart in ${countOf(steps.length, 'step')}, every one proven free, found in ${formatMilliseconds(milliseconds)}`
          : `${status}: ${reason}`;
      order.textContent =
        precedence.length > 0 ? `First before second: ${precedence.map(([a, b]) => `${a} < ${b}`).join(', ')}` : '';
      update();
    },
    stop() {
      isPlanning = false;
      update();
    },
  };
}
