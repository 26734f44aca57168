import { actions, type Action } from '@tain/contract'
import type { Output } from '@tain/contract/schemas'
import { titleOf } from './field.ts'

/** The answer of `GET /server/app`. */
export type AppStart = Output<'appStart'>
/** A collection as the start of the app lists it. */
export type Collection = AppStart['collections'][number]

export type { Action }

const levels = ['none', 'partial', 'full'] as const
export type Level = (typeof levels)[number]

/** What the caller may do with a collection: two bits per action. */
export const accessTo = ({ access }: Collection, action: Action): Level =>
  levels[(access >> (2 * actions.indexOf(action))) & 3] ?? 'none'

export const may = (collection: Collection, action: Action): boolean =>
  accessTo(collection, action) !== 'none' && (action === 'read' || !isReadOnlyCollection(collection))

export const isReadOnlyCollection = (collection: Collection): boolean =>
  collection.read_only === true || collection.key.length === 0

/** Why nothing can be changed in a collection; null: it can, as far as the caller may. */
export function whyReadOnly(collection: Collection): string | null {
  if (collection.kind === 'view' && collection.read_only === true)
    return 'This is a view. Its rows change where it reads them from.'
  if (collection.key.length === 0)
    return 'This table has no primary key, so a row cannot be named. Add a key to change rows.'
  if (collection.read_only === true) return 'The database does not allow changes here.'
  return null
}

export const collectionLabel = (collection: Collection): string => collection.label ?? titleOf(collection.collection)

const LAST = Number.MAX_SAFE_INTEGER

const { compare } = new Intl.Collator()

/** As the data model sorts them, then by label. */
export function inOrder(collections: readonly Collection[]): readonly Collection[] {
  const labelled = collections.map((each) => ({ each, label: collectionLabel(each) }))
  labelled.sort((a, b) => (a.each.sort ?? LAST) - (b.each.sort ?? LAST) || compare(a.label, b.label))
  return labelled.map(({ each }) => each)
}

/** The collections that people browse: not folders, not hidden, not the service's own. */
export const browsable = (collections: readonly Collection[]): readonly Collection[] =>
  collections.filter(
    (each) => each.kind !== 'folder' && each.hidden !== true && each.system !== true && may(each, 'read'),
  )
