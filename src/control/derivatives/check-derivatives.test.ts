import { describe, expect, it } from 'vitest';
import { createRandomTree } from '../../model/random-tree.test-support.js';
import { createRobotSpace } from '../shooting/state-space.js';
import { checkDerivatives } from './check-derivatives.js';

describe('The checker of derivatives', () => {
  const evaluate = (y: Float64Array, x: Float64Array) => {
    y[0] = Math.sin(x[0]) * x[1];
    y[1] = Math.exp(x[1]);
  };
  const x = Float64Array.of(0.4, 1.2);
  const right = () => Float64Array.of(Math.cos(0.4) * 1.2, Math.sin(0.4), 0, Math.exp(1.2));

  it('takes what is right, to far below its tolerance, and names the worst entry of what is not', () => {
    const good = checkDerivatives({ evaluate, jacobian: right(), x, outputs: 2 });
    expect(good.status).toBe('ok');
    expect(good.error).toBeLessThan(1e-10);
    const jacobian = right();
    jacobian[2] = 1e-3;
    const bad = checkDerivatives({ evaluate, jacobian, x, outputs: 2 });
    expect(bad).toMatchObject({ status: 'wrong', row: 1, column: 0, stated: 1e-3 });
    expect(bad.measured).toBeCloseTo(0, 9);
  });

  it('steps in the space it is given: the identity of a robot with a floating base', () => {
    const space = createRobotSpace(createRandomTree(3, { joints: 3, base: 'floating' }));
    const identity = new Float64Array(space.ndx * space.ndx);
    for (let i = 0; i < space.ndx; i++) identity[i * (space.ndx + 1)] = 1;
    const report = checkDerivatives({
      evaluate: (y, at) => y.set(at),
      jacobian: identity,
      x: space.neutral,
      outputs: space.nx,
      inputSpace: space,
      outputSpace: space,
    });
    expect(report.status).toBe('ok');
    expect(report.error).toBeLessThan(1e-10);
  });

  it('says where there is no value, and refuses a Jacobian of another size', () => {
    const none = checkDerivatives({
      evaluate: (y) => {
        y[0] = Number.NaN;
      },
      jacobian: new Float64Array(2),
      x,
      outputs: 1,
    });
    expect(none.status).toBe('not finite');
    expect(() => checkDerivatives({ evaluate, jacobian: new Float64Array(3), x, outputs: 2 })).toThrow(/2 x 2/);
  });
});
