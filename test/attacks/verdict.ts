import type { TestDialect } from '../databases.ts'
import type { Answer } from '../service.ts'
import type { Stage } from './stage.ts'

export interface Attack {
  /** The row of the list of findings, and a letter for each way to try it. */
  readonly id: string
  readonly what: string
  /** Databases that it is about; all of them unless told. */
  readonly on?: readonly TestDialect[]
  /** Gives what got through: nothing when the attack is refused. Throws where the stage does not allow the attempt. */
  readonly attempt: (stage: Stage) => Promise<readonly string[]>
}

export interface Verdict {
  /** The answer has to be a refusal, with one of these statuses if some are named. */
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
      // An attack that got through may also spoil its own controls.
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

/** GraphQL refuses with 200 and errors where the document itself could be run. */
const isRefusal = (answer: Answer): boolean =>
  ((answer.status >= 400 && answer.status < 500) || (answer.status === 200 && hasErrors(answer))) &&
  !answer.text.includes('INTERNAL_SERVER_ERROR')

/**
 * A control: the same step by a caller who may take it, or before the service has a reason to refuse it. Without it a
 * broken stage would look like a refused attack.
 */
export function works(what: string, answer: Answer): Answer {
  if (answer.status >= 300 || hasErrors(answer)) throw new Error(`the control failed: ${what}: ${shown(answer)}`)
  return answer
}

export function mustHold(what: string, isSo: boolean): void {
  if (!isSo) throw new Error(`the control failed: ${what}`)
}

const NO_ANSWER: Answer = { status: 0, headers: new Headers(), text: 'no answer', body: undefined }

/** No answer is one too: a process that ends closes its connections, and a busy one lets its callers wait. */
export const answerTo = (request: Promise<Answer>): Promise<Answer> => request.catch(() => NO_ANSWER)

/** Refused, and soon. Other work on the machine only adds to a time, so one that is missed is taken again. */
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
