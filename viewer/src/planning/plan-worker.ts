/** The worker's side of planning: one session, quick answers at once, everything slower in slices once no more is asked. */
import { listPlanners } from 'clearance/planning';
import { disposeScene } from 'clearance/scene';
import { planRobots } from 'clearance/tasks';
import { type BuiltScene, buildScene } from '../load/build-scene.js';
import type { FromPlanning, PlanAnswer, TogetherAnswer, ToPlanning } from './plan-answer.js';
import { type PlanProgress, PlanSession } from './plan-session.js';

/** Quiet time after a quick answer: while something is dragged the next question comes sooner. */
const QUIET = 40;
const SLICE = 8;

let built: BuiltScene | null = null;
let session: PlanSession | null = null;
let request = 0;
let timer = 0;

const clock = (): number => performance.now();
const post = (message: FromPlanning): void => self.postMessage(message);

export function hearPlanning(message: ToPlanning): void {
  clearTimeout(timer);
  try {
    if (message.type === 'plan-open') {
      if (built) disposeScene(built.scene);
      session = null;
      // Trees stay where they were made: they cannot be sent.
      built = buildScene({ ...message.content, prepared: new Map() });
      session = new PlanSession(built, message.robot, clock);
      session.edit(message.edits);
      post({ type: 'plan-ready', planners: listPlanners().map(({ name, about }) => ({ name, about })) });
    } else if (message.type === 'plan-warm' && session) {
      session.ask(message.ends, { group: message.group });
      session.warm();
    } else if (message.type === 'plan' && session) {
      request = message.request;
      session.edit(message.edits);
      session.ask(message.ends, { ...message.settings, group: message.group, anew: message.anew });
      post({ type: 'plan-answer', request, answer: session.answer() });
      settleLater(session.settle(), QUIET);
    } else if (message.type === 'plan-together' && session && built) {
      request = message.request;
      session.edit(message.edits);
      post({
        type: 'plan-together-answer',
        request,
        answer: planAll(built, message.starts, message.goals, message.seed),
      });
      post({ type: 'plan-settled', request });
    } else if (message.type === 'plan-check' && session) {
      request = message.request;
      session.edit(message.edits);
      settleLater(session.check(message.path), 0);
    }
  } catch (error) {
    fail(error);
  }
}

/** What is said between slices is heard before the next one. */
function settleLater(steps: Generator<PlanAnswer | PlanProgress | null>, delay: number): void {
  timer = self.setTimeout(() => {
    try {
      const end = clock() + SLICE;
      let step = steps.next();
      let progress: PlanProgress | null = null;
      for (; !step.done; step = steps.next()) {
        const { value } = step;
        if (value && 'status' in value) {
          post({ type: 'plan-answer', request, answer: value });
          // What was before it is of no interest any more.
          progress = null;
        } else if (value) progress = value;
        if (clock() > end) break;
      }
      if (progress) post({ type: 'plan-progress', request, iterations: progress.iterations });
      if (!step.done) settleLater(steps, 0);
      else post({ type: 'plan-settled', request });
    } catch (error) {
      fail(error);
    }
  }, delay);
}

function planAll(
  { scene, robots }: BuiltScene,
  starts: readonly Float64Array[],
  goals: readonly Float64Array[],
  seed: number,
): TogetherAnswer {
  const begin = clock();
  const asked = robots.map(({ scene: robot }, i) => ({ robot, start: starts[i], goal: goals[i] }));
  const { status, reason, motions, complete } = planRobots(scene, asked, { method: 'together', seed });
  return {
    ...{ solved: status === 'solved', reason, complete, milliseconds: clock() - begin },
    ...{ paths: motions.map(({ path }) => path), times: motions[0]?.times ?? [] },
  };
}

function fail(error: unknown): void {
  post({ type: 'plan-failed', request, message: (error as Error).message });
}
