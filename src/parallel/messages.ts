/** What the pool and its workers say to each other. One message is under way to a worker at a time, but for `drop`. */

export type ToWorker =
  /** Prepare what tasks of this share are answered from. */
  | { readonly type: 'start'; readonly share: number; readonly kind: string; readonly shared: unknown }
  | { readonly type: 'run'; readonly id: number; readonly share: number; readonly task: unknown }
  | { readonly type: 'drop'; readonly share: number };

export type FromWorker =
  | { readonly type: 'ready' }
  | { readonly type: 'failed'; readonly message: string }
  /** `milliseconds`: what the task took, without its way there and back. */
  | { readonly type: 'done'; readonly id: number; readonly result: unknown; readonly milliseconds?: number }
  /** `index`: which part of the task. */
  | { readonly type: 'error'; readonly id: number; readonly index: number; readonly message: string };
