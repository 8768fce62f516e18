import type { Workspace } from './workspace.js';

/** In one line, what can be done by hand; then what can be dropped. */
export function describeHandling({ robots, objects }: Workspace): readonly string[] {
  if (robots.length === 0 && objects.length === 0) return [];
  const hands =
    robots.length > 0
      ? 'Drag a link to turn its joint, beside it the view.'
      : 'Drag a part by its handles, beside it the view.';
  return [hands, 'Drop a robot, meshes, a protein, a scene or a path anywhere.'];
}
