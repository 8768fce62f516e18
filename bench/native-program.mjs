/**
 * Native peers: small C++ programs of ours around a library that the machine may have. Each is built on first use into a
 * folder that git ignores, and answers one line per command line.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('./native/', import.meta.url));
const modified = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/**
 * Path of the program native/NAME.cpp, built with -O3 -march=native against the pkg-config packages; null with a line on
 * standard error when a package or the compiler is missing. `without`: flags of the packages that the program does not need, and that
 * their files name although the libraries may be missing. `more`: flags of libraries that pkg-config does not know.
 */
export function buildNative(name, packages, without = [], more = []) {
  const source = `${folder}${name}.cpp`;
  const program = `${folder}build/${name}`;
  const flags = packages.length
    ? spawnSync('pkg-config', ['--cflags', '--libs', ...packages], { encoding: 'utf8' })
    : { status: 0, stdout: '' };
  if (flags.status !== 0) return miss(`no ${packages.join(', ')} here`);
  if (modified(program) > modified(source)) return program;
  mkdirSync(`${folder}build`, { recursive: true });
  // Packages are built for any x86-64: with wider alignment of Eigen's types here than there, their memory is read wrongly.
  const alignment = packages.includes('eigen3') ? ['-DEIGEN_MAX_ALIGN_BYTES=16'] : [];
  const args = [...alignment, '-O3', '-march=native', '-DNDEBUG', '-std=c++17', '-o', program, source];
  const built = spawnSync(
    'g++',
    [
      ...args,
      ...flags.stdout
        .trim()
        .split(/\s+/)
        .filter((flag) => flag && !without.includes(flag)),
      ...more,
    ],
    { encoding: 'utf8' },
  );
  return built.status === 0 ? program : miss(built.error?.message ?? built.stderr);

  function miss(reason) {
    process.stderr.write(`bench: ${name} is left out: ${reason}\n`);
    return null;
  }
}

/** Starts a program; `ask` writes one line and resolves to the answer's line. */
export function startNative(program, given = []) {
  const child = spawn(program, given, { stdio: ['pipe', 'pipe', 'inherit'] });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    write: (text) => child.stdin.write(text),
    ask: async (line) => {
      child.stdin.write(`${line}\n`);
      const { value, done } = await answers.next();
      if (done) throw new Error(`${program} ended before it answered "${line}"`);
      return value;
    },
    close: () => child.stdin.end(),
  };
}
