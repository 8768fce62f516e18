/** `clearance view`: serves the viewer and the given files, read-only, on the loopback interface. */
import { Command } from 'commander';
import { ExitStatus } from '../exit.js';
import { toJson, writeLine } from '../json-lines.js';
import { warn } from '../messages.js';
import { parseCount } from '../number-arguments.js';
import { addRobotOptions, addSceneFileOptions, type RobotArguments } from '../robot-arguments.js';
import { startViewer } from '../viewer-server.js';

interface ViewArguments extends RobotArguments {
  readonly port: number;
  readonly open?: boolean;
  readonly scene?: string;
  readonly json?: boolean;
}

export function viewCommand(): Command {
  return addSceneFileOptions(addRobotOptions(new Command('view')))
    .description('serve the viewer on loopback and print its URL; stop with Ctrl-C')
    .argument('[file...]', 'a robot (.urdf, .xacro), meshes, a scene (.json); without one: the bundled example')
    .option('--port <n>', '0 takes any free port', parseCount('--port', { max: 65535 }), 0)
    .option('--open', 'open the page in the default browser')
    .addHelpText(
      'after',
      '\nOnly the named files and the meshes they refer to are served.\n\nExample:\n  clearance view arm.urdf --srdf arm.srdf --open',
    )
    .action(async (files: string[], args: ViewArguments) => {
      const server = await startViewer(files, args);
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
