/**
 * Wrong arguments at the public doors: each exported function and class is called with one argument, or one field of a request,
 * wrong at a time. A call returns where the value can be read as the argument, or throws a MisuseError that says call,
 * argument, what it got and what it expected; no other error comes out. OPEN names the doors that this does not hold for yet.
 *
 * Every export has an entry in test/support/doors or a reason there why not; a new one fails here until it has.
 * Default: a seeded part of the wrong arguments. ORACLE_FULL: all of them.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../src/math/random.js';
import { doors, madeInside, uncheckedKernels } from '../support/doors/doors.js';
import { disposedHandles, Fixture, wrongValues } from '../support/doors/fixture.js';
import { type Fault, judge, listPaths, type Target } from '../support/doors/misuse.js';
import { toArgument } from '../support/doors/slot.js';

const isFull = Boolean(process.env.ORACLE_FULL);
/** Doors whose calls still let wrong arguments through, or errors of the engine out. */
const OPEN = ['io', 'molecule', 'node', 'parallel', 'three', 'web'];
/** Calls of which one is made by default. */
const SHARE = 6;

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

  it.each(targets.map((target) => [target.door, target.name, target] as const))(
    '%s: %s takes its example',
    async (_door, _name, target) => {
      const x = new Fixture();
      const values = Object.values(target.example(x)).map(toArgument);
      try {
        await target.invoke(x, values);
      } catch (error) {
        if (target.door !== 'web' && target.door !== 'parallel') throw error;
      }
    },
  );

  for (const door of Object.keys(doors)) {
    if (OPEN.includes(door)) continue;
    it(`${door}: one wrong argument at a time gives misuse`, async () => {
      const random = createRandom(1);
      const failures: string[] = [];
      let calls = 0;
      for (const target of targets) {
        if (target.door !== door) continue;
        for (const fault of faultsOf(target)) {
          if (!isFull && random.next() * SHARE >= 1) continue;
          calls++;
          const failure = await judge(target, [fault]);
          if (failure !== null) failures.push(failure);
        }
      }
      if (process.env.CLEARANCE_REPORT) console.log(`${door}: ${calls} calls, ${failures.length} failures`);
      expect(failures.slice(0, 5)).toEqual([]);
    });
  }
});
