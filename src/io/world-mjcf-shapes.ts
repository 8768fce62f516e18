/**
 * Shapes of a simulated world as MJCF geoms: primitives, and convex shapes and meshes by their vertices, of which MuJoCo takes the hull.
 * Tested by world-mjcf.test.ts.
 */
import type { Shape } from '../geometry/shapes.js';
import type { Geometry, World } from '../simulation/world.js';
import { list, type MjcfParts, placeMjcf, warn } from './world-mjcf-parts.js';

/** All geoms of a carrier; their names are their numbers. */
export function writeGeometries(world: World, carrier: number, file: MjcfParts): string {
  return world.geometries
    .map((geometry, g) =>
      geometry.carrier === carrier ? writeGeometry(geometry, g, world.carriers[carrier].name, file) : '',
    )
    .join('');
}

/** Whether a geometry has no geom. */
export const describesNothing = ({ collider: { shape } }: Geometry): boolean =>
  describePrimitive(shape) === null && listVertices(shape) === null;

function writeGeometry({ collider, placement, material }: Geometry, g: number, name: string, file: MjcfParts): string {
  const { shape } = collider;
  const rest = `name="g${g}" friction="${material.friction} 0.005 0.0001" condim="3"`;
  const vertices = listVertices(shape);
  if (vertices) {
    file.meshes.push(`<mesh name="g${g}" vertex="${list(vertices)}"/>`);
    if (shape.type === 'mesh')
      warn(file.issues, name, 'mesh-by-hull', 'MuJoCo takes the convex hull of a mesh', 'altered');
    return `<geom type="mesh" mesh="g${g}" ${placeMjcf(placement)} ${rest}/>`;
  }
  const primitive = describePrimitive(shape);
  if (primitive === null) {
    const message = `MJCF has no primitive for a ${shape.type}; it is left out`;
    warn(file.issues, name, 'shape-left-out', message, 'dropped');
    return '';
  }
  if (shape.type !== 'halfspace') return `<geom ${primitive} ${placeMjcf(placement)} ${rest}/>`;
  const [x, y, z] = shape.normal;
  const R = placement;
  const n = [0, 1, 2].map((k) => R[3 * k] * x + R[3 * k + 1] * y + R[3 * k + 2] * z);
  const at = [0, 1, 2].map((k) => R[9 + k] + shape.offset * n[k]);
  return `<geom ${primitive} pos="${list(at)}" zaxis="${list(n)}" ${rest}/>`;
}

function listVertices(shape: Shape): Float64Array | null {
  if (shape.type === 'convex') return shape.points;
  return shape.type === 'mesh' ? shape.mesh.vertices : null;
}

function describePrimitive(shape: Shape): string | null {
  switch (shape.type) {
    case 'sphere':
      return `type="sphere" size="${shape.radius}"`;
    case 'box':
      return `type="box" size="${list(shape.size.map((x) => x / 2))}"`;
    case 'capsule':
      return `type="capsule" size="${shape.radius} ${shape.length / 2}"`;
    case 'cylinder':
      return `type="cylinder" size="${shape.radius} ${shape.length / 2}"`;
    case 'ellipsoid':
      return `type="ellipsoid" size="${list(shape.semiAxes)}"`;
    case 'halfspace':
      return 'type="plane" size="0 0 1"';
    default:
      return null;
  }
}
