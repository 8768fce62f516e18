/**
 * Spatial hash grid: uniform cells in a hash table, boxes listed in every cell they touch. The best broad phase for many
 * boxes of similar size, moving or not.
 *
 * Method: see grid-cells.ts (cells and levels), grid-registry.ts (box by box, when little moves), grid-sweep.ts (all at
 * once, when much moves). Boxes are cached; only moved ones are looked at again; contacts of the others persist.
 * Source: the spatial hash grid of PyBulletFleet's broad phase (cell size modes, median rule, multi-cell registration,
 * moved-only checks), corrected: cells by floor, not by truncation; a box is listed in every cell it touches on every axis of
 * the grid, whatever its size, so that no threshold can lose a pair; in two dimensions cells have no z at all (boxes are still
 * compared in all three); contacts of boxes that rest persist; AUTO_ADAPTIVE recalculates once per batch of changes.
 * Its multi-cell threshold decides the level here: a box wider than `multiCellThreshold` cells is listed in cells four times
 * as wide, again and again, so a wall costs no more entries than a part does.
 * Cost: a step in which k of n boxes move O(k + pairs) for sizes near the cell's; tiny boxes crowd the cells of
 * `minimumCellSize` and make it quadratic in their crowd.
 * Tested by hash-grid.test.ts, test/contract/broad-phases.test.ts, test/oracle/broad-phase.test.ts.
 */
import { type Fields, oneOf, requireFlag, requireNumber, requireOptions, requirePositive } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import type { NumericArray } from '../math/vec3.js';
import { BOX_STRIDE, LARGEST_TREE_COORDINATE, overlapBoxes, type PreparedRay } from './box.js';
import type { BroadPhase, PairVisitor, PersistentPairOptions, ProxyVisitor } from './broad-phase.js';
import { type CellSizeMode, computeCellSize, NARROWEST_CELL } from './cell-size.js';
import { GridCells } from './grid-cells.js';
import { GridRegistry } from './grid-registry.js';
import { GridSweep } from './grid-sweep.js';
import { ProxyList } from './proxy-list.js';
import { ProxySet } from './proxy-set.js';
import type { Traversal } from './traverse.js';

const OPTIONS: Fields = {
  cellSizeMode: oneOf('AUTO_INITIAL', 'CONSTANT', 'AUTO_ADAPTIVE'),
  cellSize: requirePositive,
  scaleFactor: requirePositive,
  minimumCellSize: requirePositive,
  multiCellThreshold: requirePositive,
  dimensions: oneOf(3, 2),
  persistentPairs: requireFlag,
  pairMargin: requireNumber,
};

export interface HashGridOptions extends PersistentPairOptions {
  /** Default AUTO_INITIAL. */
  readonly cellSizeMode?: CellSizeMode;
  /** Width of a cell; for CONSTANT, and only there. */
  readonly cellSize?: number;
  /** Automatic width in median extents. Default 2. */
  readonly scaleFactor?: number;
  /** Lower bound of the automatic width. Default 0.5. */
  readonly minimumCellSize?: number;
  /** Boxes wider than this many cells go to wider cells. Default 1.5; 8 at most, more counts as 8. */
  readonly multiCellThreshold?: number;
  /** 2: cells in x and y only, for boxes that hardly overlap in x and y. Pairs are the same. Default 3. */
  readonly dimensions?: 2 | 3;
}

/** A box of this many cells touches at most nine on an axis. */
const LARGEST_THRESHOLD = 8;
/** Up to this share of moved boxes the registry is mended, past it made anew. */
const MEND_SHARE = 1 / 3;

export class HashGrid extends ProxySet implements BroadPhase {
  readonly cellSizeMode: CellSizeMode;
  private readonly scaleFactor: number;
  private readonly minimumCellSize: number;
  private readonly threshold: number;
  private readonly dimensions: 2 | 3;
  private cells: GridCells | null = null;
  private readonly registry: GridRegistry;
  private registryIsMade = false;
  /** Boxes whose registration may be out of date; entries may be gone. */
  private readonly stale = new ProxyList();
  private populationChanged = true;
  /** Proxies in the grid, ascending. */
  private ids = new Int32Array(0);
  private readonly sweeps: GridSweep[] = [];
  private runningSweeps = 0;

  constructor(options: HashGridOptions = {}) {
    super('HashGrid', { persistentPairs: true, ...options });
    const { cellSizeMode = 'AUTO_INITIAL', dimensions = 3, scaleFactor = 2, minimumCellSize = 0.5 } = options;
    const { multiCellThreshold = 1.5, cellSize } = options;
    if (cellSizeMode !== 'AUTO_INITIAL' && cellSizeMode !== 'CONSTANT' && cellSizeMode !== 'AUTO_ADAPTIVE')
      refuse('cellSizeMode', cellSizeMode, 'AUTO_INITIAL, CONSTANT or AUTO_ADAPTIVE');
    if (dimensions !== 2 && dimensions !== 3) refuse('dimensions', dimensions, '2 or 3');
    if (!(scaleFactor > 0 && scaleFactor < Infinity)) refuse('scaleFactor', scaleFactor, 'a finite number above 0');
    if (!isWidth(minimumCellSize)) refuse('minimumCellSize', minimumCellSize, 'a number from 1e-100 to 1e100');
    if (!(multiCellThreshold > 0)) refuse('multiCellThreshold', multiCellThreshold, 'a number above 0');
    if (cellSizeMode === 'CONSTANT' && !isWidth(cellSize))
      refuse('cellSize', cellSize, 'a number from 1e-100 to 1e100');
    if (cellSizeMode !== 'CONSTANT' && cellSize !== undefined)
      refuse('cellSize', cellSize, 'none, except with CONSTANT');
    this.cellSizeMode = cellSizeMode;
    this.scaleFactor = scaleFactor;
    this.minimumCellSize = minimumCellSize;
    this.threshold = Math.min(multiCellThreshold, LARGEST_THRESHOLD);
    this.dimensions = dimensions;
    const cells = new GridCells(cellSize ?? minimumCellSize, this.threshold, dimensions);
    if (cellSizeMode === 'CONSTANT') this.cells = cells;
    this.registry = new GridRegistry(cells);
  }

  /** Width of the finest cells; null before an automatic mode has chosen one. */
  get cellSize(): number | null {
    return this.cells?.cellSize ?? null;
  }

  add(box: NumericArray): number {
    return this.addProxy(box);
  }

  remove(id: number): void {
    this.removeProxy(id);
  }

  /** Chooses the width from the boxes present now. Does nothing with CONSTANT. */
  calculateOptimalCellSize(): void {
    this.requireIdle('calculateOptimalCellSize');
    if (this.cellSizeMode === 'CONSTANT') return;
    this.listIds();
    const { exact, ids, scaleFactor, minimumCellSize } = this;
    const computed = computeCellSize(exact, ids, ids.length, this.dimensions, scaleFactor, minimumCellSize);
    const cellSize = Math.min(computed, LARGEST_TREE_COORDINATE);
    if (this.cells?.cellSize === cellSize) return;
    this.cells = new GridCells(cellSize, this.threshold, this.dimensions);
    this.registryIsMade = false;
  }

  /** Number of cells that a box touches at its level, whatever else the grid holds. */
  countCells(id: number): number {
    this.requireProxy('countCells', id);
    this.refresh();
    this.refreshRegistry();
    return this.isIndexed(id) ? this.registry.countCells(id) : 0;
  }

  override validate(): void {
    super.validate();
    this.refreshRegistry();
    this.registry.validate(this.exact, this.ids, (what) => this.fail(what));
  }

  protected refresh(): void {
    if (!this.populationChanged) return;
    this.listIds();
    const isDue = this.cellSizeMode === 'AUTO_ADAPTIVE' || (this.cells === null && this.ids.length > 0);
    this.populationChanged = false;
    if (isDue) this.calculateOptimalCellSize();
  }

  protected place(id: number): void {
    this.populationChanged = true;
    this.stale.add(id);
  }

  protected displace(id: number): void {
    this.populationChanged = true;
    if (this.registryIsMade) this.registry.unregister(id);
  }

  protected shift(id: number): void {
    this.stale.add(id);
  }

  protected reserveIndex(capacity: number): void {
    this.stale.reserve(capacity);
    this.registry.reserve(capacity);
  }

  protected firstRadius(): number {
    return this.cells?.cellSize ?? Infinity;
  }

  protected visitSelf(margin: number, traversal: Traversal, visit: PairVisitor): boolean {
    const { cells, ids, exact } = this;
    if (cells === null || ids.length < 2) return true;
    if (margin >= LARGEST_TREE_COORDINATE) return this.visitEveryPair(margin, traversal, visit);
    if (this.runningSweeps === this.sweeps.length) this.sweeps.push(new GridSweep());
    const sweep = this.sweeps[this.runningSweeps++];
    try {
      return sweep.run(cells, exact, ids, margin, traversal, visit);
    } finally {
      this.runningSweeps--;
    }
  }

  protected visitRegion(box: Float64Array, margin: number, traversal: Traversal, visit: ProxyVisitor): boolean {
    if (this.ids.length === 0) return true;
    this.refreshRegistry();
    return this.registry.visitRegion(this.exact, this.ids, box, margin, traversal, visit);
  }

  protected visitAt(x: number, y: number, z: number, traversal: Traversal, visit: ProxyVisitor): boolean {
    const { region } = traversal;
    region[0] = region[3] = x;
    region[1] = region[4] = y;
    region[2] = region[5] = z;
    return this.visitRegion(region, 0, traversal, visit);
  }

  protected visitAlong(ray: PreparedRay, traversal: Traversal, visit: ProxyVisitor): boolean {
    if (this.ids.length === 0) return true;
    this.refreshRegistry();
    return this.registry.visitRay(this.exact, this.ids, ray, traversal, visit);
  }

  /** For margins that reach everything. */
  private visitEveryPair(margin: number, traversal: Traversal, visit: PairVisitor): boolean {
    const { ids, exact } = this;
    for (let i = 0; i < ids.length; i++)
      for (let j = i + 1; j < ids.length; j++) {
        traversal.boxTests++;
        if (
          overlapBoxes(exact, ids[i] * BOX_STRIDE, exact, ids[j] * BOX_STRIDE, margin) &&
          visit(ids[i], ids[j]) === false
        )
          return false;
      }
    return true;
  }

  private listIds(): void {
    let n = 0;
    for (let id = 0; id < this.idCount; id++) if (this.isIndexed(id)) n++;
    const ids = this.ids.length === n ? this.ids : new Int32Array(n);
    n = 0;
    for (let id = 0; id < this.idCount; id++) if (this.isIndexed(id)) ids[n++] = id;
    this.ids = ids;
  }

  private refreshRegistry(): void {
    const { stale, ids, exact, registry } = this;
    if (this.registryIsMade && stale.count === 0) return;
    if (this.cells === null) return;
    if (!this.registryIsMade || stale.count > MEND_SHARE * ids.length) {
      registry.reset(this.cells, ids.length);
      for (let i = 0; i < ids.length; i++) registry.register(ids[i], exact);
      this.registryIsMade = true;
    } else
      for (let i = 0; i < stale.count; i++) if (this.isIndexed(stale.ids[i])) registry.register(stale.ids[i], exact);
    stale.clear();
  }
}

function isWidth(value: number | undefined): boolean {
  return value !== undefined && value >= NARROWEST_CELL && value <= LARGEST_TREE_COORDINATE;
}

function refuse(option: string, got: unknown, expected: string): never {
  throw new MisuseError(`createHashGrid: ${option}, got ${String(got)}, expected ${expected}`);
}

export function createHashGrid(options?: HashGridOptions): HashGrid {
  requireOptions('createHashGrid', options, OPTIONS);
  return new HashGrid(options);
}
