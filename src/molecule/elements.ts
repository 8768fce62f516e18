/** Element symbols, and an atom's element from its PDB name when the file's own element field is no use. */

const SYMBOLS =
  'H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr Rb Sr Y Zr Nb Mo Tc ' +
  'Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb Lu Hf Ta W Re Os Ir Pt Au Hg Tl Pb Bi ' +
  'Po At Rn Fr Ra Ac Th Pa U Np Pu Am Cm Bk Cf Es Fm Md No Lr';
const known = new Map(SYMBOLS.split(' ').map((symbol) => [symbol.toUpperCase(), symbol]));

/** The symbol in its usual spelling (FE and fe give Fe, D gives H: deuterium); '' when the text is no element. */
export function elementOf(text: string): string {
  const upper = text.trim().toUpperCase();
  return upper === 'D' ? 'H' : (known.get(upper) ?? '');
}

const NONMETALS = new Set('H He B C N O F Ne Si P S Cl Ar Ge As Se Br Kr Te I Xe At Rn'.split(' '));

/** Metals are coordinated rather than bonded. Semimetals count as nonmetals; '' is no metal. */
export function isMetal(element: string): boolean {
  return element !== '' && !NONMETALS.has(element);
}

/**
 * The element from the four columns of an atom name. The symbol is right-justified in the first two columns (" CA " is a
 * C alpha, "CA  " calcium), but names of four characters begin in the first column whatever their element ("HG21" is
 * hydrogen). Components of one atom, such as ions, bear the element's symbol as their name.
 */
export function elementFromName(columns: string, component: string): string {
  const name = columns.trim();
  if (name === '') return '';
  if (name === component && elementOf(name) !== '') return elementOf(name);
  const bare = name.replace(/^[0-9]+/, '');
  const leftAligned = columns.length >= 2 && columns[0] !== ' ' && !/[0-9]/.test(columns[0]);
  if (leftAligned && name.length < 4) {
    const two = elementOf(columns.slice(0, 2));
    // In amino acids a left-aligned name is a sloppily written one; they have no two-letter element but selenium.
    if (two !== '' && (two === 'Se' || !isAminoAcid(component))) return two;
  }
  return elementOf(bare.slice(0, 1));
}

const AMINO_ACIDS = new Set(
  'ALA ARG ASN ASP CYS GLN GLU GLY HIS ILE LEU LYS MET PHE PRO SER THR TRP TYR VAL MSE SEC PYL ASX GLX UNK'.split(' '),
);

/** The twenty, selenomethionine, selenocysteine, pyrrolysine and the names of what is not told apart. */
function isAminoAcid(component: string): boolean {
  return AMINO_ACIDS.has(component);
}
