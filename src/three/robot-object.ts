/**
 * A robot as three.js objects: one group per link, holding a `visual` and a `collision` group, placed from the frames
 * that forward kinematics wrote. Link groups are siblings (each holds X_WL), so a slider costs one matrix per link and
 * no tree walk. Geometry is shared between parts with the same shape object.
 */
import { type BufferGeometry, type Color, Group, type Material, Mesh, MeshStandardMaterial } from 'three';
import { requireIndexedMesh } from '../geometry/require-mesh.js';
import type { Shape } from '../geometry/shapes.js';
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import {
  type Fields,
  requireFields,
  requireFunction,
  requireList,
  requireMap,
  requireNumbers,
  throwMisuse,
  unchecked,
} from '../math/arguments.js';
import { describeValue } from '../math/known-keys.js';
import { type Data, findLink, type Model } from '../model/model.js';
import { requireModelData } from '../model/model-door.js';
import type { GeometryDescription, RobotDescription } from '../scene/description.js';
import { createShapeResolver } from '../scene/resolve-shape.js';
import { requireRobotDescription } from '../semantics/require-semantic.js';
import { type ShapeGeometryOptions, shapeToGeometry } from './shape-geometry.js';
import { requireKind, SHAPE_OPTIONS } from './three-door.js';
import { placeObject } from './transforms.js';

export type RobotLayer = 'visual' | 'collision';

export interface RobotObjectOptions {
  readonly description: RobotDescription;
  /** Loaded meshes by file name as the description writes it; parts whose mesh is absent are left out. */
  readonly meshes?: ReadonlyMap<string, TriangleMesh>;
  /** Material of a part; default: a standard material in the part's colour. Called once per part. */
  readonly createMaterial?: (part: GeometryDescription, layer: RobotLayer) => Material;
  readonly geometry?: ShapeGeometryOptions;
}

const CALL = 'createRobotObject';
const OPTIONS: Fields = {
  description: unchecked,
  meshes: (call, what, meshes) => {
    requireMap(call, what, meshes);
    for (const [file, mesh] of meshes as ReadonlyMap<unknown, TriangleMesh>)
      requireIndexedMesh(call, `${what} of ${describeValue(file)}`, mesh);
  },
  createMaterial: requireFunction,
  geometry: (call, what, options) => {
    requireFields(call, what, options, SHAPE_OPTIONS);
  },
};

export interface LinkObject {
  readonly name: string;
  readonly group: Group;
  readonly visual: Group;
  readonly collision: Group;
}

export interface RobotObject {
  /** Holds one group per link; stands at the world origin, as Data's frames are world frames. */
  readonly root: Group;
  readonly links: ReadonlyMap<string, LinkObject>;
  /** Frees geometries and materials. */
  dispose(): void;
}

export function createRobotObject(options: RobotObjectOptions): RobotObject {
  requireFields(CALL, 'options', options, OPTIONS);
  requireRobotDescription(CALL, options.description, 'options.description');
  requireList(CALL, 'options.description.visuals', options.description.visuals);
  requireList(CALL, 'options.description.collisions', options.description.collisions);
  const { description, createMaterial = defaultMaterial } = options;
  const resolver = createShapeResolver(options.meshes ?? new Map());
  const geometries = new Map<Shape, BufferGeometry>();
  const materials: Material[] = [];
  const root = new Group();
  root.name = description.name;
  const links = new Map<string, LinkObject>();
  for (const { name } of description.model.links) {
    const group = new Group();
    const visual = new Group();
    const collision = new Group();
    group.name = name;
    visual.name = 'visual';
    collision.name = 'collision';
    group.add(visual, collision);
    root.add(group);
    links.set(name, { name, group, visual, collision });
  }
  const addPart = (part: GeometryDescription, layer: RobotLayer): void => {
    const link = links.get(part.link);
    const shape = link && resolver.resolve(part.shape);
    if (!link || !shape) return;
    let geometry = geometries.get(shape);
    if (!geometry) {
      geometry = shapeToGeometry(shape, options.geometry ?? {});
      geometries.set(shape, geometry);
    }
    const material = createMaterial(part, layer);
    requireKind(CALL, `what options.createMaterial returned`, material, 'isMaterial');
    materials.push(material);
    const mesh = new Mesh(geometry, material);
    mesh.name = part.name ?? '';
    placeObject(mesh, part.origin);
    link[layer].add(mesh);
  };
  for (const part of description.visuals) addPart(part, 'visual');
  for (const part of description.collisions) addPart(part, 'collision');
  return {
    root,
    links,
    dispose() {
      for (const geometry of geometries.values()) geometry.dispose();
      for (const material of materials) material.dispose();
      root.removeFromParent();
    },
  };
}

/** Moves every link group to its frame, after `updateFramePlacements(model, data)`. */
export function updateRobotObject(robot: RobotObject, model: Model, data: Data): void {
  const links = robot?.links;
  if (!(links instanceof Map)) throwMisuse('updateRobotObject', 'robot', robot, 'what createRobotObject returned');
  requireModelData('updateRobotObject', model, data);
  for (const { name, group } of links.values()) {
    placeObject(group, data.framePlacements, 12 * model.linkFrames[findLink(model, name)]);
  }
}

const DEFAULT_COLOR = 0xb8bcc0;

function defaultMaterial(part: GeometryDescription): Material {
  const material = new MeshStandardMaterial({ color: DEFAULT_COLOR, roughness: 0.7, metalness: 0.1 });
  if (part.color) applyColor(material, part.color);
  return material;
}

/** Sets colour and opacity from URDF's rgba, which is meant as sRGB. */
export function applyColor(
  material: Material & { color: Color },
  rgba: readonly [number, number, number, number],
): void {
  requireKind('applyColor', 'material', material, 'isMaterial');
  if ((material.color as Color | undefined)?.isColor !== true)
    throwMisuse('applyColor', 'material', material, 'a material with a color');
  requireNumbers('applyColor', 'rgba', rgba, 4);
  material.color.setRGB(rgba[0], rgba[1], rgba[2], 'srgb');
  material.opacity = rgba[3];
  material.transparent = rgba[3] < 1;
}
