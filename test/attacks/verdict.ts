import type { TestDialect } from '../lib/databases.ts'
import type { Answer } from '../lib/service.ts'
import type { Stage } from './stage.ts'

export interface Attack {
  /** The number of the finding, with a letter per variant. */
  readonly id: string
  readonly what: string
  /** The databases it applies to; all by default. */
  readonly on?: readonly TestDialect[]
  /** Returns what got through; empty if the attack was rejected. Throws if the stage does not allow the attempt. */
  readonly attempt: (stage: Stage) => Promise<readonly string[]>
}

export interface Verdict {
  /** The response must be a rejection, with one of these statuses if any are given. */
  readonly refused: (what: string, answer: Answer, ...statuses: readonly number[]) => void
  readonly holds: (what: string, isSo: boolean) => void
}

export function attack(
  id: string,
  what: string,
  attempt: (stage: Stage, verdict: Verdict) => Promise<void>,
  on?: readonly TestDialect[],
): Attack {
  return {
    id,
    what,
    ...(on === undefined ? {} : { on }),
    async attempt(stage) {
      const holes: string[] = []
      const verdict: Verdict = {
        refused: (step, answer, ...statuses) => {
          const isExpected = statuses.length === 0 || statuses.includes(answer.status)
          if (!isRefusal(answer) || !isExpected) holes.push(`${step}: ${shown(answer)}`)
        },
        holds: (step, isSo) => {
          if (!isSo) holes.push(step)
        },
      }
      // A successful attack may also break its own controls.
      await attempt(stage, verdict).catch((error: unknown) => {
        if (holes.length === 0) throw error
        holes.push(String(error))
      })
      return holes
    },
  }
}

const shown = ({ status, text }: Answer): string => `${status} ${text.slice(0, 200)}`

const hasErrors = ({ body }: Answer): boolean =>
  typeof body === 'object' && body !== null && Array.isArray((body as { errors?: unknown }).errors)

/** GraphQL rejects with status 200 and errors if the document itself could be executed. */
const isRefusal = (answer: Answer): boolean =>
  ((answer.status >= 400 && answer.status < 500) || (answer.status === 200 && hasErrors(answer))) &&
  !answer.text.includes('INTERNAL_SERVER_ERROR')

/**
 * A control: the same step by a caller who has permission, or before the service has a reason to reject it. Without it,
 * a broken stage would look like a rejected attack.
 */
export function works(what: string, answer: Answer): Answer {
  if (answer.status >= 300 || hasErrors(answer)) throw new Error(`the control failed: ${what}: ${shown(answer)}`)
  return answer
}

export function mustHold(what: string, isSo: boolean): void {
  if (!isSo) throw new Error(`the control failed: ${what}`)
}

const NO_ANSWER: Answer = { status: 0, headers: new Headers(), text: 'no answer', body: undefined }

/**
 * A missing response counts as one: a crashed process closes its connections, and a busy one keeps its callers waiting.
 */
export const answerTo = (request: Promise<Answer>): Promise<Answer> => request.catch(() => NO_ANSWER)

/** The request must be rejected quickly. Other load only adds to the time, so a slow attempt is repeated. */
export async function refusedSoon(
  { patience }: Stage,
  verdict: Verdict,
  what: string,
  ask: () => Promise<Answer>,
): Promise<void> {
  let taken = Infinity
  for (let attempt = 0; attempt < 3 && taken > patience; attempt += 1) {
    const began = performance.now()
    verdict.refused(what, await answerTo(ask()))
    taken = performance.now() - began
  }
  verdict.holds(`${what}: refused after ${Math.round(taken)} ms`, taken <= patience)
}
