import { describe, expect, it } from 'vitest';
import { createSixJointArm, programOf } from './arms.test-support.js';
import type { MotionProgram, MoveDescription } from './program.js';
import { placeTarget, resolveProgram } from './resolve-program.js';

const arm = createSixJointArm();
const resolve = (moves: readonly unknown[], more: Partial<MotionProgram> = {}) =>
  resolveProgram(
    arm.model,
    { ...programOf(arm, moves as MoveDescription[]), ...more },
    { states: new Map([['home', [0, 0, 0, 0, 0, 0]]]) },
  );

describe('resolveProgram', () => {
  it('places points in frames, shifted along the axes of the frame and of the tool', () => {
    const frames = { pallet: [1, 0, 0, 0, 0, Math.SQRT1_2, Math.SQRT1_2] };
    const points = { pick: { pose: [0.1, 0, 0, 0, 1, 0, 0], in: 'pallet' } };
    const { moves } = resolve(
      [
        { move: 'lin', to: 'pick' },
        { move: 'lin', to: { at: 'pick', in: 'pallet', shift: [0, 0.2, 0], toolShift: [0, 0, -0.1] } },
        { move: 'lin', to: [0.3, 0, 0] },
      ],
      { frames, points },
    );
    const poses = moves.map(({ targets: [to] }) => {
      if (to.kind !== 'pose') throw new Error('no pose');
      return [...placeTarget(to, [0, 0, 0, 0, 1, 0, 0])].map((x) => Math.round(x * 1e9) / 1e9 + 0);
    });
    expect(poses[0].slice(0, 3)).toEqual([1, 0.1, 0]);
    // The pallet's y is -x of the world; the tool points down.
    expect(poses[1].slice(0, 3)).toEqual([0.8, 0.1, 0.1]);
    expect(poses[2]).toEqual([0.3, 0, 0, 0, 1, 0, 0]);
  });

  it('takes settings from the move, then from the defaults; tool speeds of the defaults are not meant for ptp', () => {
    const { moves } = resolve(
      [
        { move: 'lin', to: [1, 0, 0], speed: 0.5 },
        { move: 'ptp', to: 'home' },
      ],
      { defaults: { speed: 0.1, radius: 0.02 } },
    );
    expect(moves[0].settings).toMatchObject({ speed: 0.5, radius: 0.02, jointSpeed: 1, orientation: 'interpolate' });
    expect(moves[1].settings).toMatchObject({ speed: Infinity, radius: 0.02 });
    expect(moves[1].name).toBe('ptp 1');
  });

  it('reads lists of a group, the others kept', () => {
    const context = { rest: [0, 0, 0, 0.5, 0.6, 0.7], group: [0, 1, 2] };
    const { start } = resolveProgram(arm.model, { ...programOf(arm, []), start: [1, 2, -1] }, context);
    expect([...start]).toEqual([1, 2, -1, 0.5, 0.6, 0.7]);
  });

  it.each<[string, unknown[], Partial<MotionProgram>]>([
    [
      'program.moves[0].to, got "pik", expected the name of a point (did you mean "pick"?)',
      [{ move: 'lin', to: 'pik' }],
      { points: { pick: [0, 0, 0] } },
    ],
    ['program.moves[0].move, got "line", expected "ptp", "lin"', [{ move: 'line' }], {}],
    ['program.moves[0].to, got undefined, expected a pose', [{ move: 'lin' }], {}],
    [
      'program.moves[1].speed, got 0, expected',
      [
        { move: 'wait', seconds: 1 },
        { move: 'lin', to: [0, 0, 0], speed: 0 },
      ],
      {},
    ],
    ['program.moves[0].radius, got -1, expected', [{ move: 'lin', to: [0, 0, 0], radius: -1 }], {}],
    [
      'program.moves[0].to, got "home", expected a pose, as "lin" is a path of the tool',
      [{ move: 'lin', to: 'home' }],
      {},
    ],
    ['program.moves[0].via, got undefined, expected either "via" or "center"', [{ move: 'circ', to: [0, 0, 0] }], {}],
    [
      'program.moves[0].along, got an array of 1, expected 2 or more poses',
      [{ move: 'seam', along: [[0, 0, 0]], free: 'z' }],
      {},
    ],
    [
      'program.moves[0].to.in, got "palet", expected a frame',
      [{ move: 'lin', to: { pose: [0, 0, 0], in: 'palet' } }],
      { frames: { pallet: [0, 0, 0, 0, 0, 0, 1] } },
    ],
    [
      'program.tool.frame, got "tp", expected a link or joint of the robot (did you mean "tip"?)',
      [],
      { tool: { frame: 'tp' } },
    ],
    ['program.frames.a, got an array of 7, expected a quaternion', [], { frames: { a: [0, 0, 0, 0, 0, 0, 0] } }],
    [
      'points that do not name each other in a circle',
      [{ move: 'lin', to: 'a' }],
      { points: { a: { at: 'b' }, b: { at: 'a' } } },
    ],
    [
      'program.format, got "clearance.motion/2", expected "clearance.motion/1"',
      [],
      { format: 'clearance.motion/2' as never },
    ],
  ])('refuses: %s', (message, moves, more) => {
    expect(() => resolve(moves, more)).toThrow(message);
  });
});
