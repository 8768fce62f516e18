/** Tells which object of the scene was clicked; a drag of the camera is no click. */
import { type Object3D, Raycaster, Vector2 } from 'three';
import type { Stage } from './stage.js';

/** Pixels the pointer may move between press and release. */
const STILL = 4;

/** `onPick` gets one of `candidates()`, or null when the click hit none of them. */
export function listenForPicks(
  stage: Stage,
  candidates: () => readonly Object3D[],
  onPick: (object: Object3D | null) => void,
): void {
  const { canvas, camera } = stage;
  const raycaster = new Raycaster();
  let pressed: { readonly x: number; readonly y: number } | null = null;
  canvas.addEventListener('pointerdown', (event) => {
    pressed = event.button === 0 ? { x: event.clientX, y: event.clientY } : null;
  });
  canvas.addEventListener('pointerup', (event) => {
    if (!pressed || Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > STILL) return;
    pressed = null;
    const { left, top, width, height } = canvas.getBoundingClientRect();
    const x = (2 * (event.clientX - left)) / width - 1;
    const y = 1 - (2 * (event.clientY - top)) / height;
    raycaster.setFromCamera(new Vector2(x, y), camera);
    const visible = candidates().filter((object) => object.visible);
    onPick(raycaster.intersectObjects(visible, false)[0]?.object ?? null);
  });
}
