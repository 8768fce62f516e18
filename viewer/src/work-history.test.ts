import { describe, expect, it } from 'vitest';
import type { Work } from './work.js';
import { WorkHistory } from './work-history.js';

const at = (x: number, view: number[] = []): Work => ({
  robots: [{ name: 'r', q: [x], stored: [], tool: null }],
  objects: [],
  chosen: 0,
  view,
});

describe('WorkHistory', () => {
  it('goes back and forth, and forgets what was taken back when something else is done', () => {
    const history = new WorkHistory();
    history.begin(at(0));
    for (const x of [1, 1, 2, 3]) history.note(at(x));
    expect(history.undo()).toEqual(at(2));
    expect(history.undo()).toEqual(at(1));
    expect(history.redo()).toEqual(at(2));
    history.note(at(5));
    expect(history.canRedo).toBe(false);
    expect(history.undo()).toEqual(at(2));
    expect(history.undo()).toEqual(at(1));
    expect(history.undo()).toEqual(at(0));
    expect(history.undo()).toBeNull();
  });

  it('takes no step for the view, and begins anew with another content', () => {
    const history = new WorkHistory();
    history.begin(at(0, [1]));
    history.note(at(0, [2]));
    expect(history.canUndo).toBe(false);
    history.note(at(1));
    history.begin(null);
    expect(history.canUndo || history.canRedo).toBe(false);
  });

  it('keeps the last two hundred steps', () => {
    const history = new WorkHistory();
    history.begin(at(0));
    for (let x = 1; x <= 300; x++) history.note(at(x));
    let count = 0;
    let last: Work | null = null;
    for (let work = history.undo(); work; work = history.undo()) {
      last = work;
      count++;
    }
    expect(count).toBe(199);
    expect(last).toEqual(at(101));
  });
});
