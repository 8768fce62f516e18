/** The nearest pair: a line between the witness points with its distance. */
import type { ScenePair } from 'clearance/scene';
import { formatDistance } from '../format.js';
import { createLabelledLine } from './labelled-line.js';
import type { Stage } from './stage.js';

const APART = 0x1463c8;
const TOUCHING = 0xd32f1e;

export interface NearestLine {
  show(pair: ScenePair | null): void;
  setVisible(visible: boolean): void;
}

export function createNearestLine(stage: Stage, container: HTMLElement): NearestLine {
  const line = createLabelledLine(stage, container);
  return {
    show(pair) {
      if (!pair) return line.show(null);
      const touching = pair.distance <= 0;
      line.show({
        ...pair,
        color: touching ? TOUCHING : APART,
        text: formatDistance(pair.distance, pair.status),
        className: touching ? 'touching' : '',
      });
    },
    setVisible: line.setVisible,
  };
}
