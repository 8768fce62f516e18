/** Whether a pointer is down anywhere on the page: what may wait does so until it is up. */
export function watchPointer(): { readonly isHeld: boolean } {
  const state = { isHeld: false };
  for (const kind of ['pointerdown', 'pointerup', 'pointercancel'] as const)
    window.addEventListener(
      kind,
      () => {
        state.isHeld = kind === 'pointerdown';
      },
      { capture: true },
    );
  return state;
}
