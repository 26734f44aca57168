import { appendFileSync } from 'node:fs'
import type { Probes } from '../app/probes.ts'
import type { Environment } from '../config.ts'
import { createFailpoints, parseTrap, type Trap } from './traps.ts'

/** `name:count:mode`, several with commas: `write.before-create:3:crash`. */
const FAILPOINTS = 'TAIN_FAILPOINTS'
/** The file that the text of every statement is appended to. */
const STATEMENT_LOG = 'TAIN_STATEMENT_LOG'

/** The probes that the environment asks for. */
export function probesIn(environment: Environment): Probes {
  const traps = trapsIn(environment[FAILPOINTS] ?? '')
  const file = environment[STATEMENT_LOG] ?? ''
  return {
    failpoints: traps.length === 0 ? null : (note) => createFailpoints(traps, note),
    ...(file === '' ? {} : { onStatement: ({ text }) => appendFileSync(file, `${JSON.stringify({ text })}\n`) }),
  }
}

const trapsIn = (text: string): readonly Trap[] =>
  text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
    .map((each) => {
      const trap = parseTrap(each)
      if (trap !== undefined) return trap
      throw new Error(`${FAILPOINTS} has to be a list of name:count:mode, such as write.before-create:3:crash`)
    })
