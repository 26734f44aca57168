/** A fixed seed, so that the gate gives the same result for the same commit; the long runs explore new seeds. */
export const gateSeed = (): number => Number(process.env['SEED'] ?? 20_261_115)

/** The duration of each random run in the gate. */
export const GATE_SECONDS = Number(process.env['SECONDS'] ?? 15)

/**
 * The minimum number of cases, however long they take: on a busy machine, starting services may use up all the time.
 */
export const LEAST = 20

/** The given seed, or a new one, which is printed so that the run can be repeated. */
export function chosenSeed(given: number | null): number {
  const seed = given ?? Math.floor(Math.random() * 2 ** 31)
  console.log(`seed ${seed}`)
  return seed
}
