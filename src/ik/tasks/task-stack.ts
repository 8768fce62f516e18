/**
 * Several tasks over one robot as one system of rows: weighted errors e and their derivative A (de/dt = -A v).
 *
 * Rows are scaled by the square root of their weights, so |e|^2 is the weighted sum of squares. Shapes: e has `rows` numbers,
 * A rows x nv, row-major. Nothing is allocated after construction. Tested by tasks.test.ts.
 */
import { describeValue } from '../../math/known-keys.js';
import { MisuseError } from '../../math/misuse.js';
import type { Data, Model } from '../../model/model.js';
import { AxisRows } from './axis-rows.js';
import { OrientationRows } from './orientation-rows.js';
import { CenterOfMassRows, PositionRows } from './point-rows.js';
import { PoseRows } from './pose-rows.js';
import { PostureRows } from './posture-rows.js';
import { readNumbers, requireFrame } from './read-numbers.js';
import type { IkTask, TaskRows } from './task.js';

export class TaskStack {
  readonly rows: number;
  readonly error: Float64Array;
  readonly A: Float64Array;
  /** Worst of the tasks at the last `evaluate`: metres, radians. */
  positionError = 0;
  rotationError = 0;
  private readonly parts: readonly TaskRows[];
  private readonly scales: Float64Array;
  private isScaled = false;

  constructor(
    private readonly model: Model,
    private readonly tasks: readonly IkTask[],
  ) {
    this.parts = tasks.map((task) => bindTask(model, task));
    this.rows = this.parts.reduce((sum, part) => sum + part.rows, 0);
    this.error = new Float64Array(this.rows);
    this.A = new Float64Array(this.rows * model.nv);
    this.scales = new Float64Array(this.rows).fill(1);
  }

  /** Reads targets and weights; targets move on by `time` at their velocities. */
  place(time: number): void {
    const { tasks, parts, scales } = this;
    this.isScaled = false;
    let row = 0;
    for (let t = 0; t < parts.length; t++) {
      const part = parts[t];
      const { weight = 1, weights, kind } = tasks[t];
      part.place(time);
      if (weights) readNumbers(scales.subarray(row, row + part.rows), weights, part.rows, `${kind}: weights`);
      for (let r = row; r < row + part.rows; r++) {
        const value = weight * (weights ? scales[r] : 1);
        if (!(value >= 0 && value < Number.POSITIVE_INFINITY)) {
          throw new MisuseError(`${kind}: weight, got ${describeValue(value)}, expected 0 or more`);
        }
        scales[r] = Math.sqrt(value);
        if (value !== 1) this.isScaled = true;
      }
      row += part.rows;
    }
  }

  /** Writes `error` for q, whose kinematics are in `data`; returns its squared length. */
  evaluate(data: Data, q: Float64Array): number {
    const { parts, error, scales } = this;
    let row = 0;
    this.positionError = 0;
    this.rotationError = 0;
    for (let t = 0; t < parts.length; t++) {
      const part = parts[t];
      part.evaluate(error, row, data, q);
      if (part.positionError > this.positionError) this.positionError = part.positionError;
      if (part.rotationError > this.rotationError) this.rotationError = part.rotationError;
      row += part.rows;
    }
    let squared = 0;
    for (let r = 0; r < this.rows; r++) {
      error[r] *= scales[r];
      squared += error[r] * error[r];
    }
    return squared;
  }

  /** Writes `A` for the q of the last `evaluate`. */
  linearize(data: Data): void {
    const { parts, A, scales } = this;
    const { nv } = this.model;
    let row = 0;
    for (let t = 0; t < parts.length; t++) {
      parts[t].linearize(A, row, data);
      row += parts[t].rows;
    }
    if (!this.isScaled) return;
    for (let r = 0; r < this.rows; r++) for (let k = 0; k < nv; k++) A[r * nv + k] *= scales[r];
  }
}

function bindTask(model: Model, task: IkTask): TaskRows {
  if ('frame' in task) requireFrame(model, task.frame, `${task.kind}: frame`);
  switch (task.kind) {
    case 'pose':
      return new PoseRows(model, task);
    case 'relative-pose':
      requireFrame(model, task.base, 'relative-pose: base');
      return new PoseRows(model, task);
    case 'position':
      return new PositionRows(model, task);
    case 'center-of-mass':
      return new CenterOfMassRows(model, task);
    case 'orientation':
      return new OrientationRows(model, task);
    case 'axis':
    case 'look-at':
      return new AxisRows(model, task);
    case 'posture':
      return new PostureRows(model, task);
    default:
      throw new MisuseError(`task: kind, got "${(task as { kind: string }).kind}", expected a known kind of task`);
  }
}
