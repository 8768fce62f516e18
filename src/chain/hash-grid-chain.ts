/**
 * Self-contacts by a hash grid over the explicit chain: every link's position is known, and links near each other are
 * found through the cells of a grid.
 *
 * Method: cells are twice as wide as the farthest apart that two touching links' centres can be, so a link's partners lie
 * in the 2 x 2 x 2 cells around it. The changed joints cut the chain into rigid pieces. The longest piece is entered first;
 * the links of every further piece ask the grid, then enter it themselves, the last piece only asks. With one change this
 * is the moved part against the rest, whichever is shorter asking. Buckets are chained lists in flat arrays.
 * Source: Halperin, Overmars 1998, "Spheres, molecules, and hidden surface removal", section 2,
 *   doi:10.1016/S0925-7721(98)00023-6. The baseline "Grid" of Lotan et al. 2002, section 5.
 * Cost: O(N) per change and per search when links have similar sizes; one very long link makes every cell large.
 * Checked by chain.test.ts against brute force.
 */
import type { Chain } from './chain.js';
import { ExplicitChain } from './explicit-chain.js';
import type { LinkPairs } from './link-pairs.js';

const X_FACTOR = 73856093;
const Y_FACTOR = 19349663;
const Z_FACTOR = 83492791;

export class HashGridChain extends ExplicitChain {
  private readonly mask: number;
  private readonly heads: Int32Array;
  private readonly next: Int32Array;
  private readonly inverseCell: number;
  private out: LinkPairs | null = null;

  constructor(chain: Chain) {
    super(chain);
    let size = 8;
    while (size < 2 * chain.linkCount) size *= 2;
    this.mask = size - 1;
    this.heads = new Int32Array(size);
    this.next = new Int32Array(chain.linkCount);
    let reach = 0;
    for (let i = 0; i < chain.linkCount; i++) reach = Math.max(reach, chain.links.reaches[i]);
    // Twice the largest distance of touching centres; any width will do for a chain of points.
    this.inverseCell = 1 / (2 * (2 * reach + chain.tolerance) || 1);
  }

  protected search(out: LinkPairs | null): boolean {
    const { memory } = this;
    const { pieceCount } = memory;
    const longest = memory.longestPiece();
    const last = longest === pieceCount - 1 ? pieceCount - 2 : pieceCount - 1;
    this.heads.fill(-1);
    this.enter(memory.pieceStart(longest), memory.pieceStart(longest + 1));
    this.out = out;
    const before = out ? out.count : 0;
    for (let piece = 0; piece < pieceCount; piece++) {
      if (piece === longest) continue;
      const start = memory.pieceStart(piece);
      const end = memory.pieceStart(piece + 1);
      for (let link = start; link < end; link++) {
        if (this.ask(link)) return true;
      }
      if (piece !== last) this.enter(start, end);
    }
    return out !== null && out.count > before;
  }

  private enter(start: number, end: number): void {
    const { shapes, heads, next, mask, inverseCell } = this;
    for (let i = start; i < end; i++) {
      const x = Math.floor(shapes[12 * i + 9] * inverseCell);
      const y = Math.floor(shapes[12 * i + 10] * inverseCell);
      const z = Math.floor(shapes[12 * i + 11] * inverseCell);
      const bucket = (Math.imul(x, X_FACTOR) ^ Math.imul(y, Y_FACTOR) ^ Math.imul(z, Z_FACTOR)) & mask;
      next[i] = heads[bucket];
      heads[bucket] = i;
    }
  }

  /** Tests link i against what entered the eight cells around it; true when the search may stop. */
  private ask(i: number): boolean {
    const { shapes, heads, mask, inverseCell } = this;
    const x = Math.floor(shapes[12 * i + 9] * inverseCell - 0.5);
    const y = Math.floor(shapes[12 * i + 10] * inverseCell - 0.5);
    const z = Math.floor(shapes[12 * i + 11] * inverseCell - 0.5);
    for (let dx = 0; dx < 2; dx++) {
      const hashX = Math.imul(x + dx, X_FACTOR);
      for (let dy = 0; dy < 2; dy++) {
        const hashXY = hashX ^ Math.imul(y + dy, Y_FACTOR);
        for (let dz = 0; dz < 2; dz++) {
          const j = heads[(hashXY ^ Math.imul(z + dz, Z_FACTOR)) & mask];
          if (j >= 0 && this.askBucket(i, j, x + dx, y + dy, z + dz)) return true;
        }
      }
    }
    return false;
  }

  /** Walks the list from link j on; two cells may share a bucket, so a contact counts in its own cell only. */
  private askBucket(i: number, start: number, x: number, y: number, z: number): boolean {
    const { shapes, next, inverseCell, out } = this;
    const { exclusion } = this.chain;
    for (let j = start; j >= 0; j = next[j]) {
      if (Math.abs(i - j) <= exclusion || !this.touches(i, j)) continue;
      if (Math.floor(shapes[12 * j + 9] * inverseCell) !== x) continue;
      if (Math.floor(shapes[12 * j + 10] * inverseCell) !== y) continue;
      if (Math.floor(shapes[12 * j + 11] * inverseCell) !== z) continue;
      if (this.keepContact(out, Math.min(i, j), Math.max(i, j))) return true;
    }
    return false;
  }
}

export function createHashGridChain(chain: Chain): HashGridChain {
  return new HashGridChain(chain);
}
