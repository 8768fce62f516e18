/** Which objects hide a robot from the camera: those that rays from it to the robot's links meet before a link. */
import { castSceneRay, listSceneRayHits, type Scene, type SceneRobot } from 'clearance/scene';

/** Of the points asked for. */
const SHARE = 0.3;
const MOST_POINTS = 14;

/** `camera`: place in the world. `leaveOut`: objects that are not drawn. */
export function findHiding(
  scene: Scene,
  camera: readonly [number, number, number],
  leaveOut: readonly string[],
): string[] {
  const points = scene.robots.flatMap(listPoints);
  const step = Math.max(1, Math.ceil(points.length / MOST_POINTS));
  const counts = new Map<string, number>();
  let asked = 0;
  for (let i = 0; i < points.length; i += step) {
    asked++;
    const ray = { origin: camera, direction: points[i].map((x, k) => x - camera[k]), max: 1 };
    // Most links are seen at once.
    const { hit } = castSceneRay(scene, ray, { leaveOut });
    if (!hit || !isFurniture(scene, hit.body)) continue;
    const names = new Set<string>();
    for (const { body } of listSceneRayHits(scene, ray, { leaveOut }).hits) {
      if (!isFurniture(scene, body)) break;
      names.add(body);
    }
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count >= Math.max(2, SHARE * asked)).map(([name]) => name);
}

function isFurniture(scene: Scene, name: string): boolean {
  const object = scene.objects.get(name);
  return object !== undefined && !object.attachment && object.shape.type !== 'halfspace';
}

/** The frames of what its links consist of. */
function listPoints({ links }: SceneRobot): [number, number, number][] {
  return links.flatMap(({ body }) =>
    body.parts.slice(0, 1).map(({ worldPlacement: X }): [number, number, number] => [X[9], X[10], X[11]]),
  );
}
