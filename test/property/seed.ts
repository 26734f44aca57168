/** The given seed, or a new one, which is printed so that the run can be repeated. */
export function chosenSeed(given: number | null): number {
  const seed = given ?? Math.floor(Math.random() * 2 ** 31)
  console.log(`seed ${seed}`)
  return seed
}
