/** Random stacks of tasks, reachable ones met by one configuration. */
import { computeFramePlacement, updateKinematics } from '../kinematics/forward-kinematics.js';
import type { Random } from '../math/random.js';
import { createTransform } from '../math/transform.js';
import { randomConfiguration } from '../model/configuration.js';
import { createData, type Model } from '../model/model.js';
import type { IkTask } from './tasks/task.js';

/** Poses and positions of random frames with `least` to `most` rows in all; every second one at random is out of reach. */
export function drawStack(
  model: Model,
  random: Random,
  least: number,
  most: number,
  mustBeReachable = false,
): { readonly tasks: IkTask[]; readonly isReachable: boolean; readonly rows: number } {
  const data = createData(model);
  const isReachable = mustBeReachable || random.next() < 0.5;
  const goal = randomConfiguration(new Float64Array(model.nq), model, random);
  const wanted = least + Math.floor(random.next() * (most - least - 5));
  const tasks: IkTask[] = [];
  let rows = 0;
  const moving = model.frames.map((_, frame) => frame).filter((frame) => model.frameJoints[frame] > 0);
  while (rows < wanted) {
    const frame = moving[Math.floor(random.next() * moving.length)];
    const q = isReachable ? goal : randomConfiguration(new Float64Array(model.nq), model, random);
    updateKinematics(model, data, q);
    const X_WF = computeFramePlacement(createTransform(), model, data, frame);
    if (random.next() < 0.6) {
      tasks.push({ kind: 'pose', frame, target: X_WF });
      rows += 6;
    } else {
      tasks.push({ kind: 'position', frame, target: X_WF.slice(9) });
      rows += 3;
    }
  }
  return { tasks, isReachable, rows };
}
