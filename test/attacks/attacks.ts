import type { TestDialect } from '../lib/databases.ts'
import { accountAttacks } from './accounts.ts'
import { addressAttacks } from './addresses.ts'
import { assetAttacks } from './assets.ts'
import { dryRunAttacks } from './dry-runs.ts'
import { eventAttacks } from './events.ts'
import { hiddenAttacks } from './hidden.ts'
import { linkAttacks } from './links.ts'
import { loginAttacks } from './logins.ts'
import { permissionAttacks } from './permissions.ts'
import { requestAttacks, slowBody } from './requests.ts'
import { resourceAttacks } from './resources.ts'
import type { Attack } from './verdict.ts'

/** Every attack that once succeeded, repeated as found and in its closest variants. */
const attacks: readonly Attack[] = [
  ...loginAttacks,
  ...accountAttacks,
  ...permissionAttacks,
  ...hiddenAttacks,
  ...dryRunAttacks,
  ...requestAttacks,
  ...resourceAttacks,
  ...addressAttacks,
  ...eventAttacks,
  ...linkAttacks,
  ...assetAttacks,
  // It waits until a minute has passed; the other attacks use most of that time.
  slowBody,
]

export const attacksOn = (dialect: TestDialect): readonly Attack[] =>
  attacks.filter(({ on }) => on === undefined || on.includes(dialect))
