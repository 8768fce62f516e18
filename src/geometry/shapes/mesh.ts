/** A triangle mesh, as a surface or a body. */
import { isArrayOf } from '../../math/arguments.js';
import { describeValue } from '../../math/known-keys.js';
import { boundTransformedPoints, radiusOfPoints } from '../bounds.js';
import type { Mesh } from '../shapes.js';
import { refuse, requireExtent, requireFinite } from './checks.js';
import { integrateTetrahedra } from './moments.js';
import type { ShapeOperations } from './operations.js';

export const mesh: ShapeOperations<Mesh> = {
  fields: null,
  validate(shape) {
    const { vertices, triangles } = shape.mesh ?? {};
    if (!isArrayOf(vertices) || !isArrayOf(triangles))
      refuse('mesh', describeValue(shape.mesh), 'an object with arrays vertices and triangles');
    if (triangles.length === 0 || triangles.length % 3 !== 0 || vertices.length % 3 !== 0)
      refuse(
        'mesh',
        `${vertices.length} coordinates and ${triangles.length} indices`,
        'multiples of 3 and at least one triangle',
      );
    const count = vertices.length / 3;
    for (let i = 0; i < triangles.length; i++)
      if (!(triangles[i] >= 0 && triangles[i] < count))
        refuse(`mesh triangles[${i}]`, describeValue(triangles[i]), `less than ${count}`);
    requireFinite('mesh', 'vertices', vertices);
    requireExtent('mesh', vertices);
  },
  bound: (out, shape, X_WS) => boundTransformedPoints(out, shape.mesh.vertices, X_WS),
  boundingRadius: (shape, center) => radiusOfPoints(shape.mesh.vertices, center),
  core: null,
  massProperties: (shape, density) => integrateTetrahedra(shape.mesh, density),
  isData: () => true,
};
