// A cart is held at its place by a regulator that sees it through a noisy ruler only: Riccati equations and a Kalman filter.
import { createKalmanFilter, predictKalman, solveRiccati, solveSteadyKalman, updateKalman } from 'clearance/control';
import { createRandom } from 'clearance/math';

// Place and speed, a step of 20 ms, pushed with u; measured is the place alone.
const h = 0.02;
const A = [1, h, 0, 1];
const B = [(h * h) / 2, h];
const C = [1, 0];
const W = [1e-8, 0, 0, 1e-5];
const V = [1e-4];

const { status, K, backwardError } = solveRiccati({ A, B, Q: [1, 0, 0, 0.1], R: [0.01], time: 'discrete' });
const gains = Array.from(K, (x) => x.toFixed(3)).join(' ');
console.log(`regulator ${status}: gains ${gains}, backward error ${backwardError < 1e-14 ? 'below' : 'above'} 1e-14`);

const filter = createKalmanFilter({ A, B, C, W, V, P: [1, 0, 0, 1] });
const random = createRandom(1);
const noise = (variance) => Math.sqrt(3 * variance) * random.uniform(-1, 1);
let x = [1, 0];
let [missed, read] = [0, 0];
for (let k = 0; k < 500; k++) {
  const measured = x[0] + noise(V[0]);
  updateKalman(filter, [measured]);
  const u = -(K[0] * filter.x[0] + K[1] * filter.x[1]);
  if (k >= 200) {
    missed += (filter.x[0] - x[0]) ** 2 / 300;
    read += (measured - x[0]) ** 2 / 300;
  }
  x = [x[0] + h * x[1] + B[0] * u + noise(W[0]), x[1] + h * u + noise(W[3])];
  predictKalman(filter, [u]);
}
console.log(
  `after 10 s at ${(1000 * x[0]).toFixed(0)} mm; the ruler errs by ${(1000 * Math.sqrt(read)).toFixed(1)} mm`,
);
console.log(`the filter by ${(1000 * Math.sqrt(missed)).toFixed(1)} mm`);

// After long the filter's gain is that of a Riccati equation as well.
const steady = solveSteadyKalman({ A, C, W, V, time: 'discrete' });
const apart = Math.max(...steady.L.map((value, i) => Math.abs(value - filter.L[i])));
console.log(`its gain is ${apart < 1e-9 ? 'the steady one' : `${apart} from the steady one`}`);
