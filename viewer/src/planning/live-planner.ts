/**
 * The page's side of planning in a worker: edits of the scene go along with the next question, and while one is being answered only the
 * newest of those that follow is kept. Nothing is computed here.
 */
import { startComputing } from '../computing.js';
import type { Content } from '../load/content.js';
import type {
  FromPlanning,
  PlanAnswer,
  PlanEnds,
  PlanSettings,
  SceneEdit,
  TogetherAnswer,
  ToPlanning,
} from './plan-answer.js';
import type { TogetherEnds } from './together.js';

export interface PlanHandlers {
  /** `roundTrip`: milliseconds from the question to its first answer; null for those that follow. */
  onAnswer(answer: PlanAnswer, roundTrip: number | null): void;
  onProgress(iterations: number): void;
  onTogether(answer: TogetherAnswer): void;
  /** Nothing more comes for the last question. */
  onSettled(): void;
  onFailed(message: string): void;
  /** Those that can be asked for by name. */
  onPlanners(planners: readonly { readonly name: string; readonly about: string }[]): void;
}

export interface PlanWish {
  readonly ends: PlanEnds;
  readonly group: string | null;
  /** The path of before does not count. */
  readonly anew?: boolean;
  readonly settings: PlanSettings;
}

export class LivePlanner {
  private worker: Worker | null = null;
  private edits: SceneEdit[] = [];
  private wish: PlanWish | null = null;
  private request = 0;
  /** Of the question that has no answer yet; 0 when there is none. */
  private asked = 0;
  /** All robots at once are being searched for, which hears nothing until it ends. */
  private isBusy = false;

  constructor(private readonly handlers: PlanHandlers) {}

  /** Whether a worker knows the scene. */
  get isOpen(): boolean {
    return this.worker !== null;
  }

  /** `edits`: what has been done to the content since it was loaded. */
  open(content: Content, robot: number, edits: readonly SceneEdit[]): void {
    this.close();
    const worker = startComputing();
    this.worker = worker;
    worker.onmessage = ({ data }: MessageEvent<FromPlanning>) => {
      if (this.worker === worker) this.hear(data);
    };
    worker.onerror = ({ message }) => {
      if (this.worker === worker) this.handlers.onFailed(message || 'the planning worker could not start');
    };
    // Trees and what only the page shows stay here.
    this.send({ type: 'plan-open', content: { ...content, prepared: new Map(), issues: [] }, robot, edits });
  }

  /** Makes ready what a question between such ends needs. */
  warm(ends: PlanEnds, group: string | null): void {
    this.send({ type: 'plan-warm', ends, group });
  }

  close(): void {
    this.worker?.terminate();
    this.worker = null;
    this.edits = [];
    this.wish = null;
    this.asked = 0;
    this.isBusy = false;
  }

  /** Goes along with the next question; of two moves of one object the later one counts. */
  edit(edit: SceneEdit): void {
    if (!this.worker) return;
    const last = this.edits.at(-1);
    if (edit.type === 'move' && last?.type === 'move' && last.object === edit.object) this.edits.pop();
    this.edits.push(edit);
  }

  ask(wish: PlanWish): void {
    if (!this.worker) return;
    this.wish = { ...wish, anew: wish.anew || this.wish?.anew };
    if (this.asked === 0) this.askNow();
  }

  /** What becomes of a path that comes from elsewhere is answered once. */
  check(path: readonly Float64Array[]): void {
    if (!this.worker) return;
    const { edits } = this;
    this.wish = null;
    this.edits = [];
    this.asked = 0;
    this.request++;
    this.send({ type: 'plan-check', request: this.request, edits, path });
  }

  /** All robots at once: answered once. */
  askTogether({ starts, goals }: TogetherEnds, seed: number): void {
    if (!this.worker) return;
    const { edits } = this;
    this.wish = null;
    this.edits = [];
    this.asked = 0;
    this.request++;
    this.isBusy = true;
    this.send({ type: 'plan-together', request: this.request, edits, starts, goals, seed });
  }

  /** A worker that does not hear is ended; the next question opens another. */
  cancel(): void {
    this.wish = null;
    // What is on its way is not heard any more.
    this.request++;
    this.asked = 0;
    if (this.isBusy) this.close();
    else this.send({ type: 'plan-cancel' });
    this.handlers.onSettled();
  }

  private askNow(): void {
    const { wish, edits } = this;
    if (!wish) return;
    this.wish = null;
    this.edits = [];
    this.request++;
    this.asked = performance.now();
    const { ends, group, anew = false, settings } = wish;
    this.send({ type: 'plan', request: this.request, edits, ends, group, anew, settings });
  }

  private hear(message: FromPlanning): void {
    if (message.type === 'plan-ready') {
      this.handlers.onPlanners(message.planners);
      return;
    }
    if (message.type !== 'plan-failed' && message.request !== this.request) return;
    if (message.type !== 'plan-progress') this.isBusy = false;
    if (message.type === 'plan-answer') {
      const roundTrip = this.asked === 0 ? null : performance.now() - this.asked;
      this.asked = 0;
      this.handlers.onAnswer(message.answer, roundTrip);
      if (roundTrip !== null) this.askNow();
    } else if (message.type === 'plan-together-answer') this.handlers.onTogether(message.answer);
    else if (message.type === 'plan-progress') this.handlers.onProgress(message.iterations);
    else if (message.type === 'plan-settled') this.handlers.onSettled();
    else {
      this.asked = 0;
      this.handlers.onFailed(message.message);
      this.askNow();
    }
  }

  private send(message: ToPlanning): void {
    this.worker?.postMessage(message);
  }
}
