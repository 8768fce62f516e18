/** All robots of the scene on their motions at once: the shown one is the player's, the others follow its time. */
import { setConfiguration } from 'clearance/scene';
import type { Workspace, WorkspaceRobot } from '../workspace.js';
import { configurationAt } from './path-times.js';

export interface TogetherEnds {
  readonly starts: readonly Float64Array[];
  readonly goals: readonly Float64Array[];
}

/** Every robot from where it stands to its stored place of that name; who has none is named. */
export function readTogether({ robots }: Workspace, name: string): TogetherEnds | { readonly missing: string } {
  const goals: Float64Array[] = [];
  for (const { stored, scene } of robots) {
    const found = stored.find((state) => state.name === name);
    if (!found) return { missing: scene.name };
    goals.push(found.q.slice());
  }
  return { starts: robots.map(({ scene }) => scene.q.slice()), goals };
}

export class Followers {
  private others: readonly { readonly robot: WorkspaceRobot; readonly path: readonly Float64Array[] }[] = [];
  private times: readonly number[] = [];

  get isEmpty(): boolean {
    return this.others.length === 0;
  }

  /** All but the robot `shown` go along their paths, which have one list of times. */
  follow(
    workspace: Workspace,
    shown: number,
    paths: readonly (readonly Float64Array[])[],
    times: readonly number[],
  ): void {
    this.times = times;
    this.others = workspace.robots.map((robot, i) => ({ robot, path: paths[i] })).filter((_, i) => i !== shown);
  }

  clear(): void {
    this.others = [];
  }

  /** `position`: of the motion, 0 to 1. */
  show(position: number): void {
    const { times } = this;
    for (const { robot, path } of this.others) {
      if (path.length < 2) continue;
      const q = new Float64Array(robot.model.nq);
      setConfiguration(robot.scene, configurationAt(q, robot.model, path, times, position * times[times.length - 1]));
    }
  }
}
