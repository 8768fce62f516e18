/** The protein's display, fetched when the first protein is shown. */
import type { Stage } from '../stage/stage.js';
import type { LoadedProtein, ProteinChoice } from './load-protein.js';
import type { ProteinDisplay } from './protein.js';

export interface LazyProtein {
  show(protein: LoadedProtein): Promise<void>;
  clear(): void;
  /** False when none is shown. */
  frame(): boolean;
  step(direction: -1 | 1): void;
}

export function createLazyProtein(
  stage: Stage,
  onSteps: (canUndo: boolean, canRedo: boolean) => void,
  onChoose: (choice: ProteinChoice) => void,
): LazyProtein {
  let display: ProteinDisplay | null = null;
  /** What is shown last counts, and nothing once it was cleared. */
  let request = 0;
  return {
    async show(protein) {
      const own = ++request;
      const { createProteinDisplay } = await import('./protein.js');
      if (own !== request) {
        protein.conformation?.dispose();
        return;
      }
      display ??= createProteinDisplay(stage, onSteps, onChoose);
      await display.show(protein);
    },
    clear() {
      request++;
      display?.clear();
    },
    frame: () => display?.frame() ?? false,
    step: (direction) => display?.step(direction),
  };
}
