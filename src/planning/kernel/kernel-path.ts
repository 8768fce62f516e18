/** The rounds of simplification in the kernel: assembly/planning/simplify.ts does what script-path.ts does. */
import type { EditedPath } from '../edited-path.js';
import type { WatchedChecks } from '../stopping.js';
import type { StateCoordinates, StateSpace } from '../types.js';
import * as layout from './layout.js';
import { type MotionSource, SearchBlock } from './search-block.js';

export class KernelPath implements EditedPath {
  private readonly block: SearchBlock;
  private readonly canProve: boolean;
  /** Step of the checks that motions have passed; 0 where functions are asked, whose samples are their own. */
  private coarse = 0;

  constructor(
    space: StateSpace,
    coordinates: StateCoordinates,
    path: readonly Float64Array[],
    motion: MotionSource,
    /** What counts the checks, where functions are asked. */
    private readonly counted: WatchedChecks | null,
  ) {
    this.canProve = 'checks' in motion && motion.checks.certify !== undefined && motion.lastStep !== null;
    this.block = new SearchBlock(space.dimension, { coordinates, sampler: 'none', seed: 0, motion });
    this.restart(path);
  }

  get checks(): number {
    return this.counted?.count ?? this.block.getInt(layout.S_MOTIONS);
  }

  restart(path: readonly Float64Array[]): void {
    const { block } = this;
    block.use(() => {
      const first = block.engine.functions.openPath(path.length) >>> 0;
      path.forEach((state, i) => {
        block.writeState(first + 8 * i * block.dimension, state);
      });
    });
  }

  round(leastChange: number, isFine: boolean): boolean {
    const { block } = this;
    const step = (isFine && block.lastStep) || block.step;
    this.coarse = this.counted === null && !isFine ? step : 0;
    const proves = this.canProve && !isFine ? 1 : 0;
    return block.use(() => block.engine.functions.simplifyRound(leastChange, step, proves) === 1);
  }

  measure(): number {
    return this.block.use(() => this.block.engine.functions.measurePath());
  }

  get isChecked(): boolean {
    return this.block.lastStep !== 0;
  }

  isValid(): boolean {
    const { block } = this;
    return block.use(() => block.engine.functions.findBlocked(block.lastStep, this.coarse, this.canProve ? 1 : 0) < 0);
  }

  read(): Float64Array[] {
    const { block } = this;
    return block.use(() => {
      const count = block.engine.functions.tidyPath();
      const first = block.getInt(layout.S_PATH) >>> 0;
      return Array.from({ length: count }, (_, i) => block.readState(first + 8 * i * block.dimension));
    });
  }

  dispose(): void {
    this.block.dispose();
  }
}
