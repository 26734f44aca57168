/** How a receiver has answered lately, in all processes together. */
export interface ReceiverState {
  /** Failed attempts since it last took a delivery. */
  readonly failures: number
  /** Milliseconds since it fails; null: it does not. */
  readonly failingFor: number | null
}

/** What an attempt tells about its receiver; null: nothing, for example because nothing was sent. */
export type ReceiverAnswer = 'taken' | 'failed' | null

/** So many failed attempts in a row mean that a receiver fails, and not only single deliveries. */
export const MOST_FAILURES = 20

export interface NextState {
  readonly failures: number
  readonly isFailing: boolean
}

/** The state after more attempts, in the order in which they ended. */
export function nextState({ failures, failingFor }: ReceiverState, answers: readonly ReceiverAnswer[]): NextState {
  const isTaken = answers.includes('taken')
  const since = answers.slice(answers.lastIndexOf('taken') + 1).filter((answer) => answer === 'failed').length
  const sum = (isTaken ? 0 : failures) + since
  return { failures: sum, isFailing: (failingFor !== null && !isTaken) || sum >= MOST_FAILURES }
}

const LONGEST_PROBE = 60_000
const SHORTEST_PROBE = 100

/** How long a failing receiver is left alone after an attempt: a quarter of the time that it has failed, within limits. */
export const probeWait = (failingFor: number | null, shortest: number): number =>
  Math.min(LONGEST_PROBE, Math.max(SHORTEST_PROBE, shortest, (failingFor ?? 0) / 4))
