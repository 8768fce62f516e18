/** FCL as a native peer of the suites `mesh` and `pairs` (native/proximity-fcl.cpp). */
import { compareWithProgram } from './measure.mjs';
import { buildNative, startNative } from './native-program.mjs';

function describe(shape) {
  switch (shape.type) {
    case 'sphere':
      return `sphere ${shape.radius}`;
    case 'box':
      return `box ${shape.size.join(' ')}`;
    case 'ellipsoid':
      return `ellipsoid ${shape.semiAxes.join(' ')}`;
    case 'mesh': {
      const { vertices, triangles } = shape;
      return `mesh ${vertices.length / 3} ${triangles.length / 3}\n${vertices.join(' ')}\n${triangles.join(' ')}`;
    }
    default:
      return `${shape.type} ${shape.radius} ${shape.length}`;
  }
}

/** Path of the program; null, with a line on standard error, where libfcl is not installed. */
export const buildFcl = () => buildNative('proximity-fcl', ['fcl']);

/**
 * A row of ours against FCL. Every answer is compared first; `disagree` counts verdicts that differ and distances more than
 * `tolerance` apart.
 * @param request { program, A, B, transforms, query: 'collide' | 'distance', tolerance, suite, name, unit,
 *   ours: (i) => boolean or distance }
 */
export async function compareWithFcl({ program, A, B, transforms, query, tolerance, ours, ...row }) {
  const peer = startNative(program);
  const poses = transforms.map((X) => Array.from(X).join(' ')).join('\n');
  peer.write(`${describe(A)}\n${describe(B)}\n${transforms.length}\n${poses}\n`);
  const answers = (await peer.ask(`answers ${query}`)).trim().split(' ').map(Number);
  const disagree = answers.filter((answer, i) => !(Math.abs(answer - Number(ours(i))) <= tolerance)).length;
  const timePeer = async (calls) => Number.parseFloat(await peer.ask(`time ${query} ${calls}`));
  const compared = await compareWithProgram({ ...row, inputs: transforms.length, ours, timePeer, peerName: 'fcl' });
  peer.close();
  return { ...compared, disagree };
}
