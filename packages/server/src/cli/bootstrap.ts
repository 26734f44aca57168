import { ServiceError } from '@tain/contract'
import type { Core } from '../app/core.ts'
import { StartError } from '../schema/start-error.ts'
import type { Snapshots } from '../system/snapshot/snapshots.ts'
import type { ExitCode, Run } from './command.ts'
import { snapshotIn } from './snapshot-file.ts'
import { withCore } from './with-core.ts'

/** Changes by other processes between comparing and applying; each of them ends, so a few tries are enough. */
const TRIES = 5

/** Prepares a database for the service. A second run, or one at the same time, finds it done. */
export const bootstrap: Run = async (invocation) => {
  const { options, terminal } = invocation
  const file = typeof options['snapshot'] === 'string' ? options['snapshot'] : null
  const snapshot = file === null ? null : await snapshotIn(file)
  return withCore<ExitCode>(invocation, { onlyLooks: false }, async (app) => {
    const done = [...preparedIn(app), ...((await applied(snapshot, app.snapshots)) ? [`Applied ${file}.`] : [])]
    for (const line of done) terminal.tell(line)
    if (done.length === 0) terminal.tell('Nothing to do.')
    if (app.preparation()?.hasAdministrator === false)
      terminal.tell('There is no administrator yet: set ADMIN_EMAIL and ADMIN_PASSWORD, and run this command again.')
    return 0
  })
}

/** What the start has done, one line each. */
export function preparedIn(core: Core): readonly string[] {
  const preparation = core.preparation()
  if (preparation === null) throw new StartError('READ_ONLY is set, so there is nothing to prepare.')
  const { tables, isAdministratorCreated } = preparation
  return [
    ...(tables === 'created' ? ["Created the service's tables."] : []),
    ...(tables === 'migrated' ? ["Brought the service's tables up to date."] : []),
    ...(isAdministratorCreated ? ['Created the first administrator.'] : []),
  ]
}

/** Returns whether there was anything to apply. */
async function applied(snapshot: unknown, snapshots: Snapshots): Promise<boolean> {
  if (snapshot === null) return false
  for (let tries = 1; ; tries += 1) {
    const diff = await snapshots.diff(snapshot, { mode: 'merge', force: false, scope: null })
    if (diff === null) return false
    try {
      await snapshots.apply(diff, { mayLose: false })
      return true
    } catch (error) {
      // The schema may have changed since the comparison, most likely by another bootstrap.
      if (!(error instanceof ServiceError) || tries === TRIES) throw error
    }
  }
}
