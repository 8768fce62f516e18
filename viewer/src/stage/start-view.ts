/** From where a scene is seen first, when nothing says so. */
import type { Workspace } from '../workspace.js';

/** From the robot's line of sight to the camera, about the vertical, radians; and how high the camera stands. */
const ASIDE = 1;
const HEIGHT = 0.42;
/** Metres between robot and objects below which neither is in front of the other. */
const BESIDE = 0.05;

/** Over the robot's shoulder at what it works on; undefined (the stage's own) for a robot or objects alone. */
export function chooseStartView({ robots, objects }: Workspace): readonly [number, number, number] | undefined {
  if (robots.length === 0 || objects.length === 0) return undefined;
  let [x, y] = [0, 0];
  for (const { scene } of robots) {
    x += scene.data.jointPlacements[9] / robots.length;
    y += scene.data.jointPlacements[10] / robots.length;
  }
  for (const { pose } of objects) {
    x -= pose[0] / objects.length;
    y -= pose[1] / objects.length;
  }
  const length = Math.hypot(x, y);
  if (length < BESIDE) return undefined;
  const [c, s] = [Math.cos(ASIDE), Math.sin(ASIDE)];
  return [(c * x - s * y) / length, (s * x + c * y) / length, HEIGHT];
}
