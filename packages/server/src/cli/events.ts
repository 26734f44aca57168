import { triggerScript } from '../app/triggers.ts'
import type { Run } from './command.ts'
import { withCore } from './with-core.ts'

/** Prints the triggers for writes of other programs. An administrator runs them: they are part of other people's tables. */
export const eventTriggers: Run = (invocation) =>
  withCore(invocation, { onlyLooks: true }, async (core) => {
    const { options, terminal } = invocation
    if (!core.hasTables) {
      terminal.tell(
        "The database has no tables of the service, where the triggers would write: run 'tain bootstrap' first.",
      )
      return 2
    }
    const statements = await triggerScript(core, options['remove'] === true)
    if (statements === null) {
      terminal.tell('Triggers cannot tell the writes of other programs on this database.')
      return 2
    }
    terminal.print(`${statements.join('\n')}\n`)
    return 0
  })
