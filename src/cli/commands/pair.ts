/** `clearance pair`: queries between two shapes at given poses. */
import { Command } from 'commander';
import { createTransform } from '../../math/transform.js';
import { collide } from '../../narrowphase/collide.js';
import { computeContacts, createContacts } from '../../narrowphase/contacts.js';
import { distance } from '../../narrowphase/distance.js';
import { type Contact, createDistanceResult, createQueryStats } from '../../narrowphase/query.js';
import { isWithin } from '../../narrowphase/tolerance.js';
import { UsageError } from '../exit.js';
import { refuseOptions } from '../given-options.js';
import { createColliderCache, createGivenShape, type GivenShape, pairGrounds } from '../given-shape.js';
import { groundText } from '../grounds.js';
import { type BatchAnswer, runBatch } from '../json-lines.js';
import { addMeshOptions, type MeshArguments } from '../mesh-arguments.js';
import { startProgress } from '../messages.js';
import { formatLength, parseCount, parseNumber } from '../number-arguments.js';
import { type Line, readPose, requireObject } from '../pose-argument.js';
import { SHAPE_FORMS } from '../shape-argument.js';

interface PairArguments extends MeshArguments {
  readonly poses?: string;
  readonly pairs?: string;
  readonly query: string;
  readonly tolerance: number;
  readonly maxContacts: number;
  readonly stats?: boolean;
  readonly json?: boolean;
}

/** Room for contacts is taken before the query. */
const MAX_CONTACTS = 10_000;
const knownQueries = ['collide', 'distance', 'tolerance', 'contacts'] as const;

export function pairCommand(): Command {
  return addMeshOptions(new Command('pair'))
    .description('collision, signed distance, tolerance and contacts of two shapes')
    .argument('[A]', `shape: a mesh file, ${SHAPE_FORMS.join(', ')}`)
    .argument('[B]', 'shape')
    .option('--poses <file>', 'JSON Lines {"a":pose,"b":pose}, poses [x,y,z,qx,qy,qz,qw], default identity')
    .option('--pairs <file>', 'JSON Lines {"A":shape,"B":shape,"a":pose,"b":pose}, instead of A and B')
    .option('--query <list>', `any of ${knownQueries.join(',')}`, 'collide,distance')
    .option(
      '--tolerance <d>',
      'with query tolerance: is the pair closer than d?',
      parseNumber('--tolerance', { min: 0 }),
      0,
    )
    .option('--max-contacts <n>', 'with query contacts', parseCount('--max-contacts', { max: MAX_CONTACTS }), 4)
    .option('--stats', 'add work counts')
    .addHelpText(
      'after',
      `
Distances are signed: negative is minus the penetration depth. normal points from A to B.

Examples:
  clearance pair box:1,1,1 sphere:0.5 --poses poses.jsonl --json
  clearance pair housing.stl shaft.stl --query collide,distance,contacts`,
    )
    .action(async (a: string | undefined, b: string | undefined, args: PairArguments, command: Command) => {
      const queries = new Set(args.query.split(',').map((text) => text.trim()));
      for (const query of queries) {
        if (!(knownQueries as readonly string[]).includes(query))
          throw new UsageError(`--query "${query}": expected any of ${knownQueries.join(', ')}`);
      }
      if (!queries.has('tolerance')) refuseOptions(command, ['tolerance'], 'is for --query tolerance');
      if (!queries.has('contacts')) refuseOptions(command, ['maxContacts'], 'is for --query contacts');
      if (args.pairs !== undefined)
        refuseOptions(command, ['poses'], 'means nothing with --pairs, whose lines have poses');
      const progress = startProgress('pairs');
      const onProgress = (n: number): void => progress.update(`${n}`);
      const answer = createAnswer(queries, args);
      try {
        if (args.pairs !== undefined) {
          if (a !== undefined) throw new UsageError('--pairs: the lines name the shapes, expected no A and B');
          const colliders = createColliderCache(args);
          process.exitCode = await runBatch(
            { source: args.pairs, json: Boolean(args.json), onProgress },
            async (value) => {
              const line = requireObject(value);
              const pair = [await colliders.get(line.A, 'A'), await colliders.get(line.B, 'B')] as const;
              return answer(pair[0], pair[1], line);
            },
          );
          return;
        }
        if (a === undefined || b === undefined)
          throw new UsageError('pair: expected two shapes A and B, or --pairs FILE');
        const first = await createGivenShape(a, 'A', args);
        const second = await createGivenShape(b, 'B', args);
        process.exitCode = await runBatch(
          { source: args.poses ?? null, single: {}, json: Boolean(args.json), onProgress },
          (value) => answer(first, second, requireObject(value)),
        );
      } finally {
        progress.stop();
      }
    });
}

function createAnswer(
  queries: ReadonlySet<string>,
  args: PairArguments,
): (first: GivenShape, second: GivenShape, line: Line) => BatchAnswer {
  const X_WA = createTransform();
  const X_WB = createTransform();
  const result = createDistanceResult();
  const contacts = createContacts(args.maxContacts);
  return (first, second, line) => {
    const [a, b] = [first.collider, second.collider];
    readPose(X_WA, line.a, 'a');
    readPose(X_WB, line.b, 'b');
    const stats = createQueryStats();
    const out: Record<string, unknown> = { status: 'ok' };
    const words: string[] = [];
    if (queries.has('distance')) {
      distance(result, a, X_WA, b, X_WB, { stats });
      out.status = result.status;
      out.collides = result.collides;
      out.distance = result.distance;
      out.pointA = result.pointA;
      out.pointB = result.pointB;
      out.normal = result.normal;
      words.push(`distance ${formatLength(result.distance)} (${result.status})`);
    }
    if (queries.has('collide')) {
      out.collides = collide(a, X_WA, b, X_WB, { stats });
      words.unshift(out.collides ? 'in contact' : 'apart');
    }
    if (queries.has('tolerance')) {
      out.within = isWithin(a, X_WA, b, X_WB, args.tolerance, { stats });
      words.push(`${out.within ? 'closer' : 'not closer'} than ${formatLength(args.tolerance)}`);
    }
    if (queries.has('contacts')) {
      const count = computeContacts(contacts, a, X_WA, b, X_WB, { stats });
      out.contacts = contacts.slice(0, count).map((contact) => ({ ...contact }));
      words.push(contactsText(contacts.slice(0, count)));
    }
    if (args.stats) out.stats = stats;
    const grounds = pairGrounds({ a: first, X_WA, b: second, X_WB });
    return { result: { ...out, ...grounds }, text: words.join(', ') + groundText(grounds) };
  };
}

/** Each on a line of its own: how deep, where, and which way out. */
function contactsText(found: readonly Contact[]): string {
  const numbers = (values: ArrayLike<number>): string => Array.from(values, (x) => Number(x.toPrecision(6))).join(' ');
  const rows = found.map(
    ({ depth, point, normal }) => `\n  depth ${formatLength(depth)} at ${numbers(point)}, normal ${numbers(normal)}`,
  );
  return `${found.length} ${found.length === 1 ? 'contact' : 'contacts'}${rows.join('')}`;
}
