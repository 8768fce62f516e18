import { describe, expect, it } from 'vitest';
import { TurnHistory } from './turn-history.js';

const at = (x: number): Float64Array => Float64Array.of(x);

describe('history of turns', () => {
  it('keeps one entry for a change, none where nothing changed, a hundred in all', () => {
    const history = new TurnHistory();
    const values = at(0);
    history.begin(values);
    values[0] = 1;
    history.begin(values);
    history.end(values);
    expect(history.canUndo).toBe(true);
    history.begin(values);
    history.end(values);
    expect(history.undo(values)).toEqual(at(0));
    expect([history.canUndo, history.canRedo]).toEqual([false, true]);
    expect(history.redo(at(0))).toEqual(at(1));
    expect(history.undo(values)).toEqual(at(0));
    for (let i = 0; i < 150; i++) history.push(at(i));
    let count = 0;
    for (let last = history.undo(at(-1)); last; last = history.undo(last)) expect(last).toEqual(at(149 - count++));
    expect(count).toBe(100);
    history.push(at(7));
    expect(history.canRedo).toBe(false);
  });

  it('takes a change back that is going on', () => {
    const history = new TurnHistory();
    history.begin(at(3));
    expect(history.takeBack()).toEqual(at(3));
    expect([history.takeBack(), history.canUndo]).toEqual([null, false]);
  });
});
