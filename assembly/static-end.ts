/** End of the memory that the compiler placed for this module: the next one's begins there. */
export function staticEnd(): usize {
  return __heap_base;
}
