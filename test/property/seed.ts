/** For the long programmes: another world each time, unless one is named. */
export const randomSeed = (given: string | undefined): number =>
  given === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(given)
