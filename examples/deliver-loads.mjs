// Twelve robots on one floor: a plan in which nobody collides, driven with sizes and accelerations while one robot stands still.
import {
  createGridGraph,
  createMotionProof,
  createPlanExecution,
  createRandomProblem,
  explainWaits,
  planPaths,
  verifyPaths,
} from 'clearance/fleet';

const rows = ['............', '.@@@@..@@@@.', '............', '.@@@@..@@@@.', '............'];
const map = { width: 12, height: 5, free: Uint8Array.from(rows.join(''), (c) => (c === '.' ? 1 : 0)) };
const graph = createGridGraph(map);

// Without rotations: robots that wait for the one before them cannot all move into each other's places at once.
const problem = { ...createRandomProblem(graph, 12, 3), rotations: false };
const plan = planPaths(problem, { seed: 3, rounds: 500 });
console.log(
  `${plan.status}: first plan ${plan.firstCost}, improved ${plan.sumOfCosts}, at least ${plan.lowerBound}; ${verifyPaths(problem, plan.paths).length} conflicts`,
);

const execution = createPlanExecution(graph, plan.paths, { speed: 1.5, acceleration: 1, turnRate: 2 });
const proof = createMotionProof(execution.x, execution.y, { radius: 0.45, acceleration: 1 });
const drive = (seconds) => {
  let unproven = 0;
  for (let k = 0; k < seconds * 10 && !execution.isDone; k++) {
    execution.step(0.1);
    unproven += proof.prove(0.1).unproven;
  }
  return unproven;
};
const first = plan.paths.findIndex((path) => path.length > 4);
drive(2);
execution.stop(first, 20);
const stopped = drive(12);
for (const { kind, robots, waiting } of explainWaits(execution.waits(), (i) => `robot ${i}`))
  console.log(`${kind}: ${robots.join(', ')}; ${waiting.length} behind`);
console.log(`${stopped} pairs not proven apart while it stood, ${drive(120)} after`);
console.log(execution.isDone ? 'all are there' : 'some are not there');
