/** Tells where the scene was clicked, as a ray from the camera; a drag of the camera is no click. */
import type { SceneRay } from 'clearance/scene';
import { Raycaster, Vector2 } from 'three';
import type { Stage } from './stage.js';

/** Pixels the pointer may move between press and release. */
const STILL = 4;

const raycaster = new Raycaster();

/** From the camera through the pointer. */
export function rayOf(
  { canvas, camera }: Stage,
  pointer: { readonly clientX: number; readonly clientY: number },
): SceneRay {
  const { left, top, width, height } = canvas.getBoundingClientRect();
  const x = (2 * (pointer.clientX - left)) / width - 1;
  const y = 1 - (2 * (pointer.clientY - top)) / height;
  raycaster.setFromCamera(new Vector2(x, y), camera);
  const { origin, direction } = raycaster.ray;
  return { origin: origin.toArray(), direction: direction.toArray() };
}

export function listenForPicks(stage: Stage, onPick: (ray: SceneRay) => void): void {
  const { canvas } = stage;
  let pressed: { readonly x: number; readonly y: number } | null = null;
  canvas.addEventListener('pointerdown', (event) => {
    pressed = event.button === 0 ? { x: event.clientX, y: event.clientY } : null;
  });
  canvas.addEventListener('pointerup', (event) => {
    if (!pressed || Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > STILL) return;
    pressed = null;
    onPick(rayOf(stage, event));
  });
}
