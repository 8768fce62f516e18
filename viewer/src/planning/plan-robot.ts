import type { SceneRobot } from 'clearance/scene';
import { findGroupCoordinates } from 'clearance/semantics';
import type { BuiltScene } from '../load/build-scene.js';
import type { Task } from './leg-task.js';

/** What all legs of one robot share: which coordinates may vary, and what was compiled. */
export class PlanRobot {
  readonly scene: SceneRobot;
  readonly all: Int32Array;
  /** The SRDF's, largest first. */
  readonly groups: readonly { readonly name: string; readonly indices: Int32Array }[];
  tasks: Task[] = [];

  constructor(
    readonly built: BuiltScene,
    robot: number,
  ) {
    this.scene = built.robots[robot].scene;
    const { model, semantic, description } = this.scene;
    this.all = findGroupCoordinates(model, semantic, description, undefined).indices;
    this.groups = (semantic?.groups ?? [])
      .map(({ name }) => ({ name, indices: findGroupCoordinates(model, semantic, description, name).indices }))
      .sort((a, b) => b.indices.length - a.indices.length);
  }
}
