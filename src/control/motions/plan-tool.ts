import type { Model } from '../../model/model.js';
import type { MotionProgram } from './program.js';
import { resolveProgram } from './resolve-program.js';
import { Tool } from './tool.js';

/** The tool of a program, on a robot whose base stands at X_WB; default where its model has it. */
export function planTool(model: Model, program: MotionProgram, X_WB: ArrayLike<number> | null = null): Tool {
  const { frame, X_FT } = resolveProgram(model, { ...program, moves: [] });
  return new Tool(model, frame, X_FT, X_WB);
}
