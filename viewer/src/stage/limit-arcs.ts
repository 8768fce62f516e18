/**
 * Joint limits where they act: a ring sector about the axis of every turning joint from its lower to its upper limit, a bar
 * along that of every sliding one, with a needle at the present value. Near a limit both turn amber.
 */
import { createTransform, multiplyTransform } from 'clearance/math';
import { placeObject } from 'clearance/three';
import {
  BoxGeometry,
  type BufferGeometry,
  Group,
  Mesh,
  MeshBasicMaterial,
  Quaternion,
  RingGeometry,
  Vector3,
} from 'three';
import type { WorkspaceRobot } from '../workspace.js';

const CALM = 0x1463c8;
const NEAR = 0xd98200;
/** Share of the range that counts as near a limit. */
const MARGIN = 0.03;
const INNER = 0.82;
const Z = new Vector3(0, 0, 1);

interface Mark {
  readonly joint: number;
  readonly coordinate: number;
  readonly lower: number;
  readonly upper: number;
  readonly isTurn: boolean;
  readonly group: Group;
  readonly needle: Mesh;
  readonly materials: readonly MeshBasicMaterial[];
}

export interface LimitArcs {
  readonly object: Group;
  /** `size`: of the robot, which the radius goes by. */
  setRobot(robot: WorkspaceRobot | null, size: number): void;
  /** After the robot moved. */
  refresh(): void;
}

export function createLimitArcs(): LimitArcs {
  const object = new Group();
  let robot: WorkspaceRobot | null = null;
  let marks: Mark[] = [];
  const X = createTransform();

  function clear(): void {
    for (const { group, materials } of marks) {
      group.traverse((child) => {
        if (child instanceof Mesh) (child.geometry as BufferGeometry).dispose();
      });
      for (const material of materials) material.dispose();
      object.remove(group);
    }
    marks = [];
  }

  return {
    object,
    setRobot(next, size) {
      clear();
      robot = next;
      if (!robot) return;
      marks = listMarks(robot, radiusOf(robot, size));
      // A robot may have no joint with limits, and `add` complains of nothing.
      for (const { group } of marks) object.add(group);
    },
    refresh() {
      if (!robot) return;
      const { model, scene } = robot;
      for (const { joint, coordinate, lower, upper, isTurn, group, needle, materials } of marks) {
        // The joint's frame on its parent, before it moves.
        multiplyTransform(
          X,
          transformAt(scene.data.jointPlacements, model.parents[joint]),
          transformAt(model.placements, joint),
        );
        placeObject(group, X);
        const value = scene.q[coordinate];
        if (isTurn) needle.rotation.z = value;
        else needle.position.z = value;
        const margin = MARGIN * (upper - lower);
        const color = value < lower + margin || value > upper - margin ? NEAR : CALM;
        for (const material of materials) material.color.set(color);
      }
    },
  };
}

/** The twelve numbers of one of many transforms. */
function transformAt(all: Float64Array, index: number): Float64Array {
  return all.subarray(12 * index, 12 * index + 12);
}

function listMarks({ model }: WorkspaceRobot, radius: number): Mark[] {
  const marks: Mark[] = [];
  for (let joint = 1; joint < model.jointCount; joint++) {
    const coordinate = model.idxQ[joint];
    const [lower, upper] = [model.lower[coordinate], model.upper[coordinate]];
    const kind = model.jointKinds[joint]!;
    if (model.nqs[joint] !== 1 || kind.motion === 'general' || !(upper - lower < Infinity)) continue;
    const isTurn = kind.motion === 'rotation';
    const overlay = { color: CALM, transparent: true, depthTest: false, depthWrite: false, side: 2 } as const;
    const face = new MeshBasicMaterial({ ...overlay, opacity: 0.5 });
    const hand = new MeshBasicMaterial({ ...overlay, opacity: 0.95 });
    const range = Math.min(upper - lower, 2 * Math.PI);
    const sector = isTurn
      ? new Mesh(new RingGeometry(INNER * radius, radius, 64, 1, lower, range), face)
      : new Mesh(
          new BoxGeometry(0.12 * radius, 0.12 * radius, upper - lower).translate(0, 0, (lower + upper) / 2),
          face,
        );
    const needle = isTurn
      ? new Mesh(new BoxGeometry(0.5 * radius, 0.05 * radius, 0.05 * radius).translate(0.8 * radius, 0, 0), hand)
      : new Mesh(new BoxGeometry(0.3 * radius, 0.3 * radius, 0.06 * radius), hand);
    sector.renderOrder = 6;
    needle.renderOrder = 7;
    // Turned so that the axis is z; the group itself follows the joint.
    const turned = new Group();
    turned.quaternion.copy(
      new Quaternion().setFromUnitVectors(Z, new Vector3(...model.axes.slice(3 * joint, 3 * joint + 3))),
    );
    turned.add(sector, needle);
    const group = new Group();
    group.add(turned);
    marks.push({ joint, coordinate, lower, upper, isTurn, group, needle, materials: [face, hand] });
  }
  return marks;
}

/** A share of the robot's size, less where joints are close to each other. */
function radiusOf({ model }: WorkspaceRobot, size: number): number {
  const gaps: number[] = [];
  for (let j = 2; j < model.jointCount; j++) {
    const gap = Math.hypot(...model.placements.slice(12 * j + 9, 12 * j + 12));
    if (gap > 1e-3 * size) gaps.push(gap);
  }
  gaps.sort((a, b) => a - b);
  const middle = gaps[gaps.length >> 1] ?? size;
  return Math.min(0.16 * size, Math.max(0.45 * middle, 0.03 * size));
}
