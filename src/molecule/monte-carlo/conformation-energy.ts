/** An energy that follows a conformation, as Monte Carlo uses it. */
export interface ConformationEnergy {
  /** Of the conformation at the last update, kcal/mol. */
  readonly total: number;
  /** The parts of the total by name, kcal/mol. */
  listTerms(): Readonly<Record<string, number>>;
  /** Follows the conformation after staged torsions have been applied; returns the new total. */
  update(): number;
  /** Takes the last update back exactly, after the conformation's own undo. */
  undo(): void;
}
