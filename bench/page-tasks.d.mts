/** Types of page-tasks.mjs for the tests that use it. */
export interface RecordedPlan {
  readonly roundTrip: number;
  readonly milliseconds: number;
  readonly status: string;
  readonly how: string;
}
declare global {
  interface Window {
    pageTasks: number[];
    kernelMemories: Set<WebAssembly.Memory>;
    glCounts: { buffers: number; textures: number; programs: number };
    plans: RecordedPlan[];
  }
}

export function recordTasks(): void;
export function recordPlans(): void;
export function recordMemory(): void;
