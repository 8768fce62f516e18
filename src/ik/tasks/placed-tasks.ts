/** A stack of tasks with kinematics of its own, as a descent wants it. */
import { updateKinematics } from '../../kinematics/forward-kinematics.js';
import { createData, type Data, type Model } from '../../model/model.js';
import type { IkTask, StepRows } from './task.js';
import { TaskStack } from './task-stack.js';

export class PlacedTasks implements StepRows {
  readonly rows: number;
  readonly error: Float64Array;
  readonly columns: Float64Array;
  squaredError = 0;
  positionError = 0;
  rotationError = 0;
  private readonly stack: TaskStack;
  private readonly data: Data;

  constructor(
    private readonly model: Model,
    tasks: readonly IkTask[],
  ) {
    this.stack = new TaskStack(model, tasks);
    this.data = createData(model);
    this.rows = this.stack.rows;
    this.error = this.stack.error;
    this.columns = new Float64Array(this.rows * model.nv);
  }

  place(): void {
    this.stack.place(0);
  }

  evaluate(q: Float64Array): void {
    const { stack, data } = this;
    updateKinematics(this.model, data, q);
    this.squaredError = stack.evaluate(data, q);
    this.positionError = stack.positionError;
    this.rotationError = stack.rotationError;
  }

  linearize(): void {
    const { stack, columns, rows } = this;
    const { A } = stack;
    const { nv } = this.model;
    stack.linearize(this.data);
    for (let r = 0; r < rows; r++) for (let k = 0; k < nv; k++) columns[k * rows + r] = A[r * nv + k];
  }
}
