/** What queries on trees count, so that the cost of a query can be told without a clock; see the bench suite mesh. */
/** Work counts, added to what the object holds. */
export interface PairStats {
  nodeTests: number;
  primitiveTests: number;
}
