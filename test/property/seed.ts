/** For the long programmes: another world each time, unless one is named. */
export const randomSeed = (given: string | undefined): number =>
  given === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(given)

/** For the gate: the same commit gets the same verdict. New worlds are for the long programmes to find. */
export const gateSeed = (): number => Number(process.env['SEED'] ?? 20_261_115)
