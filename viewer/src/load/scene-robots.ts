/** The robots of a loaded scene file, placed as it says. */
import type { SceneFiles } from 'clearance/web';
import type { PlacedRobot, RobotSettings } from './content.js';

export function placeRobots(
  { description, robots }: SceneFiles,
  { settings, from }: { settings?: RobotSettings; from?: (file: string) => string | undefined } = {},
): PlacedRobot[] {
  return description.robots.flatMap(({ name, file, pose, q }) => {
    const loaded = robots.get(name);
    return loaded ? [{ ...loaded, name, pose, q, settings, isPlaced: true, from: from?.(file) }] : [];
  });
}
