import type { Action, Attachment, Permission, Policy, Rights, Role } from '../access/rights.ts'
import { run, type Database } from '../sql/database.ts'
import type { Driver, Transaction } from '../sql/driver.ts'

/** Holds the current rights and follows the database: whoever finds out about a newer version asks for it. */
export interface RightsStore {
  /** The newest there is; asks the database once when there are none yet. */
  current(): Promise<Rights>
  /** The newest that were read, without asking. */
  atHand(): Rights | null
  /** The current ones if they are at least of this version, else a new reading. */
  atLeast(version: number): Promise<Rights>
}

export function createRightsStore(database: Database, systemSchema: string): RightsStore {
  const { driver } = database
  let rights: Rights | null = null
  let running: Promise<Rights> | null = null

  const load = async (): Promise<Rights> => {
    const read = await readRights(database, systemSchema, driver)
    // Readings may overtake each other; an older one is never kept over a newer.
    if (rights === null || read.version >= rights.version) rights = read
    return rights
  }

  const atLeast = async (version: number): Promise<Rights> => {
    for (;;) {
      if (rights !== null && rights.version >= version) return rights
      running ??= load().finally(() => {
        running = null
      })
      await running
    }
  }

  return { current: () => (rights === null ? atLeast(0) : Promise.resolve(rights)), atHand: () => rights, atLeast }
}

/** As they are for whoever asks: inside a transaction with what it has written. */
export async function readRights(
  { dialect, serviceTables }: Database,
  systemSchema: string,
  runner: Driver | Transaction,
): Promise<Rights> {
  const [row] = await run(serviceTables.rights(systemSchema), runner, dialect)
  return rightsOf(row ?? [])
}

interface StoredPermission {
  readonly id: number
  readonly policy: string
  readonly collection: string
  readonly action: Action
  readonly permissions: unknown
  readonly validation: unknown
  readonly presets: Readonly<Record<string, unknown>> | null
  readonly fields: readonly string[] | null
}

interface StoredPolicy {
  readonly id: string
  readonly ip_access: readonly string[] | null
  readonly enforce_tfa: boolean
  readonly admin_access: boolean
  readonly app_access: boolean
}

/** version, roles, policies, attachments, permissions; all but the first as JSON lists. */
function rightsOf([version, roles, policies, attachments, permissions]: readonly (string | null)[]): Rights {
  const listOf = (text: string | null | undefined): unknown => JSON.parse(text ?? '[]')
  const byPolicy = new Map<string, Permission[]>()
  for (const stored of listOf(permissions) as readonly StoredPermission[]) {
    const permission = permissionOf(stored)
    const same = byPolicy.get(stored.policy)
    if (same === undefined) byPolicy.set(stored.policy, [permission])
    else same.push(permission)
  }
  return {
    version: Number(version),
    roles: new Map((listOf(roles) as readonly Role[]).map(({ id, parent }) => [id, { id, parent }])),
    policies: new Map(
      (listOf(policies) as readonly StoredPolicy[]).map((stored): [string, Policy] => [
        stored.id,
        {
          id: stored.id,
          addresses: stored.ip_access ?? [],
          enforcesTfa: stored.enforce_tfa,
          isAdmin: stored.admin_access,
          isApp: stored.app_access,
          permissions: byPolicy.get(stored.id) ?? [],
        },
      ]),
    ),
    attachments: listOf(attachments) as readonly Attachment[],
  }
}

function permissionOf({ id, policy, collection, action, permissions, validation, presets, fields }: StoredPermission) {
  const names = fields ?? []
  const permission: Permission = {
    id,
    policy,
    collection,
    action,
    rule: permissions,
    validation,
    presets,
    fields: names.includes('*') ? 'all' : new Set(names),
  }
  return permission
}
