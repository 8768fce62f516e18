import { expect, it } from 'vitest';
import palletise from '../../../examples/motions/palletise.json?raw';
import weld from '../../../examples/motions/weld.json?raw';
import { formatMoves, LineError, parseMoves } from './move-lines.js';

const read = (file: string) => (JSON.parse(file) as { moves: Record<string, unknown>[] }).moves;

it('the moves of the example programs come back from their lines', () => {
  for (const file of [palletise, weld]) expect(parseMoves(formatMoves(read(file)))).toEqual(read(file));
});

it('reads words, numbers, texts, lists and objects, remarks and empty lines', () => {
  const text = `
    # there
    ptp home jointSpeed 0.5   # half as fast
    LIN [0.1, 0.2,0.3] name "to the # side, \\"left\\"" radius 0
    Circ {"at": "b", "shift": [0, 0, 0.1]} via [1, 2, 3]
    WAIT 0.25`;
  const moves = [
    { move: 'ptp', to: 'home', jointSpeed: 0.5 },
    { move: 'lin', to: [0.1, 0.2, 0.3], name: 'to the # side, "left"', radius: 0 },
    { move: 'circ', to: { at: 'b', shift: [0, 0, 0.1] }, via: [1, 2, 3] },
    { move: 'wait', seconds: 0.25 },
  ];
  expect(parseMoves(text)).toEqual(moves);
  expect(parseMoves(formatMoves(moves))).toEqual(moves);
});

it('says which line is no move, and why', () => {
  for (const [text, why] of [
    ['GO home', /^line 1: got "GO", expected PTP, LIN/],
    ['PTP home\nLIN', /^line 2: expected to after LIN/],
    ['LIN [0, 1', /^line 1: \[0, 1 does not end/],
    ['LIN a speed', /expected a value after speed/],
    ['LIN a 0.5 1', /got 0.5, expected the name of a field/],
    ['LIN a speed 1 speed 2', /speed stands there twice/],
    ['LIN 1,2', /1,2 is no number/],
  ] as const) {
    expect(() => parseMoves(text)).toThrow(LineError);
    expect(() => parseMoves(text)).toThrow(why);
  }
});
