/** Reads the header of a compiled module, checks it against a model, and instantiates it. */

import { throwMisuse } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import { cos, sin } from '../math/scalar.js';
import type { Model } from '../model/model.js';
import { requireModel } from '../model/model.js';
import { FORMAT, HEADER_SECTION, type ModuleHeader } from './compile-bytes.js';
import { fingerprintModel } from './fingerprint.js';

export interface LoadedModule {
  readonly module: WebAssembly.Module;
  readonly header: ModuleHeader;
}

function compile(call: string, source: BufferSource): WebAssembly.Module {
  const isBuffer = ArrayBuffer.isView(source) || /^\[object (Shared)?ArrayBuffer\]$/.test(toTag(source));
  if (!isBuffer) throwMisuse(call, 'source', source, 'bytes of compileModelBytes, or their module');
  try {
    return new WebAssembly.Module(source);
  } catch (cause) {
    throw new MisuseError(`${call}: source, got bytes that do not compile, expected those of compileModelBytes`, {
      cause,
    });
  }
}

const toTag = (value: unknown): string => Object.prototype.toString.call(value);

/** `source`: bytes, or a module that an engine compiled from them (where compiling synchronously is not allowed). */
export function loadModule(source: BufferSource | WebAssembly.Module, model: Model, lanes: 1 | 2): LoadedModule {
  const call = lanes === 1 ? 'loadCompiledModel' : 'loadCompiledPair';
  requireModel(call, model);
  const module = source instanceof WebAssembly.Module ? source : compile(call, source);
  const [section] = WebAssembly.Module.customSections(module, HEADER_SECTION);
  if (section === undefined) {
    throw new MisuseError(`${call}: bytes, got no section ${HEADER_SECTION}, expected a compiled robot`);
  }
  const header = JSON.parse(new TextDecoder().decode(section)) as ModuleHeader;
  if (header.format !== FORMAT) {
    throw new MisuseError(`${call}: format of the bytes, got ${header.format}, expected ${FORMAT}`);
  }
  if (header.lanes !== lanes) {
    throw new MisuseError(`${call}: lanes of the bytes, got ${header.lanes}, expected ${lanes}`);
  }
  const expected = fingerprintModel(model);
  if (header.fingerprint !== expected) {
    throw new MisuseError(
      `${call}: bytes for robot "${model.name}", got fingerprint ${header.fingerprint}, expected ${expected}: compile again`,
    );
  }
  return { module, header };
}

export interface ModuleExports {
  readonly memory: WebAssembly.Memory;
  readonly forwardKinematics?: () => void;
  readonly jointJacobians?: () => void;
  readonly rnea?: () => void;
  readonly crba?: () => void;
  readonly aba?: () => void;
  readonly rneaDerivatives?: () => void;
  readonly abaDerivatives?: () => void;
}

export function instantiate(module: WebAssembly.Module): ModuleExports {
  return new WebAssembly.Instance(module, { math: { sin, cos } }).exports as unknown as ModuleExports;
}
