import type { SnapshotRow } from '@tain/contract'
import { dashboards, files, folders, panels, policies, roles, translations, users } from '@tain/contract/collections'
import { PUBLIC_POLICY } from '../../auth/bootstrap.ts'
import type { SecretEncryption } from '../../auth/secret-encryption.ts'
import type { MetadataChange, MetadataTable } from '../../schema/change.ts'
import type { Schema } from '../../schema/schema.ts'
import type { Finding } from './findings.ts'
import type { Mapped } from './outcome.ts'
import { dashboardRows, fileRows, panelRows } from './file-rows.ts'
import { accessRows, permissionRows, type Known } from './permission-rows.ts'
import { planAccess, planKeyed, planPermissionRows, planPresets, planSettings, type Held } from './plan-rows.ts'
import type { Counting } from './row-change.ts'
import type { Source } from './source.ts'
import { folderRows, policyRows, presetRows, roleRows, settingsRow, translationRows } from './system-rows.ts'
import { takenUsers } from './unique-users.ts'
import { userRows } from './user-rows.ts'

export interface SystemRowsContext {
  readonly source: Source
  /** The schema once the metadata is taken. */
  readonly schema: Schema
  /** The rows that the service has. */
  readonly held: (table: MetadataTable) => Promise<readonly Held[]>
  readonly encryption: SecretEncryption | null
  readonly isReplacing: boolean
  readonly counting: Counting
}

type KeyedCollection = typeof folders | typeof translations | typeof files | typeof dashboards | typeof panels

interface PlannedRows {
  readonly changes: readonly MetadataChange[]
  readonly findings: readonly Finding[]
}

/** Rows of the service's collections, referenced ones first. */
export async function planSystemRows(context: SystemRowsContext): Promise<PlannedRows> {
  const { source, held, isReplacing, counting } = context
  const keyed = async (mapped: Mapped<SnapshotRow>, declared: KeyedCollection) => {
    const planned = planKeyed(mapped.rows, declared, await held(declared.name), () => isReplacing, counting)
    return { changes: planned.changes, findings: mapped.findings }
  }
  const subjects = await planSubjects(context)
  const mappedFolders = folderRows(source)
  const { users } = subjects.known
  const setting = settingsRow(source)
  const presets = presetRows(source)
  const isUsed = ({ user, role }: SnapshotRow) =>
    (user === null || subjects.known.users.has(user)) && (role === null || subjects.known.roles.has(role))
  const parts: readonly PlannedRows[] = [
    await keyed(mappedFolders, folders),
    subjects,
    await keyed(fileRows(source, { users, folders: keysIn(mappedFolders.rows, await held('service_folders')) }), files),
    await keyed(dashboardRows(source, users), dashboards),
    await keyed(panelRows(source, users), panels),
    await planGrants(context, subjects),
    {
      changes: planPresets(presets.rows.filter(isUsed), await held('service_presets'), counting),
      findings: presets.findings,
    },
    await keyed(translationRows(source), translations),
    {
      changes: planSettings(setting.row, await held('service_settings'), isReplacing, counting),
      findings: setting.findings,
    },
  ]
  return {
    changes: parts.flatMap(({ changes }) => changes),
    findings: parts.flatMap(({ findings }) => findings),
  }
}

interface Subjects extends PlannedRows {
  /** Keys that exist once the migration is done. */
  readonly known: Known
  /** Keys of rows that Directus has, and of those among them that are new. */
  readonly taken: ReadonlySet<unknown>
  readonly fresh: ReadonlySet<unknown>
  /** Whether nothing was taken before; the public policy always exists. */
  readonly isFirst: boolean
}

/** Roles, policies and users. */
async function planSubjects({ source, held, encryption, isReplacing, counting }: SystemRowsContext): Promise<Subjects> {
  const mappedRoles = roleRows(source)
  const mappedPolicies = policyRows(source)
  const [heldRoles, heldPolicies, heldUsers] = [
    await held('service_roles'),
    await held('service_policies'),
    await held('service_users'),
  ]
  const isFirst = !mappedPolicies.rows.some(
    ({ id }) => id !== PUBLIC_POLICY && heldPolicies.some((policy) => policy['id'] === id),
  )
  const knownRoles = keysIn(mappedRoles.rows, heldRoles)
  const mappedUsers = takenUsers(userRows(source, { encryption, roles: knownRoles }), heldUsers)
  const replaces = () => isReplacing
  const replacesPolicy = ({ id }: SnapshotRow) => isReplacing || (isFirst && id === PUBLIC_POLICY)
  const planned = [
    planKeyed(mappedRoles.rows, roles, heldRoles, replaces, counting),
    planKeyed(mappedPolicies.rows, policies, heldPolicies, replacesPolicy, counting),
    planKeyed(mappedUsers.rows, users, heldUsers, replaces, counting),
  ]
  const mapped = [mappedRoles, mappedPolicies, mappedUsers]
  return {
    changes: planned.flatMap(({ changes }) => changes),
    findings: mapped.flatMap(({ findings }) => findings),
    known: {
      roles: knownRoles,
      policies: keysIn(mappedPolicies.rows, heldPolicies),
      users: keysIn(mappedUsers.rows, heldUsers),
    },
    taken: new Set(mapped.flatMap(({ rows }) => rows.map(({ id }) => id))),
    fresh: new Set(planned.flatMap(({ fresh }) => [...fresh])),
    isFirst,
  }
}

/** Attachments and permissions. */
async function planGrants(context: SystemRowsContext, subjects: Subjects): Promise<PlannedRows> {
  const { source, schema, held, isReplacing, counting } = context
  const { known, taken, fresh, isFirst } = subjects
  const attachments = accessRows(source, known)
  const permissions = permissionRows(source, schema, taken)
  const heldPermissions = await held('service_permissions')
  const isBare = !heldPermissions.some(({ policy }) => policy === PUBLIC_POLICY)
  const isTaking = (policy: unknown) =>
    taken.has(policy) && (isReplacing || fresh.has(policy) || (isFirst && isBare && policy === PUBLIC_POLICY))
  const heldAccess = await held('service_access')
  const planned = planPermissionRows(permissions.rows, heldPermissions, isTaking, counting)
  return {
    changes: [...planAccess(attachments.rows, heldAccess, { fresh, taken, isReplacing }, counting), ...planned.changes],
    findings: [...attachments.findings, ...permissions.findings, ...planned.findings],
  }
}

const keysIn = (rows: readonly SnapshotRow[], held: readonly Held[]): ReadonlySet<unknown> =>
  new Set([...rows, ...held].map(({ id }) => id))
