/** What the control page shows first: programs and problems of the examples, with what they run in. */
import palletise from '../../../examples/motions/palletise.json?raw';
import motionTable from '../../../examples/motions/table.json?url';
import weld from '../../../examples/motions/weld.json?raw';
import shelfProblem from '../../../examples/scenes/optimise.json?raw';
import shelfScene from '../../../examples/scenes/table-shelf.json?url';
import { arm } from '../load/examples.js';
import type { Session } from '../load/session.js';

/** A program of moves, or a problem of a path: the text of its file. */
export type Task = { readonly program: string } | { readonly problem: string };

export interface ControlExample {
  readonly id: string;
  readonly name: string;
  readonly session: Session;
  readonly task: Task;
}

const above = { title: 'Arm at a table', robot: arm, scene: { file: motionTable } };

export const controlExamples: readonly ControlExample[] = [
  { id: 'palletise', name: 'Two parts to a pallet', session: above, task: { program: palletise } },
  { id: 'weld', name: 'A weld along a sheet', session: above, task: { program: weld } },
  {
    id: 'shelf',
    name: 'A path round a shelf',
    session: { title: 'Arm at a shelf', robot: arm, scene: { file: shelfScene }, view: [-0.5, -0.78, 0.42] },
    task: { problem: shelfProblem },
  },
];

/** The task in a file's text; null where it is neither. */
export function readTask(text: string): Task | null {
  try {
    const { format, schema } = JSON.parse(text) as { readonly format?: unknown; readonly schema?: unknown };
    if (format === 'clearance.motion/1') return { program: text };
    if (schema === 'clearance.optimisation/1') return { problem: text };
  } catch {
    // Some other file.
  }
  return null;
}
