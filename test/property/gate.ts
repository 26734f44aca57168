/** The same commit gets the same verdict in the gate; new worlds are for the long programmes to find. */
export const gateSeed = (): number => Number(process.env['SEED'] ?? 20_261_115)

/** How long a random programme goes on in the gate. */
export const GATE_SECONDS = Number(process.env['SECONDS'] ?? 15)

/** What is asked however long it takes: on a busy machine all the time may go into starting services. */
export const LEAST = 20

/** The most that it tries there: a faster machine must not come to other worlds than this one did. */
export const GATE_CASES = {
  property: 1500,
  model: 600,
  oracle: 1500,
  writes: 250,
  twins: 250,
  differential: { reads: 400, writes: 40 },
} as const
