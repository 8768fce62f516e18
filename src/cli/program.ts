/** The tree of commands, and one run of it: reads arguments, runs one command, sets the exit status. */
import { Command, CommanderError, Help } from 'commander';
import { MisuseError } from '../math/misuse.js';
import { COMMANDS, type CommandLine } from './command-list.js';
import { ExitStatus, UsageError } from './exit.js';
import { forgetReports, setQuiet } from './messages.js';
import { version } from './version.js';
import { type OpenedArchives, openArchives } from './workbench-archive.js';

/** Each command is loaded when it is asked for. */
const loaders: Readonly<Record<string, () => Promise<Command>>> = {
  acm: async () => (await import('./commands/acm.js')).acmCommand(),
  bench: async () => (await import('./commands/bench.js')).benchCommand(),
  cast: async () => (await import('./commands/cast.js')).castCommand(),
  chain: async () => {
    const { chainCommand } = await import('./commands/chain.js');
    const { foldCommand } = await import('./commands/chain-fold.js');
    const { chainBenchCommand } = await import('./commands/chain-bench.js');
    return chainCommand([foldCommand(), chainBenchCommand()]);
  },
  check: async () => (await import('./commands/check.js')).checkCommand(),
  coordinate: async () => (await import('./commands/coordinate.js')).coordinateCommand(),
  decompose: async () => (await import('./commands/decompose.js')).decomposeCommand(),
  demo: async () => (await import('./commands/demo.js')).demoCommand(),
  disassemble: async () => (await import('./commands/disassemble.js')).disassembleCommand(),
  distance: async () => (await import('./commands/distance.js')).distanceCommand(),
  dynamics: async () => (await import('./commands/dynamics.js')).dynamicsCommand(),
  fk: async () => (await import('./commands/fk.js')).fkCommand(),
  fleet: async () => (await import('./commands/fleet.js')).fleetCommand(),
  ik: async () => (await import('./commands/ik.js')).ikCommand(),
  info: async () => (await import('./commands/info.js')).infoCommand(),
  monitor: async () => (await import('./commands/monitor.js')).monitorCommand(),
  motion: async () => (await import('./commands/motion.js')).motionCommand(),
  optimise: async () => (await import('./commands/optimise.js')).optimiseCommand(),
  pair: async () => (await import('./commands/pair.js')).pairCommand(),
  plan: async () => (await import('./commands/plan.js')).planCommand(),
  'plan-2d': async () => (await import('./commands/plan-2d.js')).plan2dCommand(),
  'plan-rigid': async () => (await import('./commands/plan-rigid.js')).planRigidCommand(),
  ray: async () => (await import('./commands/ray.js')).rayCommand(),
  simulate: async () => (await import('./commands/simulate.js')).simulateCommand(),
  sequence: async () => (await import('./commands/sequence.js')).sequenceCommand(),
  spheres: async () => (await import('./commands/spheres.js')).spheresCommand(),
  task: async () => (await import('./commands/task.js')).taskCommand(),
  trajectory: async () => (await import('./commands/trajectory.js')).trajectoryCommand(),
  'verify-path': async () => (await import('./commands/verify-path.js')).verifyPathCommand(),
  view: async () => (await import('./commands/view.js')).viewCommand(),
};

/** A command as the program's help shows it, in the place of one that is not loaded. */
function outline({ name, words, about }: CommandLine): Command {
  return new Command(name).usage(words).description(about);
}

/** Terms as commander makes them of a command's options and arguments, which an outline lacks. */
function subcommandTerm(command: Command): string {
  const isTop = !command.parent?.parent;
  const line = COMMANDS.find(({ name }) => isTop && name === command.name());
  return line ? `${line.name} ${line.words}`.trim() : new Help().subcommandTerm(command);
}

/** The program with all commands, or with those that are wanted and outlines of the others. */
export async function createProgram(wanted: (name: string) => boolean = () => true): Promise<Command> {
  const program = new Command('clearance')
    .description('What touches, how close, when, and which way is free.')
    .version(version)
    .configureHelp({ sortSubcommands: true, showGlobalOptions: true, subcommandTerm })
    .showHelpAfterError('(--help shows the usage)')
    .addHelpText(
      'after',
      `
Exit status: 0 done (free, found, valid), 1 a negative verdict (in collision, without path),
2 unusable arguments or input, 3 stopped by a limit.

Examples:
  clearance info robot.urdf
  clearance check robot.urdf --srdf robot.srdf --q 0,0.5,0,-1.2,0,1,0 --all
  clearance distance robot.urdf --states states.jsonl --json
  clearance pair part.stl sphere:0.1 --query collide,distance`,
    );
  for (const line of COMMANDS) {
    if (!wanted(line.name)) {
      program.addCommand(outline(line));
      continue;
    }
    const command = await loaders[line.name]();
    // A command's own options, not its parent's: a parent would take them from its subcommands.
    for (const leaf of command.commands.length > 0 ? command.commands : [command]) {
      leaf.option('--json', 'machine output on standard output').option('--quiet', 'no messages on standard error');
      leaf.exitOverride();
    }
    command
      .hook('preAction', (_parent: Command, action: Command) => setQuiet(Boolean(action.opts().quiet)))
      .exitOverride();
    program.addCommand(command);
  }
  program.exitOverride();
  return program;
}

/** Errors with which the engine's doors refuse arguments, and the file system's. */
function isMisuse(error: unknown): boolean {
  return error instanceof MisuseError || (error instanceof Error && 'syscall' in error);
}

/** `args`: the words after the program's name. Sets `process.exitCode`. */
export async function runCommandLine(args: readonly string[]): Promise<void> {
  forgetReports();
  let archives: OpenedArchives | null = null;
  try {
    archives = openArchives(args);
    const program = await createProgram((name) => args.includes(name));
    await program.parseAsync(archives.args, { from: 'user' });
  } catch (error) {
    process.exitCode = ExitStatus.unusable;
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) process.exitCode = ExitStatus.done;
    } else if (error instanceof UsageError || isMisuse(error)) {
      process.stderr.write(`${(error as Error).message}\n`);
    } else {
      process.stderr.write(`${(error as Error).stack ?? error}\n`);
    }
  } finally {
    archives?.close();
  }
}
