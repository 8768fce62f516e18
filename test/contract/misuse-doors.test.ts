/**
 * Wrong arguments at every public door: each exported function and class is called with one argument wrong at a time, then
 * with several and with wrong fields deep inside. A call returns where the value can be read as the argument, or throws a
 * MisuseError that says call, argument, what it got and what it expected; no other error comes out.
 *
 * Every export has an entry in test/support/doors or a reason there why not; a new one fails here until it has.
 * Default: a seeded part of the single wrong arguments. ORACLE_FULL: all of them, and combinations, 10^5 calls together.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../src/math/random.js';
import { doors, madeInside, uncheckedKernels } from '../support/doors/doors.js';
import { disposedHandles, Fixture, wrongValues } from '../support/doors/fixture.js';
import { type Fault, judge, listPaths, type Target } from '../support/doors/misuse.js';
import { toArgument } from '../support/doors/slot.js';

const isFull = Boolean(process.env.ORACLE_FULL);
/** Calls of which one is made by default. */
const SHARE = 6;
/** Calls with several wrong arguments, of ORACLE_FULL. */
const COMBINATIONS = 32_000;
const only = process.env.DOORS_ONLY ? new RegExp(process.env.DOORS_ONLY) : /./;

const { exports } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  exports: Record<string, unknown>;
};
const doorNames = Object.keys(exports)
  .filter((key) => !/\.(wasm|json)$/.test(key))
  .map((key) => (key === '.' ? 'index' : key.slice(2)));

type Callable = (...values: unknown[]) => unknown;
const exported = new Map<string, Record<string, Callable>>();
for (const name of doorNames) {
  const module = (await import(`../../src/${name}.ts`)) as Record<string, unknown>;
  const functions = Object.entries(module).filter(([, value]) => typeof value === 'function');
  exported.set(name, Object.fromEntries(functions) as Record<string, Callable>);
}

const isClass = (f: Callable): boolean => /^class\b/.test(Function.prototype.toString.call(f));

const unknown: string[] = [];
const targets: Target[] = Object.entries(doors).flatMap(([door, entries]) =>
  Object.entries(entries).map(([name, example]) => {
    const f = exported.get(door)?.[name];
    if (!f) unknown.push(`${door}: ${name}`);
    const invoke = (_: Fixture, values: readonly unknown[]): unknown => {
      const g = f as Callable;
      return isClass(g) ? Reflect.construct(g, values) : g(...values);
    };
    return { door, name, example, invoke };
  }),
);

function faultsOf(target: Target): Fault[] {
  const values = [...wrongValues(new Fixture()), ...disposedHandles()];
  return listPaths(target.example).flatMap((path) => values.map(([label, value]) => ({ path, label, value })));
}

describe('misuse at the doors', () => {
  it('has an entry for every exported function, or a reason why not', () => {
    const known = new Set([
      ...Object.values(doors).flatMap(Object.keys),
      ...madeInside,
      ...Object.values(uncheckedKernels).flat(),
    ]);
    const missing = [...exported].flatMap(([door, functions]) =>
      Object.keys(functions)
        .filter((name) => !known.has(name))
        .map((name) => `${door}: ${name}`),
    );
    expect({ missing, unknown }).toEqual({ missing: [], unknown: [] });
  });

  it.each(
    targets
      .filter(({ name, door }) => only.test(`${door}.${name}`))
      .map((target) => [target.door, target.name, target] as const),
  )('%s: %s takes its example', async (_door, _name, target) => {
    const x = new Fixture();
    const values = Object.values(target.example(x)).map(toArgument);
    try {
      await target.invoke(x, values);
    } catch (error) {
      if (target.door !== 'web' && target.door !== 'parallel') throw error;
    }
  });

  it.runIf(isFull)('several wrong arguments at once give misuse', async () => {
    const random = createRandom(2);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random.next() * list.length)];
    const faults = new Map(targets.map((target) => [target, faultsOf(target)]));
    const mixed = targets.filter((target) => (faults.get(target)?.length ?? 0) > 0);
    const failures: string[] = [];
    for (let n = 0; n < COMBINATIONS; n++) {
      const target = pick(mixed);
      const chosen = Array.from({ length: 2 + Math.floor(random.next() * 3) }, () => pick(faults.get(target) ?? []));
      // Where one place is named twice, the later value counts.
      const byPlace = new Map(chosen.map((fault) => [fault.path.join('.'), fault]));
      // Fields of a request that is wrong itself say nothing.
      const apart = [...byPlace.values()].filter(
        ({ path }) => !path.some((_, k) => k > 0 && byPlace.has(path.slice(0, k).join('.'))),
      );
      const failure = await judge(target, apart);
      if (failure !== null) failures.push(failure);
    }
    if (process.env.CLEARANCE_REPORT) console.log(`combinations: ${COMBINATIONS} calls, ${failures.length} failures`);
    if (process.env.DOORS_DUMP)
      (await import('node:fs')).appendFileSync(process.env.DOORS_DUMP, failures.map((f) => `several\t${f}\n`).join(''));
    expect(failures.slice(0, 5)).toEqual([]);
  });

  for (const door of Object.keys(doors)) {
    it(`${door}: one wrong argument at a time gives misuse`, async () => {
      const random = createRandom(1);
      const failures: string[] = [];
      let calls = 0;
      for (const target of targets) {
        if (target.door !== door || !only.test(`${target.door}.${target.name}`)) continue;
        for (const fault of faultsOf(target)) {
          if (!isFull && random.next() * SHARE >= 1) continue;
          calls++;
          const failure = await judge(target, [fault]);
          if (failure !== null) failures.push(failure);
        }
      }
      if (process.env.CLEARANCE_REPORT) console.log(`${door}: ${calls} calls, ${failures.length} failures`);
      if (process.env.DOORS_DUMP)
        (await import('node:fs')).appendFileSync(
          process.env.DOORS_DUMP,
          failures.map((f) => `${door}\t${f}\n`).join(''),
        );
      expect(failures.slice(0, 5)).toEqual([]);
    });
  }
});
