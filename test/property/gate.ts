/** A fixed seed, so that the gate gives the same result for the same commit; the long runs explore new seeds. */
export const gateSeed = (): number => Number(process.env['SEED'] ?? 20_261_115)

/** The duration of each random run in the gate. */
export const GATE_SECONDS = Number(process.env['SECONDS'] ?? 15)

/**
 * The minimum number of cases, however long they take: on a busy machine, starting services may use up all the time.
 */
export const LEAST = 20

/** The maximum number of cases in the gate: a faster machine must not run cases that this one never reached. */
export const GATE_CASES = {
  property: 1500,
  model: 600,
  oracle: 1500,
  writes: 250,
  twins: 250,
  differential: { reads: 400, writes: 40 },
} as const
