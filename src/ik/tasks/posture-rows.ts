/**
 * Rows of `posture`: e = target (-) q, one row per coordinate of v.
 *
 * Method: A = I: exact for joints of one coordinate, to first order in e for spherical, planar and floating ones.
 * Tested by tasks.test.ts.
 */
import { differenceConfiguration, integrateConfiguration } from '../../model/configuration.js';
import type { Data, Model } from '../../model/model.js';
import { measureRows, readNumbers } from './read-numbers.js';
import type { PostureTask, TaskRows } from './task.js';

export class PostureRows implements TaskRows {
  readonly rows: number;
  readonly positionError = 0;
  rotationError = 0;
  private readonly target: Float64Array;
  private readonly velocity: Float64Array;
  private readonly difference: Float64Array;

  constructor(
    private readonly model: Model,
    private readonly task: PostureTask,
  ) {
    this.rows = model.nv;
    this.target = new Float64Array(model.nq);
    this.velocity = new Float64Array(model.nv);
    this.difference = new Float64Array(model.nv);
  }

  place(time: number): void {
    const { model, target, velocity, task } = this;
    readNumbers(target, task.target, model.nq, 'posture: target');
    if (time === 0 || !task.velocity) return;
    readNumbers(velocity, task.velocity, model.nv, 'posture: velocity');
    for (let k = 0; k < model.nv; k++) velocity[k] *= time;
    integrateConfiguration(target, model, target, velocity);
  }

  evaluate(error: Float64Array, at: number, _data: Data, q: Float64Array): void {
    error.set(differenceConfiguration(this.difference, this.model, q, this.target), at);
    this.rotationError = measureRows(error, at, this.task.weights, 0, this.rows);
  }

  linearize(A: Float64Array, row: number): void {
    const { nv } = this.model;
    A.fill(0, row * nv, (row + nv) * nv);
    for (let k = 0; k < nv; k++) A[(row + k) * nv + k] = 1;
  }
}
