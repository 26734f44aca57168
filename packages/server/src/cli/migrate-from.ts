import { ServiceError } from '@tain/contract'
import { reportText } from '../system/directus/findings.ts'
import type { Run } from './command.ts'
import { withCore } from './with-core.ts'

/** Prints the report. After a refusal nothing has been taken. */
export const migrateFromDirectus: Run = async (invocation) => {
  const { options, terminal } = invocation
  const isDryRun = options['dryRun'] === true
  const asked = { isReplacing: options['replace'] === true, isDetaching: options['detach'] === true }
  try {
    const report = await withCore(invocation, { onlyLooks: isDryRun }, ({ directus }) =>
      isDryRun ? directus.dryRun(asked) : directus.run(asked),
    )
    terminal.print(options['json'] === true ? `${JSON.stringify(report, null, 2)}\n` : reportText(report))
    terminal.tell(isDryRun ? 'Nothing has been changed.' : 'Done.')
    return 0
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    terminal.tell(error.message)
    return 2
  }
}
