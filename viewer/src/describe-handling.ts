import type { Workspace } from './workspace.js';

/** In one line, what can be done by hand; then what can be dropped. */
export function describeHandling({ robots, objects }: Workspace): readonly string[] {
  const things =
    robots.length > 0 ? 'Drag a link to turn its joint' : objects.length > 0 ? 'Click a part and drag its handles' : '';
  return things
    ? [`${things}, drag beside it to turn the view.`, 'Drop a robot, meshes, a protein, a scene or a path anywhere.']
    : [];
}
