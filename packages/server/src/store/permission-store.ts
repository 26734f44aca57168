import {
  permissionModelFrom,
  type Attachment,
  type PermissionModel,
  type Role,
  type StoredPermission,
  type StoredPolicy,
} from '../access/permissions.ts'
import { run, type Database } from '../sql/database.ts'
import type { Driver, Transaction } from '../sql/driver.ts'

/** Caches the permissions. A reader that learns of a newer version requests it with `atLeast`. */
export interface PermissionStore {
  /** The cached permissions; reads the database only if there are none yet. */
  current(): Promise<PermissionModel>
  /** The cached permissions, without a database read. */
  atHand(): PermissionModel | null
  /** The cached permissions if they have at least this version, else the result of a new read. */
  atLeast(version: number): Promise<PermissionModel>
}

/** `onRead` is called with each version that was read. */
export function createPermissionStore(
  database: Database,
  systemSchema: string,
  onRead: (version: number) => void = () => {},
): PermissionStore {
  const { driver } = database
  let permissionModel: PermissionModel | null = null
  let running: Promise<PermissionModel> | null = null

  const load = async (): Promise<PermissionModel> => {
    const read = await readPermissionModel(database, systemSchema, driver)
    // Reads can finish out of order; an older result never replaces a newer one.
    if (permissionModel === null || read.version >= permissionModel.version) permissionModel = read
    onRead(read.version)
    return permissionModel
  }

  const atLeast = async (version: number): Promise<PermissionModel> => {
    for (;;) {
      if (permissionModel !== null && permissionModel.version >= version) return permissionModel
      running ??= load().finally(() => {
        running = null
      })
      await running
    }
  }

  return {
    current: () => (permissionModel === null ? atLeast(0) : Promise.resolve(permissionModel)),
    atHand: () => permissionModel,
    atLeast,
  }
}

/** Reads the permissions as `runner` sees them: a transaction sees its own writes. */
export async function readPermissionModel(
  { dialect, serviceTables }: Database,
  systemSchema: string,
  runner: Driver | Transaction,
): Promise<PermissionModel> {
  const [row] = await run(serviceTables.permissions(systemSchema), runner, dialect)
  return permissionModelOf(row ?? [])
}

/** Columns: version, then roles, policies, attachments and permissions as JSON lists. */
function permissionModelOf([version, roles, policies, attachments, permissions]: readonly (
  | string
  | null
)[]): PermissionModel {
  const listOf = (text: string | null | undefined): unknown => JSON.parse(text ?? '[]')
  return permissionModelFrom({
    version: Number(version),
    roles: listOf(roles) as readonly Role[],
    policies: listOf(policies) as readonly StoredPolicy[],
    attachments: listOf(attachments) as readonly Attachment[],
    permissions: listOf(permissions) as readonly StoredPermission[],
  })
}
