import { changesOf, countOf, rebased, writeOf, type Changes } from './draft.ts'
import type { AccessRow } from './holders.ts'
import type { Permission } from './permission.ts'
import type { Policy, PolicyProperties } from './queries.ts'

/** A role or a user that a policy is attached to. `id` null: not saved yet. Both null: the public. */
export interface Attachment {
  readonly id: string | null
  readonly role: string | null
  readonly user: string | null
}

export interface PolicyDraft {
  readonly properties: PolicyProperties
  readonly permissions: readonly Permission[]
  readonly attachments: readonly Attachment[]
}

export interface PolicyChanges extends Changes {
  readonly properties: readonly (keyof PolicyProperties)[]
  readonly attached: readonly Attachment[]
  readonly detached: readonly Attachment[]
}

const propertyNames = [
  'name',
  'icon',
  'description',
  'ip_access',
  'enforce_tfa',
  'admin_access',
  'app_access',
] as const satisfies readonly (keyof PolicyProperties)[]

export const savedDraft = (policy: Policy, access: readonly AccessRow[]): PolicyDraft => ({
  properties: policy,
  permissions: policy.permissions,
  attachments: access.filter((row) => row.policy === policy.id).map(({ id, role, user }) => ({ id, role, user })),
})

export function policyChanges(saved: PolicyDraft, draft: PolicyDraft): PolicyChanges {
  const kept = new Set(draft.attachments.map(({ id }) => id))
  return {
    ...changesOf(saved.permissions, draft.permissions),
    properties: propertyNames.filter(
      (name) => JSON.stringify(saved.properties[name]) !== JSON.stringify(draft.properties[name]),
    ),
    attached: draft.attachments.filter(({ id }) => id === null),
    detached: saved.attachments.filter(({ id }) => !kept.has(id)),
  }
}

export const policyChangeCount = (changes: PolicyChanges): number =>
  countOf(changes) + changes.properties.length + changes.attached.length + changes.detached.length

/** The one request body that makes all changes together, or none of them. */
export function policyWrite(changes: PolicyChanges, draft: PolicyDraft): Readonly<Record<string, unknown>> {
  const { attached, detached } = changes
  return {
    ...Object.fromEntries(changes.properties.map((name) => [name, draft.properties[name]])),
    ...(countOf(changes) === 0 ? {} : { permissions: writeOf(changes) }),
    ...(attached.length + detached.length === 0
      ? {}
      : {
          roles: {
            create: attached.map(({ role, user }) => ({ role, user })),
            update: [],
            delete: detached.map(({ id }) => id),
          },
        }),
  }
}

/** The changes of a draft on a policy that somebody else has saved meanwhile. */
export function rebasedDraft(saved: PolicyDraft, draft: PolicyDraft, fresh: PolicyDraft): PolicyDraft {
  const changes = policyChanges(saved, draft)
  const gone = new Set(changes.detached.map(({ id }) => id))
  return {
    properties: {
      ...fresh.properties,
      ...Object.fromEntries(changes.properties.map((name) => [name, draft.properties[name]])),
    },
    permissions: rebased(changes, fresh.permissions),
    attachments: [...fresh.attachments.filter(({ id }) => !gone.has(id)), ...changes.attached],
  }
}

/** Whether two states of a policy are the same, so that a draft made on one fits the other. */
export const isSameState = (a: PolicyDraft, b: PolicyDraft): boolean => policyChangeCount(policyChanges(a, b)) === 0

const propertyWords: Readonly<Record<keyof PolicyProperties, string>> = {
  name: 'Name',
  icon: 'Icon',
  description: 'Description',
  ip_access: 'IP addresses',
  enforce_tfa: 'Second factor required',
  admin_access: 'Administrator access',
  app_access: 'App access',
}

const valueWords = (value: PolicyProperties[keyof PolicyProperties]): string => {
  if (value === null || value === '') return 'nothing'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'string' ? value : value.join(', ') || 'nothing'
}

/** A changed property: `Second factor required: yes, before: no`. */
export const propertySentence = (name: keyof PolicyProperties, saved: PolicyDraft, draft: PolicyDraft): string =>
  `${propertyWords[name]}: ${valueWords(draft.properties[name])}, before: ${valueWords(saved.properties[name])}`
