import { StartError } from '../schema/start-error.ts'
import type { Operator } from '../system/operator.ts'
import type { ExitCode, Invocation, Run } from './command.ts'
import { withCore } from './with-core.ts'

type Work = (operator: Operator, invocation: Invocation) => Promise<ExitCode>

const noTables = () =>
  new StartError(`The service has no tables in this database. "tain init" or "tain bootstrap" creates them.`)

/** A command that reads users and roles, and writes nothing. */
export const lookingAtUsers =
  (work: Work): Run =>
  (invocation) =>
    withCore(invocation, { onlyLooks: true }, (app) => {
      if (!app.hasTables) throw noTables()
      return work(app.operator, invocation)
    })

/** A command that changes users and roles. The first administrator has to exist, as for every other caller. */
export const changingUsers =
  (work: Work): Run =>
  (invocation) =>
    withCore(invocation, { onlyLooks: false }, (app) => {
      if (!app.hasTables) throw new StartError('READ_ONLY is set, so there are no users to change.')
      if (app.preparation()?.hasAdministrator === false)
        throw new StartError(
          'There is no administrator yet. Create the first one: "tain init", or "tain bootstrap" with ADMIN_EMAIL and ADMIN_PASSWORD.',
        )
      return work(app.operator, invocation)
    })
