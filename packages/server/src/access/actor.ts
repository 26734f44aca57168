import type { BoundFilter } from '../query/bound.ts'
import type { Collection } from '../schema/schema.ts'

/** Who is asking. */
export interface Actor {
  readonly user: string | null
  readonly role: string | null
  readonly roles: readonly string[]
  readonly policies: readonly string[]
  readonly isAdmin: boolean
  /** Callers with the same grants share compiled statements. */
  readonly grantKey: string
  readonly readGrant: (collection: Collection) => ReadGrant | null
  readonly mayWrite: (collection: Collection, action: WriteAction) => boolean
}

export type WriteAction = 'create' | 'update' | 'delete'

/** What somebody may read of one collection; null instead of a grant is nothing. */
export interface ReadGrant {
  /** null: every row. */
  readonly rows: BoundFilter | null
  readonly fields: 'all' | ReadonlySet<string>
}

const everything: ReadGrant = { rows: null, fields: 'all' }

export const administrator: Actor = {
  user: null,
  role: null,
  roles: [],
  policies: [],
  isAdmin: true,
  grantKey: 'admin',
  readGrant: () => everything,
  mayWrite: () => true,
}

export const anonymous: Actor = {
  user: null,
  role: null,
  roles: [],
  policies: [],
  isAdmin: false,
  grantKey: 'public',
  readGrant: () => null,
  mayWrite: () => false,
}
