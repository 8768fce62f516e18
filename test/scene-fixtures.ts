/** Small robots and scenes written as URDF text, for scene tests. */

import { parseSrdf } from '../src/io/robot/srdf.js';
import { parseUrdf } from '../src/io/robot/urdf.js';
import { type BuildModelOptions, buildModel } from '../src/model/build-model.js';
import { addRobot, type RobotOptions } from '../src/scene/robot.js';
import type { Scene, SceneRobot } from '../src/scene/types.js';

export interface FixtureOptions extends Partial<RobotOptions> {
  readonly srdf?: string;
  readonly build?: BuildModelOptions;
}

export function addUrdf(scene: Scene, urdf: string, options: FixtureOptions = {}): SceneRobot {
  const { srdf, build, ...rest } = options;
  const description = parseUrdf(urdf).value;
  if (!description) throw new Error('fixture: the URDF does not parse');
  const semantic = srdf === undefined ? null : parseSrdf(srdf).value;
  const { model } = buildModel(description.model, build);
  return addRobot(scene, { model, description, semantic, ...rest });
}

export const boxLink = (name: string, size: string, xyz = '0 0 0'): string =>
  `<link name="${name}"><collision><origin xyz="${xyz}"/><geometry><box size="${size}"/></geometry></collision></link>`;

export const revolute = (name: string, parent: string, child: string, xyz: string, axis = '0 0 1'): string =>
  `<joint name="${name}" type="revolute"><parent link="${parent}"/><child link="${child}"/><origin xyz="${xyz}"/><axis xyz="${axis}"/><limit lower="-3.1" upper="3.1" velocity="1" effort="1"/></joint>`;

/** A planar arm in the xy plane: `count` boxes of the given length along x, joints about z at their ends. */
export function planarArm(name: string, count: number, length: number, thickness = 0.05): string {
  const links: string[] = [];
  const joints: string[] = [];
  for (let i = 0; i < count; i++) {
    links.push(boxLink(`link${i}`, `${length} ${thickness} ${thickness}`, `${length / 2} 0 0`));
    if (i > 0) joints.push(revolute(`joint${i}`, `link${i - 1}`, `link${i}`, `${length} 0 0`));
  }
  return `<robot name="${name}">${links.join('')}${joints.join('')}</robot>`;
}
