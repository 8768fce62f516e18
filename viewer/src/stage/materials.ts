/** Materials of links and objects, and the red of contact. */

import type { Shape } from 'clearance/geometry';
import type { GeometryDescription } from 'clearance/scene';
import type { RobotLayer } from 'clearance/three';
import { applyColor } from 'clearance/three';
import {
  Color,
  DoubleSide,
  type Material,
  Mesh,
  MeshStandardMaterial,
  type Object3D,
  type RGB,
  SRGBColorSpace,
} from 'three';
import { addHatch, setHatch } from './contact-hatch.js';

export const CONTACT = new Color(0xd32f1e);
/** On what is all red. */
const STRIPES = new Color(0x7d140b);
const UNPAINTED = 0xb9bdc1;
const COLLISION = 0x3f8f86;
/** Furniture around a robot is all of one colour; the parts of an assembly are told apart. */
const FURNITURE = 0xc3bcae;
const PARTS = [0x8d9aa8, 0xc2a878, 0x86a68c, 0xa58fae] as const;
const FLOOR = 0xaab0b6;

/** Own colour of every material made here. */
const ownColors = new WeakMap<Material, Color>();

export function createPartMaterial(part: GeometryDescription, layer: RobotLayer): MeshStandardMaterial {
  const material = new MeshStandardMaterial({ color: UNPAINTED, roughness: 0.62, metalness: 0.05, side: DoubleSide });
  if (layer === 'collision') {
    material.color.set(COLLISION);
    material.transparent = true;
    material.opacity = 0.42;
    material.depthWrite = false;
  } else if (part.color) {
    applyColor(material, part.color);
    keepFromContact(material.color);
  }
  addHatch(material, STRIPES);
  ownColors.set(material, material.color.clone());
  return material;
}

/** Red means contact here: parts that are painted so are shown paler, or a free robot would look as if it touched. */
function keepFromContact(color: Color): void {
  const { r, g, b } = color.getRGB({ r: 0, g: 0, b: 0 } satisfies RGB, SRGBColorSpace);
  if (r > 0.35 && g < 0.5 * r && b < 0.5 * r) color.lerp(new Color(UNPAINTED), 0.72);
}

export function createObjectMaterial(shape: Shape, part: number | null): MeshStandardMaterial {
  const material = new MeshStandardMaterial({
    color: part === null ? FURNITURE : PARTS[part % PARTS.length],
    roughness: 0.85,
    metalness: 0,
    side: DoubleSide,
  });
  if (shape.type === 'halfspace') {
    material.color.set(FLOOR);
    material.transparent = true;
    material.opacity = 0.25;
    material.depthWrite = false;
  }
  // A whole table in red would hide where it is touched.
  if (part === null) material.userData.contactShare = 0.4;
  addHatch(material, part === null ? CONTACT : STRIPES);
  ownColors.set(material, material.color.clone());
  return material;
}

export function markContact(material: MeshStandardMaterial, touching: boolean): void {
  const own = ownColors.get(material);
  if (!own) return;
  material.color.copy(own);
  if (touching) material.color.lerp(CONTACT, material.userData.contactShare ?? 1);
  setHatch(material, touching);
}

const HOVER = new Color(0x1463c8);

/** Under the pointer. */
export function markHover(material: MeshStandardMaterial, isOver: boolean): void {
  material.emissive.copy(HOVER);
  material.emissiveIntensity = isOver ? 0.22 : 0;
}

/** Lets see through; 1: as it was made. Collision geometry and floors are translucent by themselves. */
export function setOpacity(material: MeshStandardMaterial, opacity: number): void {
  material.userData.opacity ??= material.opacity;
  const own = material.userData.opacity as number;
  material.opacity = own * opacity;
  material.transparent = material.opacity < 1;
  material.depthWrite = material.opacity === 1;
}

/** Materials below an object that can be marked. */
export function markedMaterials(object: Object3D): MeshStandardMaterial[] {
  const materials: MeshStandardMaterial[] = [];
  object.traverse((child) => {
    if (child instanceof Mesh && child.material instanceof MeshStandardMaterial) materials.push(child.material);
  });
  return materials;
}
