/** Declares `Symbol.dispose` for programs whose `lib` lacks it, as @types/node does; with it, the two declarations are one. */
declare global {
  interface SymbolConstructor {
    readonly dispose: unique symbol;
  }
}

export {};
