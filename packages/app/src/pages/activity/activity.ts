import type { IconName } from '../../ui/icon-names.ts'
import type { Row } from '../../model/key.ts'

export interface Activity {
  readonly id: number
  readonly action: string
  readonly user:
    | {
        readonly id: string
        readonly first_name: string | null
        readonly last_name: string | null
        readonly email: string | null
      }
    | string
    | null
  readonly timestamp: string
  readonly ip: string | null
  readonly user_agent: string | null
  readonly origin: string | null
  readonly collection: string
  readonly item: string
}

export const activityActions = ['create', 'update', 'delete', 'login', 'logout'] as const
export type ActivityAction = (typeof activityActions)[number]

export const activityWords: Readonly<
  Record<ActivityAction, { readonly verb: string; readonly label: string; readonly icon: IconName }>
> = {
  create: { verb: 'created', label: 'Create', icon: 'plus' },
  update: { verb: 'changed', label: 'Update', icon: 'pencil' },
  delete: { verb: 'deleted', label: 'Delete', icon: 'trash-2' },
  login: { verb: 'signed in', label: 'Sign in', icon: 'log-in' },
  logout: { verb: 'signed out', label: 'Sign out', icon: 'log-out' },
}

export const wordsOf = (action: string) =>
  Object.hasOwn(activityWords, action)
    ? activityWords[action as ActivityAction]
    : { verb: action, label: action, icon: 'activity' as const }

/** Signing in and out has no item that could be shown. */
export const hasItem = ({ action }: Pick<Activity, 'action'>): boolean => action !== 'login' && action !== 'logout'

export interface ActivityFilter {
  readonly user: string
  readonly action: string
  readonly collection: string
  /** Days, `2026-11-17`; empty: without an end. */
  readonly from: string
  readonly to: string
}

/** The filter of the API. Days begin and end at the viewer's midnight. */
export function activityFilter({ user, action, collection, from, to }: ActivityFilter): Row | null {
  const conditions = [
    ...(user === '' ? [] : [{ user: { _eq: user } }]),
    ...(action === '' ? [] : [{ action: { _eq: action } }]),
    ...(collection === '' ? [] : [{ collection: { _eq: collection } }]),
    ...(from === '' ? [] : [{ timestamp: { _gte: midnight(from, 0) } }]),
    ...(to === '' ? [] : [{ timestamp: { _lt: midnight(to, 1) } }]),
  ]
  return conditions.length === 0 ? null : { _and: conditions }
}

function midnight(day: string, later: number): string {
  const date = new Date(`${day}T00:00:00`)
  date.setDate(date.getDate() + later)
  return date.toISOString()
}

export interface Revision {
  readonly id: number
  readonly data: Row | null
  readonly delta: Row | null
}

export interface FieldChange {
  readonly field: string
  readonly before: unknown
  readonly after: unknown
}

/** What a revision changed, field by field. `earlier` is the revision of the item before it. */
export function revisionChanges(action: string, revision: Revision, earlier: Revision | null): readonly FieldChange[] {
  const before = earlier?.data ?? {}
  if (action === 'delete')
    return Object.entries(revision.data ?? before).map(([field, value]) => ({ field, before: value, after: undefined }))
  const after = revision.delta ?? revision.data ?? {}
  return Object.entries(after)
    .map(([field, value]) => ({ field, before: before[field], after: value }))
    .filter((change) => action !== 'create' || change.after !== null)
}

/** Marks of browsers, the most telling first: most of them also name others. */
const browsers: readonly (readonly [mark: RegExp, name: string])[] = [
  [/Edg\//u, 'Edge'],
  [/OPR\//u, 'Opera'],
  [/Firefox\//u, 'Firefox'],
  [/Chrome\//u, 'Chrome'],
  [/Safari\//u, 'Safari'],
]
const systems: readonly (readonly [mark: RegExp, name: string])[] = [
  [/Windows/u, 'Windows'],
  [/Android/u, 'Android'],
  [/iPhone|iPad/u, 'iOS'],
  [/Mac OS/u, 'macOS'],
  [/Linux/u, 'Linux'],
]

/** A browser and a system out of a User-Agent, as far as they are known; else its first word. */
export function agentWords(agent: string): string {
  const nameIn = (marks: typeof browsers) => marks.find(([mark]) => mark.test(agent))?.[1]
  const browser = nameIn(browsers)
  if (browser === undefined) return agent.split(/[\s/]/u)[0] ?? agent
  const system = nameIn(systems)
  return system === undefined ? browser : `${browser} on ${system}`
}
