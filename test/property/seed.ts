/** For the long runs: a new seed each time, unless one is given. */
export const randomSeed = (given: string | undefined): number =>
  given === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(given)
