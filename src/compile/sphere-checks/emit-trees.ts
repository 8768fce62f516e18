/**
 * Functions that compare spheres at four configurations with blocks of many parts (tree-blocks.ts).
 *
 * Method: the centre goes to the block's frame; the tree is walked in the order of its nodes, all four configurations at once: a node whose
 * box no sphere reaches is passed by with all below it. At the leaves distances to triangles (the plane inside its sides, else the sides),
 * cubes and points. Then whether a centre is inside: below all planes of a hull, or in a marked cell of a grid. A cloud with lists
 * is asked by them where the reach is not beyond what they are made for: each configuration finds its list, and looks through it by fours.
 * Rounding: as emit-obstacles.ts. Source: primitive-tree.ts, inside-grid.ts, affordance-tree.ts.
 * Cost: see docs/spheres.md. Tested by obstacle-kinds.test.ts.
 */
import { ValueType } from '../wasm-module.js';
import { ENTRY_BYTES, LIST_GROUP_BYTES } from './affordance-tree.js';
import { CENTER_BYTES, type CheckMode } from './emit-obstacles.js';
import { type Code, FunctionWriter } from './function-writer.js';
import { GRID_HEADER_BYTES } from './inside-grid.js';
import { FIRST_WORD, InsideKind } from './obstacle-records.js';
import { NODE_BYTES, PRIMITIVE_BYTES, type PrimitiveName } from './primitive-tree.js';

const { I32, V128 } = ValueType;
const RECORD_HEAD = 8;
const WORDS = RECORD_HEAD + 4 * FIRST_WORD;

const sum = (f: FunctionWriter, parts: readonly Code[]): Code => parts.reduce((a, b) => f.lanes('add', a, b));
const dot = (f: FunctionWriter, a: readonly Code[], b: readonly Code[]): Code =>
  sum(
    f,
    a.map((x, i) => f.lanes('mul', x, b[i])),
  );
const squares = (f: FunctionWriter, parts: readonly Code[]): Code =>
  sum(
    f,
    parts.map((part) => {
      const kept = f.keep(part);
      return f.lanes('mul', kept, kept);
    }),
  );

/** Squared distance to a box whose lowest corner is at an address, its highest 16 bytes behind. */
function toBox(f: FunctionWriter, at: Code, p: readonly Code[]): Code {
  return squares(
    f,
    p.map((x, k) =>
      f.lanes(
        'max',
        f.lanes('max', f.lanes('sub', f.loadSplat(at, 4 * k), x), f.lanes('sub', x, f.loadSplat(at, 16 + 4 * k))),
        f.splat(0),
      ),
    ),
  );
}

function toPoint(f: FunctionWriter, at: Code, p: readonly Code[]): Code {
  return squares(
    f,
    p.map((x, k) => f.lanes('sub', x, f.loadSplat(at, 4 * k))),
  );
}

function toTriangle(f: FunctionWriter, at: Code, p: readonly Code[]): Code {
  const splat = (k: number): Code => f.loadSplat(at, 4 * k);
  const corners = [0, 1, 2].map((n) => [0, 1, 2].map((k) => f.keep(splat(3 * n + k))));
  const from = corners.map((corner) => corner.map((c, k) => f.keep(f.lanes('sub', p[k], c))));
  const normal = [9, 10, 11].map(splat);
  const height = f.keep(dot(f, normal, from[0]));
  const isOver = [0, 1, 2]
    .map((n) =>
      f.lanes(
        'gt',
        dot(
          f,
          [0, 1, 2].map((k) => splat(12 + 3 * n + k)),
          from[n],
        ),
        f.splat(0),
      ),
    )
    .reduce((a, b) => f.lanes('and', a, b));
  const sides = [0, 1, 2].map((n) => {
    const e = corners[n].map((c, k) => f.keep(f.lanes('sub', corners[(n + 1) % 3][k], c)));
    const along = f.lanes('mul', dot(f, e, from[n]), splat(21 + n));
    const t = f.keep(f.lanes('min', f.lanes('max', along, f.splat(0)), f.splat(1)));
    return f.keep(
      squares(
        f,
        from[n].map((d, k) => f.lanes('sub', d, f.lanes('mul', t, e[k]))),
      ),
    );
  });
  const nearest = sides.reduce((a, b) => f.lanes('min', a, b));
  return f.select(f.lanes('mul', height, height), nearest, isOver);
}

const TO_PRIMITIVE = { triangle: toTriangle, cube: toBox, point: toPoint } as const;

/** (block, end of its nodes, x, y, z, reach) -> bits of configurations at which a part is in reach, as `emitTouch`. */
export function emitWalk(name: PrimitiveName, mode: CheckMode): FunctionWriter {
  const f = new FunctionWriter([I32, I32, V128, V128, V128, V128], [I32]);
  const block = f.parameter(0).get;
  const end = f.parameter(1).get;
  const p = [2, 3, 4].map((i) => f.parameter(i).get);
  const reach = f.parameter(5).get;
  const limit = f.keep(f.lanes('mul', reach, reach));
  const touched = f.v128();
  const at = f.i32();
  const word = f.i32();
  const left = f.i32();
  const place = f.i32();
  f.set(at, block);
  f.block((done) => {
    f.loop((next) => {
      f.branchIf(done, f.integer('ge', at.get, end));
      const isNear = f.lanes('le', toBox(f, at.get, p), limit);
      const isWanted = mode === 'any' ? isNear : f.lanes('andNot', isNear, touched.get);
      f.when(f.integer('eqz', f.unary('anyTrue', isWanted)), () => {
        f.set(at, f.integer('add', block, f.loadI32(at.get, 12)));
        f.branch(next);
      });
      f.set(word, f.loadI32(at.get, 28));
      f.set(at, f.integer('add', at.get, f.number(NODE_BYTES)));
      f.branchIf(next, f.integer('eqz', word.get));
      f.set(left, f.integer('and', word.get, f.number(15)));
      f.set(place, f.integer('add', block, f.integer('sub', word.get, left.get)));
      f.loop((again) => {
        const hit = f.lanes('le', TO_PRIMITIVE[name](f, place.get, p), limit);
        f.set(touched, f.lanes('or', touched.get, hit));
        f.set(place, f.integer('add', place.get, f.number(PRIMITIVE_BYTES[name])));
        f.set(left, f.integer('sub', left.get, f.number(1)));
        f.branchIf(again, left.get);
      });
      const isEnough =
        mode === 'any'
          ? f.unary('anyTrue', touched.get)
          : f.integer('eq', f.unary('bitmask', touched.get), f.number(15));
      f.branchIf(done, isEnough);
      f.branch(next);
    });
  });
  f.unary('bitmask', touched.get)();
  return f;
}

/** (kind, address, count, root, x, y, z) -> bits of configurations at which the centre is inside, or may be. */
export function emitInside(): FunctionWriter {
  const f = new FunctionWriter([I32, I32, I32, I32, V128, V128, V128], [I32]);
  const [kind, at, count, root] = [0, 1, 2, 3].map((i) => f.parameter(i));
  const p = [4, 5, 6].map((i) => f.parameter(i).get);
  f.when(f.integer('eqz', kind.get), () => f.give(f.number(0)));
  const inBox = p
    .flatMap((x, k) => [
      f.lanes('ge', x, f.loadSplat(root.get, 4 * k)),
      f.lanes('le', x, f.loadSplat(root.get, 16 + 4 * k)),
    ])
    .reduce((a, b) => f.lanes('and', a, b));
  f.when(f.integer('eq', kind.get, f.number(InsideKind.planes)), () => {
    const below = f.v128();
    f.set(below, inBox);
    f.block((done) => {
      f.loop((next) => {
        f.branchIf(done, f.integer('eqz', f.unary('anyTrue', below.get)));
        f.branchIf(done, f.integer('eqz', count.get));
        const height = dot(
          f,
          [0, 1, 2].map((k) => f.loadSplat(at.get, 4 * k)),
          p,
        );
        f.set(below, f.lanes('and', below.get, f.lanes('le', height, f.loadSplat(at.get, 12))));
        f.set(at, f.integer('add', at.get, f.number(16)));
        f.set(count, f.integer('sub', count.get, f.number(1)));
        f.branch(next);
      });
    });
    f.give(f.unary('bitmask', below.get));
  });
  const cells = p.map((x, k) => {
    const along = f.lanes('mul', f.lanes('sub', x, f.loadSplat(at.get, 4 * k)), f.loadSplat(at.get, 16));
    return f.unary('truncate', f.lanes('min', f.lanes('max', along, f.splat(0)), f.loadSplat(at.get, 32 + 4 * k)));
  });
  const [nx, ny] = [48, 52].map((offset) => f.loadSplat(at.get, offset));
  const rows = f.lanes('addI32', f.lanes('mulI32', cells[2], ny), cells[1]);
  const index = f.keep(f.lanes('addI32', f.lanes('mulI32', rows, nx), cells[0]));
  const bits = [0, 1, 2, 3].map((lane) =>
    f.integer('shl', f.loadByte(f.integer('add', at.get, f.extract(index, lane)), GRID_HEADER_BYTES), f.number(lane)),
  );
  bits.reduce((a, b) => f.integer('or', a, b))();
  return f;
}

/** (medians, entries, levels, block, x, y, z, reach) -> bits, as `emitTouch`. `scratch`: room for three registers. */
export function emitLists(mode: CheckMode, scratch: number): FunctionWriter {
  const f = new FunctionWriter([I32, I32, I32, I32, V128, V128, V128, V128], [I32]);
  const [medians, entries, levels, block] = [0, 1, 2, 3].map((i) => f.parameter(i));
  const zero = f.number(0);
  [4, 5, 6].forEach((i, k) => {
    f.store(zero, f.parameter(i).get, scratch + 16 * k);
  });
  const limit = f.keep(f.lanes('mul', f.parameter(7).get, f.parameter(7).get));
  const cells = [0, 1, 2, 3].map(() => f.i32());
  const axis = f.i32();
  const level = f.i32();
  for (const cell of cells) f.set(cell, f.number(1));
  f.loop((next) => {
    cells.forEach((cell, lane) => {
      const median = f.integer('add', medians.get, f.integer('shl', cell.get, f.number(2)));
      const isBeyond = f.isNotBelow(axis.get, scratch + 4 * lane, median);
      f.set(cell, f.integer('add', f.integer('shl', cell.get, f.number(1)), isBeyond));
    });
    f.set(axis, f.integer('add', axis.get, f.number(16)));
    f.when(f.integer('eq', axis.get, f.number(48)), () => f.set(axis, f.number(0)));
    f.set(level, f.integer('add', level.get, f.number(1)));
    f.branchIf(next, f.integer('lt', level.get, levels.get));
  });
  // Entries are counted from the first leaf.
  f.set(entries, f.integer('sub', entries.get, f.integer('shl', f.number(ENTRY_BYTES), levels.get)));
  const bits = f.i32();
  const at = f.i32();
  const left = f.i32();
  const x = [f.v128(), f.v128(), f.v128()];
  cells.forEach((cell, lane) => {
    x.forEach((local, k) => {
      f.set(local, f.loadSplat(zero, scratch + 16 * k + 4 * lane));
    });
    const p = x.map((local) => local.get);
    f.set(at, f.integer('add', entries.get, f.integer('mul', cell.get, f.number(ENTRY_BYTES))));
    f.when(f.unary('anyTrue', f.lanes('le', toBox(f, at.get, p), limit)), () => {
      f.set(left, f.loadI32(at.get, 28));
      f.set(at, f.integer('add', block.get, f.loadI32(at.get, 12)));
      f.block((done) => {
        f.loop((next) => {
          f.branchIf(done, f.integer('eqz', left.get));
          const apart = squares(
            f,
            p.map((value, k) => f.lanes('sub', value, f.load(at.get, 16 * k))),
          );
          f.when(f.unary('anyTrue', f.lanes('le', apart, limit)), () => {
            f.set(bits, f.integer('or', bits.get, f.number(1 << lane)));
            if (mode === 'any') f.give(bits.get);
            f.branch(done);
          });
          f.set(at, f.integer('add', at.get, f.number(LIST_GROUP_BYTES)));
          f.set(left, f.integer('sub', left.get, f.number(1)));
          f.branch(next);
        });
      });
    });
  });
  bits.get();
  return f;
}

export interface BlockTargets {
  readonly walk: number;
  readonly inside: number;
  readonly lists: number;
}

/** As `emitTouch`, of records that point to a block. */
export function emitTouchBlock(name: PrimitiveName, targets: BlockTargets, mode: CheckMode): FunctionWriter {
  const f = new FunctionWriter([I32, I32, I32, I32, I32], [I32]);
  const [record, centers, radii, count, growth] = [0, 1, 2, 3, 4].map((i) => f.parameter(i));
  const word = (k: number): Code => f.loadI32(record.get, WORDS + 4 * k);
  const field = (k: number): Code => f.keep(f.loadSplat(record.get, RECORD_HEAD + 4 * k));
  const margin = f.keep(f.lanes('add', f.loadSplat(record.get, 4), f.loadSplat(growth.get)));
  const c = [0, 1, 2].map(field);
  const rows = [0, 1, 2].map((r) => [0, 1, 2].map((k) => field(3 + 3 * r + k)));
  const bits = f.i32();
  const reach = f.v128();
  const d = [f.v128(), f.v128(), f.v128()];
  const y = [f.v128(), f.v128(), f.v128()];
  const p = y.map(({ get }) => get);
  f.loop((start) => {
    d.forEach((local, k) => {
      f.set(local, f.lanes('sub', f.load(centers.get, 16 * k), c[k]));
    });
    y.forEach((local, r) => {
      f.set(
        local,
        dot(
          f,
          rows[r],
          d.map(({ get }) => get),
        ),
      );
    });
    f.set(reach, f.lanes('add', f.loadSplat(radii.get), margin));
    const take = (found: Code): void => {
      f.set(bits, f.integer('or', bits.get, found));
      if (mode === 'any') f.when(bits.get, () => f.give(bits.get));
    };
    const walk = f.call(targets.walk, word(0), word(1), ...p, reach.get);
    if (name === 'point') {
      const isListed = f.integer(
        'and',
        f.integer('gt', word(4), f.number(0)),
        f.unary('anyTrue', f.lanes('le', reach.get, f.loadSplat(record.get, WORDS + 20))),
      );
      f.when(
        isListed,
        () => take(f.call(targets.lists, word(2), word(3), word(4), word(2), ...p, reach.get)),
        () => take(walk),
      );
    } else take(walk);
    if (name === 'triangle') take(f.call(targets.inside, word(2), word(3), word(4), word(0), ...p));
    f.set(centers, f.integer('add', centers.get, f.number(CENTER_BYTES)));
    f.set(radii, f.integer('add', radii.get, f.number(4)));
    f.set(count, f.integer('sub', count.get, f.number(1)));
    f.branchIf(start, count.get);
  });
  bits.get();
  return f;
}
