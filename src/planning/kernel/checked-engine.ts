/** The planner's module with bounds and alignment assertions. Tests run on it as well; nothing else should import it. */
import { decodeBase64 } from '../../kernel/decode-base64.js';
import { moduleText } from '../../kernel/generated/planner-module-checked.js';
import { usePlannerModule } from './engine.js';

export function useCheckedPlanner(): void {
  usePlannerModule(new WebAssembly.Module(decodeBase64(moduleText)));
}
