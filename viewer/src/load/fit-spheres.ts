/** What the worker answers when it is asked for the spheres of a robot. */
import { type FittedSphereModel, fitRobotSpheres, type SphereRobotOptions } from 'clearance/scene';

export interface SphereModelMessage {
  readonly type: 'spheres';
  readonly model: FittedSphereModel;
}

export function fitForPage(robot: SphereRobotOptions): SphereModelMessage {
  return { type: 'spheres', model: fitRobotSpheres(robot) };
}
