import type { TestDialect } from '../databases.ts'
import { accountAttacks } from './accounts.ts'
import { dryRunAttacks } from './dry-runs.ts'
import { hiddenAttacks } from './hidden.ts'
import { loginAttacks } from './logins.ts'
import { permissionAttacks } from './permissions.ts'
import { requestAttacks, slowBody } from './requests.ts'
import { resourceAttacks } from './resources.ts'
import type { Attack } from './verdict.ts'

/** Every attack that has worked once, each tried again as it was found and in the ways nearest to it. */
const attacks: readonly Attack[] = [
  ...loginAttacks,
  ...accountAttacks,
  ...permissionAttacks,
  ...hiddenAttacks,
  ...dryRunAttacks,
  ...requestAttacks,
  ...resourceAttacks,
  // It waits for a minute to pass, most of which the others have used.
  slowBody,
]

export const attacksOn = (dialect: TestDialect): readonly Attack[] =>
  attacks.filter(({ on }) => on === undefined || on.includes(dialect))
