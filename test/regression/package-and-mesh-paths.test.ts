/** Reported faults of package:// URIs and mesh paths. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadRobot } from '../../src/node/load-robot.js';
import { makeFolder, TETRAHEDRON } from '../support/temporary-folder.js';

const robot = (uri: string): string =>
  `<robot name="r"><link name="l"><collision><geometry><mesh filename="${uri}"/></geometry></collision></link></robot>`;

describe('package:// and mesh paths', () => {
  it.each([true, false])('U069: a mesh in a second package, with a map of packages: %s', async (mapped) => {
    const uri = 'package://art/meshes/a.off';
    const root = makeFolder({ 'root/art/meshes/a.off': TETRAHEDRON, 'root/robots/h/robot.urdf': robot(uri) });
    const options = mapped ? { packages: { art: join(root, 'root/art') } } : {};
    const { value, issues } = await loadRobot(join(root, 'root/robots/h/robot.urdf'), options);
    expect(issues).toEqual([]);
    expect(value!.files.get(uri)).toBe(join(root, 'root/art/meshes/a.off'));
    expect(value!.meshes.get(uri)!.triangles).toHaveLength(12);
  });

  it('U071: "./part.off" without a scheme is relative to the URDF', async () => {
    const root = makeFolder({ 'm/robot.urdf': robot('./part.off'), 'm/part.off': TETRAHEDRON });
    const { value, issues } = await loadRobot(join(root, 'm/robot.urdf'));
    expect(issues).toEqual([]);
    expect(value!.files.get('./part.off')).toBe(join(root, 'm/part.off'));
  });

  it('U073: dashes in package and file names are accepted', async () => {
    const uri = 'package://dep-x/urdf/models/OAK-D.off';
    const root = makeFolder({ 'ws/dep-x/urdf/models/OAK-D.off': TETRAHEDRON, 'ws/dep-x/urdf/robot.urdf': robot(uri) });
    const { value, issues } = await loadRobot(join(root, 'ws/dep-x/urdf/robot.urdf'));
    expect(issues).toEqual([]);
    expect(value!.meshes.has(uri)).toBe(true);
  });
});
