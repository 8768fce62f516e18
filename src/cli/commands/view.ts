/** `clearance view`: serves the viewer and the given files, read-only, on the loopback interface. */
import { Command } from 'commander';
import { ExitStatus } from '../exit.js';
import { refuseOptions } from '../given-options.js';
import { toJson, writeLine } from '../json-lines.js';
import { warn } from '../messages.js';
import { parseCount } from '../number-arguments.js';
import { addRobotOptions, addSceneFileOptions, type RobotArguments } from '../robot-arguments.js';
import { startViewer } from '../viewer-server.js';
import { sortViewerFiles } from '../viewer-session.js';

interface ViewArguments extends RobotArguments {
  readonly port: number;
  readonly open?: boolean;
  readonly scene?: string;
  readonly json?: boolean;
}

export function viewCommand(): Command {
  return addSceneFileOptions(addRobotOptions(new Command('view')))
    .description('serve the viewer on loopback and print its URL; stop with Ctrl-C')
    .argument(
      '[file...]',
      'a robot (.urdf, .xacro), a scene or path (.json, .csv), meshes, a protein, a zip or a folder; without: the bundled example',
    )
    .option('--port <n>', '0 takes any free port', parseCount('--port', { max: 65535 }), 0)
    .option('--open', 'open the page in the default browser')
    .addHelpText(
      'after',
      `
Only the named files and those they lead to are served; open pages show changes of them.
POST URL/q with joint values ([...] or {"joint":...}) moves the robot in open pages.
An SRDF of the robot's name beside it is used unless --srdf names another.

Examples:
  clearance view arm.urdf --srdf arm.srdf --state ready --open
  clearance view arm.urdf path.json
  clearance view cell.json
  clearance view 1crn.pdb`,
    )
    .action(async (files: string[], args: ViewArguments, command: Command) => {
      refuseIdleOptions(files, args, command);
      const server = await startViewer(files, args, { port: args.port });
      await writeLine(args.json ? toJson({ url: server.url }) : server.url);
      if (args.open) {
        const { default: open } = await import('open');
        await open(server.url);
      }
      await new Promise<void>((resolve) => {
        process.once('SIGINT', resolve);
        process.once('SIGTERM', resolve);
      });
      await server.close();
      warn('viewer stopped');
      process.exitCode = ExitStatus.done;
    });
}

/** Options that nothing among the files can obey. */
function refuseIdleOptions(files: readonly string[], args: ViewArguments, command: Command): void {
  const { robot, scene, meshes, others } = sortViewerFiles(files, args);
  const hasAny = robot !== null || scene !== null || meshes.length > 0 || others.length > 0;
  refuseOptions(command, ['weld', 'fillHoles'], 'means nothing here, the viewer takes meshes as their files are');
  refuseOptions(command, ['allowMissing'], 'means nothing here: the viewer always goes on, and says what is missing');
  if (robot === null)
    refuseOptions(
      command,
      ['srdf', 'spheres', 'acm', 'acmOnly', 'base', 'group', 'state'],
      'needs a robot (.urdf, .xacro) among the files',
    );
  if (robot === null && scene === null)
    refuseOptions(
      command,
      ['package', 'packagePath', 'xacroArg'],
      'needs a robot (.urdf, .xacro) or a scene among the files',
    );
  if (scene === null) refuseOptions(command, ['allowOutside'], 'needs a scene among the files');
  if (meshes.length === 0 && others.length === 0)
    refuseOptions(
      command,
      ['scale'],
      'is for mesh files on their own; a robot or scene says the scale of its meshes itself',
    );
  if (robot === null && scene === null && others.length === 0)
    refuseOptions(command, ['geometry', 'mimic', 'continuous'], 'needs a robot or a scene among the files');
  if (!hasAny) refuseOptions(command, ['unit', 'upAxis', 'solid', 'surface'], 'needs files that it can apply to');
  if (args.acm === undefined) refuseOptions(command, ['acmOnly'], 'means nothing without --acm');
  if (args.spheres !== undefined && args.geometry !== 'spheres')
    refuseOptions(command, ['spheres'], 'is for --geometry spheres, expected both');
}
