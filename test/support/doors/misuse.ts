/** Calls a public function with wrong arguments and judges what comes back. */
import { MisuseError } from '../../../src/math/misuse.js';
import { ParallelError } from '../../../src/parallel.js';
import type { Example } from './door.js';
import { Fixture } from './fixture.js';
import { hasSlots, isPlain, type Slot, toArgument, toSlot } from './slot.js';

export interface Target {
  readonly door: string;
  readonly name: string;
  readonly example: Example;
  readonly invoke: (x: Fixture, values: readonly unknown[]) => unknown;
}

/** A place in the arguments: the argument's name, then fields of a request. */
export type Path = readonly string[];

/** Every argument, and every field of arguments that are requests. */
export function listPaths(example: Example): Path[] {
  const visit = (path: Path, value: unknown): Path[] => {
    const inner = toSlot(value).value;
    return [path, ...(hasSlots(inner) ? fieldsOf(inner).flatMap(([key, field]) => visit([...path, key], field)) : [])];
  };
  return Object.entries(example(new Fixture())).flatMap(([key, value]) => visit([key], value));
}

const fieldsOf = (value: unknown): [string, unknown][] => Object.entries(value as Record<string, unknown>);

function slotAt(given: Readonly<Record<string, unknown>>, [first, ...rest]: Path): Slot {
  return rest.reduce((slot, key) => toSlot((slot.value as Record<string, unknown>)[key]), toSlot(given[first]));
}

/** A wrong value at a place; `undefined` stands for a field left out too. */
export interface Fault {
  readonly path: Path;
  readonly label: string;
  readonly value: unknown;
}

/** What is wrong with the answer to a call with these faults; null when nothing is. */
export async function judge(target: Target, faults: readonly Fault[]): Promise<string | null> {
  const x = new Fixture();
  const given = target.example(x);
  const values = Object.fromEntries(Object.entries(given).map(([key, value]) => [key, toArgument(value)]));
  for (const { path, value } of faults) setAt(values, path, value);
  const wrong = faults.filter(({ path, value }) => !slotAt(given, path).accepts(value));
  const story = `${target.name}(${faults.map(({ path, label }) => `${path.join('.')} = ${label}`).join(', ')})`;
  if (process.env.DOORS_TRACE) (await import('node:fs')).writeFileSync(process.env.DOORS_TRACE, story);
  try {
    const answer = await settle(target.invoke(x, Object.values(values)));
    dispose(answer);
    if (wrong.length > 0) return `${story}: returned`;
    return null;
  } catch (error) {
    // What became of a worker: nothing that the arguments could say.
    if (error instanceof ParallelError && wrong.length === 0) return null;
    if (!(error instanceof MisuseError)) return `${story}: ${describe(error)}`;
    // A wrong value may contradict what stands in another argument.
    const words = checkWords(error.message, [...listPaths(target.example).flat(), ...listKeys(given)]);
    return words === null ? null : `${story}: ${words}: ${error.message}`;
  }
}

/** Every message says `call: argument, got X, expected Y`. */
function checkWords(message: string, named: readonly string[]): string | null {
  if (!/^[A-Za-z][\w.]*: .*, got .*, expected ./s.test(message)) return 'not "call: argument, got X, expected Y"';
  // The numbers of a configuration go by their joints.
  if (![...named, 'joint "'].some((word) => message.includes(word.replace(/s$/, '')))) return 'names no argument';
  return null;
}

/** Fields of the examples: what is wrong may be named by them. */
function listKeys(given: Readonly<Record<string, unknown>>): string[] {
  return Object.values(given).flatMap((value) => {
    const inner = toSlot(value).value;
    return isPlain(inner) ? Object.keys(inner) : [];
  });
}

function setAt(values: Record<string, unknown>, path: Path, value: unknown): void {
  let holder: Record<string, unknown> = values;
  for (const key of path.slice(0, -1)) {
    // Another fault may have taken the request's place.
    if (!isPlain(holder[key])) return;
    holder = holder[key] as Record<string, unknown>;
  }
  holder[path[path.length - 1]] = value;
}

async function settle(answer: unknown): Promise<unknown> {
  const generator = answer as Generator | null;
  if (typeof generator?.next === 'function' && typeof generator.return === 'function') {
    generator.next();
    generator.return(undefined);
    return undefined;
  }
  return await answer;
}

function dispose(answer: unknown): void {
  const { dispose: end } = (answer ?? {}) as { dispose?: unknown };
  if (typeof answer === 'object' && typeof end === 'function' && !(answer as { chain?: unknown }).chain)
    end.call(answer);
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return `threw ${String(error)}`;
  const line = error.stack?.split('\n').find((each) => each.includes('/src/')) ?? '';
  return `${error.name}: ${error.message.split('\n')[0]} ${line.trim().replace(/^.*\/src\//, '@')}`;
}
