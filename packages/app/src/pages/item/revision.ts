import { isSame } from '../../form/draft.ts'
import type { Row } from '../../model/key.ts'

/** A row as it was after a change. */
export interface Revision {
  readonly id: number | string
  readonly data: Row | null
  readonly delta: Row | null
  readonly activity: { readonly action: string; readonly timestamp: string; readonly user: Row | null } | null
}

export const authorOf = ({ activity }: Revision): Row | null => activity?.user ?? null

const verbs: Readonly<Record<string, string>> = {
  create: 'created',
  update: 'changed',
  delete: 'deleted',
  revert: 'restored',
}

export const verbOf = ({ activity }: Revision): string => verbs[activity?.action ?? 'update'] ?? 'changed'

export interface Difference {
  readonly field: string
  readonly left: unknown
  readonly right: unknown
}

/** Where two versions of a row differ. Fields that only one of them knows are left out. */
export const differences = (left: Row, right: Row): readonly Difference[] =>
  Object.keys(left)
    .filter((field) => Object.hasOwn(right, field) && !isSame(left[field], right[field]))
    .map((field) => ({ field, left: left[field], right: right[field] }))
