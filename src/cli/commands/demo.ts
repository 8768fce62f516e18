/** `clearance demo` (`npm start`): the main job on the bundled arm: summary, verdicts, nearest pair, a plan, the viewer. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { sin } from '../../math/scalar.js';
import { checkScene, countCheckedPairs, isSceneFree, nearestPair } from '../../scene/queries/check.js';
import { setConfiguration } from '../../scene/robot.js';
import { disposeScene } from '../../scene/scene.js';
import type { GroupPlan } from '../../tasks/plan-group.js';
import { parseConfiguration } from '../configuration-argument.js';
import { ExitStatus } from '../exit.js';
import { toJson, writeLine } from '../json-lines.js';
import { warn } from '../messages.js';
import { formatLength, parseCount } from '../number-arguments.js';
import { planInScene } from '../plan-request.js';
import { loadSceneArguments } from '../scene-arguments.js';
import { startViewer } from '../viewer-server.js';

const example = (path: string): string => fileURLToPath(new URL(`../../../../examples/${path}`, import.meta.url));

export function demoCommand(): Command {
  return new Command('demo')
    .description('check, measure, plan and draw the bundled arm')
    .option('--once', 'print the report and exit, without the viewer')
    .option('--port <n>', 'port of the viewer, 0 takes any free one', parseCount('--port', { max: 65535 }), 0)
    .action(async (args: { readonly once?: boolean; readonly port: number; readonly json?: boolean }) => {
      const say: Say = (text, record) => writeLine(args.json ? toJson(record) : text);
      const urdf = example('arm/arm.urdf');
      const files = { srdf: example('arm/arm.srdf'), scene: example('scenes/table-shelf.json') };
      await report(urdf, files, say);
      if (args.once) return;
      const { url, close } = await startViewer([urdf], files, { port: args.port });
      await say(`\nviewer: ${url}  (Ctrl-C stops it)`, { viewer: url });
      await new Promise<void>((resolve) => {
        process.once('SIGINT', resolve);
        process.once('SIGTERM', resolve);
      });
      await close();
      warn('viewer stopped');
      process.exitCode = ExitStatus.done;
    });
}

/** One step of the report: for people, and the same as a line of JSON. */
type Say = (text: string, record: object) => Promise<void>;

async function report(urdf: string, files: { readonly srdf: string; readonly scene: string }, say: Say): Promise<void> {
  const loaded = await loadSceneArguments(urdf, { ...files, geometry: 'collision' });
  const { scene, robot, model, semantic, description, rest } = loaded;
  const { checked, allowed } = countCheckedPairs(scene);
  await say(
    `robot "${description.name}": ${model.linkCount} links, nq ${model.nq}, nv ${model.nv}, ${robot.links.length} links with geometry`,
    { robot: description.name, links: model.linkCount, nq: model.nq, nv: model.nv, colliding: robot.links.length },
  );
  const groups = semantic!.groups.map(({ name }) => name);
  await say(`groups: ${groups.join(', ')}; self pairs: ${checked} checked, ${allowed} allowed`, {
    groups,
    pairs: { checked, allowed },
  });
  const objects = [...scene.objects.keys()];
  await say(`scene: ${objects.join(', ')}\n`, { scene: objects });

  for (const state of new Set(semantic!.states.map(({ name }) => name)))
    await verdict(state, parseConfiguration(loaded, state, rest));
  const problems = readFileSync(example('scenes/problems.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as { name: string; start: number[]; goal: number[] });
  const middle = problems[0].start.map((value, i) => 0.5 * (value + problems[0].goal[i]));
  await verdict('half way', parseConfiguration(loaded, middle, rest));

  async function verdict(name: string, q: Float64Array): Promise<void> {
    setConfiguration(robot, q);
    const { free, contacts } = checkScene(scene, { all: true });
    // The first calls build hulls and warm the engine up; the verdict's usual price is the median after them.
    const times: number[] = [];
    for (let k = 0; k < 50; k++) {
      const begin = performance.now();
      checkScene(scene, { all: true });
      times.push(performance.now() - begin);
    }
    const us = 1000 * times.sort((a, b) => a - b)[25];
    const words = free
      ? 'free'
      : `in collision: ${contacts.map(({ a, b, depth }) => `${a} with ${b}, depth ${formatLength(depth)}`).join('; ')}`;
    const pair = free ? nearestPair(scene) : null;
    const nearest = pair
      ? `\n${''.padEnd(10)} nearest pair: ${pair.a} and ${pair.b}, ${formatLength(pair.distance)} apart`
      : '';
    await say(`${name.padEnd(10)} ${words}  (${us.toFixed(0)} us)${nearest}`, {
      state: name,
      free,
      contacts: contacts.map(({ a, b, depth }) => ({ a, b, depth })),
      nearest: pair && { a: pair.a, b: pair.b, distance: pair.distance },
      checkUs: us,
    });
  }

  for (const [k, { name, start, goal }] of problems.entries()) {
    const gap = k === 0 ? '\n' : '';
    const settings = { seed: 1, timeout: 30, simplify: true, resolution: 0.02 };
    const plan = (): GroupPlan =>
      planInScene(loaded, parseConfiguration(loaded, start, rest), parseConfiguration(loaded, goal, rest), settings);
    // The same path twice: as above, times are those of an engine that is warm.
    plan();
    const planned = plan();
    const { status, reason, path, length, planMs, simplifyMs, checks } = planned;
    const outcome =
      status === 'solved'
        ? `solved in ${planMs.toFixed(0)} ms (${checks} checks), shortened in ${simplifyMs.toFixed(0)} ms: ${path.length} waypoints, length ${length.toFixed(2)} rad`
        : `${status}: ${reason}`;
    await say(`${gap}plan "${name}": ${outcome}`, {
      plan: name,
      status,
      reason,
      path,
      length,
      planMs,
      simplifyMs,
      checks,
    });
  }

  const count = 2000;
  const q = Float64Array.from(rest);
  const begin = performance.now();
  for (let k = 0; k < count; k++) {
    q[0] = 0.5 * sin(k);
    setConfiguration(robot, q);
    isSceneFree(scene);
  }
  const fullCheckUs = (1000 * (performance.now() - begin)) / count;
  await say(`full check, forward kinematics included: ${fullCheckUs.toFixed(1)} us`, { fullCheckUs });
  disposeScene(scene);
}
