import type { Layers } from './panel/display.js';
import type { Workspace } from './workspace.js';

export const FIRST_LAYERS: Layers = {
  visual: true,
  collision: false,
  spheres: false,
  hulls: false,
  objects: true,
  nearest: true,
  trace: true,
  ellipsoid: false,
  mass: false,
  limits: false,
  grid: true,
};

/** A robot whose visual geometry is absent, or could not all be loaded, shows its collision geometry too. */
export function suitableLayers({ robots }: Workspace): Partial<Layers> {
  if (robots.length === 0) return {};
  const complete = robots.every(({ object, scene }) => {
    const drawn = [...object.links.values()].reduce((count, { visual }) => count + visual.children.length, 0);
    return drawn > 0 && drawn === scene.description.visuals.length;
  });
  return { visual: true, collision: !complete };
}
