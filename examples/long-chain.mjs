/** A chain of two thousand links: one torsion at a time, taken back on contact; close pairs, obstacles, moves tried first. */
import {
  chainRepresentations,
  createAutoChain,
  createChain,
  createChainObstacles,
  createChainTree,
  createPairTracker,
  raceChains,
} from 'clearance/chain';
import { createRandom, poseToTransform } from 'clearance/math';
import { createCollider } from 'clearance/narrowphase';

const count = 2000;
const chain = createChain({
  links: Array.from({ length: count }, () => ({ shape: { type: 'sphere', radius: 1 } })),
  // A loose helix: 20 links and a rise of 4 to a turn.
  joints: Array.from({ length: count - 1 }, () => ({
    type: 'revolute',
    origin: [4, 0, 0.2, 0, 0, Math.sin(Math.PI / 20), Math.cos(Math.PI / 20)],
    axis: [1, 0, 0],
  })),
});
const tree = createChainTree(chain);
const near = createPairTracker(tree, 3);
const wall = createCollider({ type: 'halfspace', normal: [0, 0, 1], offset: -200 });
const obstacles = createChainObstacles(tree, [
  { collider: wall, pose: poseToTransform(new Float64Array(12), [0, 0, 0, 0, 0, 0, 1]) },
]);

const random = createRandom(1);
let [taken, back] = [0, 0];
for (let step = 0; step < 500; step++) {
  tree.stageTurn(random.integer(count - 1), random.uniform(-0.5, 0.5));
  tree.apply();
  if (tree.hasContact() || obstacles.hasContact()) {
    tree.undo();
    back++;
  } else taken++;
}
near.compare();
console.log(`${taken} turns kept, ${back} taken back`);
console.log(`pairs under 3: ${near.appeared.count} new, ${near.vanished.count} gone`);
console.log(`nearest: ${tree.nearestDistance().toFixed(3)} between links ${tree.contactA} and ${tree.contactB}`);

const verdicts = new Uint8Array(2);
const free = tree.evaluateMoves(verdicts, Int32Array.of(0, 1, 2), Int32Array.of(999, 1000), Float64Array.of(3, 0.01));
console.log(`${free} of 2 moves tried are free`);

const { method, reason, state } = createAutoChain(chain);
console.log(`auto: ${method}, ${reason}`);
state.dispose();
const names = ['ChainTree', 'grid', 'K-OBBTree'];
const runners = names.map((name) => ({ name, create: chainRepresentations[name] }));
const race = raceChains(chain, { runners, steps: 100, seed: 1, reach: 0.5, now: () => performance.now() });
let result = race.next();
while (!result.done) result = race.next();
const [ours, ...others] = result.value.map(({ blocks }) => blocks.reduce((sum, { time }) => sum + time, 0));
console.log(`quickest of ${names.join(', ')}: ${others.every((time) => time > ours) ? names[0] : 'another'}`);
tree.dispose();
