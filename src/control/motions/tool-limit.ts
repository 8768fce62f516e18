/**
 * What a program bounds besides the robot's limits: the speed, turning and acceleration of its tool, and shares of the joints' limits.
 *
 * With V = J q' and A = J q'' + (dJ/ds) q' of the tool's origin along the path: |V| ds/dt <= speed, likewise turning. The
 * acceleration's square (|V| u + A_t x)^2 + (A_n x)^2 <= a^2, A_t along and A_n >= 0 across the path, is the half disc that SECTORS
 * chords replace, whose corners lie on it: along the path, across it and between, the whole of the acceleration can be used, elsewhere
 * 96.6 % at the least.
 * Source: Verscheure et al. 2009, "Time-optimal path tracking for robots: a convex optimization approach", section II,
 * doi:10.1109/TAC.2009.2028959 (limits that are convex in u and x). Cost: a forward kinematics with velocities and accelerations per
 * place. Tested by tool-limit.test.ts.
 */
import { cos, sin } from '../../math/scalar.js';
import { coordinateName, type MotionLimits } from '../../trajectory/limits.js';
import type { PathLimit, PathPlace, PathRows } from '../../trajectory/path-limit.js';
import type { ResolvedSettings } from './resolve-program.js';
import type { Tool } from './tool.js';

/** Chords per quarter of the disc. */
const SECTORS = 3;
/** Speeds below (metres, radians per unit of the path) are none. */
const STILL = 1e-12;

export class ToolLimit implements PathLimit {
  readonly rowNames: readonly string[];
  private readonly V = new Float64Array(6);
  private readonly A = new Float64Array(6);
  /** Of the chords: cosine and sine of the normal over the distance from the centre. */
  private readonly chords: readonly (readonly [number, number])[];
  private readonly shared: readonly number[];
  private readonly hasTool: boolean;

  /** `settings`: of each piece of the path. */
  constructor(
    private readonly tool: Tool,
    private readonly settings: readonly ResolvedSettings[],
    private readonly limits: MotionLimits,
  ) {
    const half = Math.PI / (4 * SECTORS);
    this.chords = settings.some(({ acceleration }) => acceleration < Infinity)
      ? Array.from({ length: 2 * SECTORS }, (_, k) => {
          const angle = (2 * k + 1) * half;
          return [cos(angle) / cos(half), sin(angle) / cos(half)] as const;
        })
      : [];
    this.shared = settings.some(({ jointAcceleration }) => jointAcceleration < 1)
      ? Array.from(limits.acceleration, (limit, k) => (limit < Infinity ? k : -1)).filter((k) => k >= 0)
      : [];
    this.hasTool =
      this.chords.length > 0 || settings.some(({ speed, turnSpeed }) => speed < Infinity || turnSpeed < Infinity);
    this.rowNames = [
      ...this.chords.map(() => 'the acceleration of the tool'),
      ...this.shared.map((k) => `the program's share of the acceleration of "${coordinateName(tool.model, k)}"`),
    ];
  }

  /** Whether anything is bounded. */
  get isNeeded(): boolean {
    return this.hasTool || this.shared.length > 0 || this.settings.some(({ jointSpeed }) => jointSpeed < 1);
  }

  write({ A: rowsA, B: rowsB, C: rowsC }: PathRows, at: number, { piece, point }: PathPlace): number {
    const { V, A, limits, chords, shared } = this;
    const { speed, turnSpeed, acceleration, jointSpeed, jointAcceleration } = this.settings[piece];
    let most = Infinity;
    if (jointSpeed < 1)
      for (let k = 0; k < point.v.length; k++)
        if (point.v[k] !== 0) most = Math.min(most, (jointSpeed * limits.velocity[k]) / Math.abs(point.v[k]));
    if (this.hasTool) {
      this.tool.rates(V, A, point);
      const way = norm(V, 0);
      const turn = norm(V, 3);
      if (way > STILL) most = Math.min(most, speed / way);
      if (turn > STILL) most = Math.min(most, turnSpeed / turn);
      const along = way > STILL ? (V[0] * A[0] + V[1] * A[1] + V[2] * A[2]) / way : 0;
      const across = Math.sqrt(Math.max(A[0] * A[0] + A[1] * A[1] + A[2] * A[2] - along * along, 0));
      for (let i = 0; i < chords.length; i++) {
        const [c, s] = chords[i];
        rowsA[at + i] = (c * way) / acceleration;
        rowsB[at + i] = (c * along + s * across) / acceleration;
        rowsC[at + i] = 0;
      }
    }
    for (let i = 0, row = at + chords.length; i < shared.length; i++, row++) {
      const limit = jointAcceleration * limits.acceleration[shared[i]];
      rowsA[row] = point.v[shared[i]] / limit;
      rowsB[row] = point.a[shared[i]] / limit;
      rowsC[row] = 0;
    }
    return most;
  }
}

const norm = (x: Float64Array, at: number): number => Math.sqrt(x[at] ** 2 + x[at + 1] ** 2 + x[at + 2] ** 2);
