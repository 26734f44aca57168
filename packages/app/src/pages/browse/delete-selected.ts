import { messageOf } from '../../api/api-error.ts'
import { queryClient } from '../../app/query-client.ts'
import { noSelection } from '../../grid/selection.ts'
import { undoOffer, undoTab } from '../../grid/undo-tab.ts'
import type { Collection } from '../../model/collection.ts'
import type { Field } from '../../model/field.ts'
import { kindOf } from '../../model/kind.ts'
import { toast } from '../../ui/toasts.tsx'
import { consequencesOf, deleteRows, valuesOf, whyNotDeleted, type Consequence } from './row-writes.ts'
import { selectedKeys } from './selected-rows.ts'
import type { SelectionProps } from './selection-props.ts'

/** Up to this many rows, a deletion happens at once and can be undone. */
const AT_ONCE = 100

/** What is shown before rows are deleted. */
export interface DeletePlan {
  readonly keys: readonly string[]
  /** How many of the rows were looked at. */
  readonly tried: number
  readonly consequences: readonly Consequence[]
  readonly refusal: string | null
}

type Deletion = Pick<SelectionProps, 'collection' | 'fields' | 'source' | 'selection' | 'onSelect'>

/** Deletes few rows at once, with an undo. Answers with a plan where more is at stake. */
export async function deleteSelected(deletion: Deletion): Promise<DeletePlan | null> {
  const { collection, source, selection } = deletion
  try {
    const keys = await selectedKeys(source.query, selection)
    const tried = keys.slice(0, AT_ONCE)
    const consequences = await consequencesOf(collection, tried)
    if (keys.length > AT_ONCE || consequences.length > 0 || !canBeCreatedAgain(deletion.fields))
      return { keys, tried: tried.length, consequences, refusal: await refusalOf(collection, tried, consequences) }
    await deleteAtOnce(deletion, keys)
    return null
  } catch (error) {
    toast(messageOf(error), { tone: 'danger' })
    return null
  }
}

/** Rows that still refer to the given ones say why without a try; anything else is tried and rolled back. */
async function refusalOf(
  collection: Collection,
  keys: readonly string[],
  consequences: readonly Consequence[],
): Promise<string | null> {
  const refused = consequences.find(({ effect }) => effect === 'refused')
  if (refused === undefined) return await whyNotDeleted(collection, keys)
  return `Rows of ${refused.collection} still refer to these by ${refused.field}. Delete or change those first.`
}

/** Secrets are never read, so a row that has one cannot be brought back. */
const canBeCreatedAgain = (fields: readonly Field[]): boolean => fields.every((field) => kindOf(field) !== 'secret')

async function deleteAtOnce(
  { collection, fields, source, onSelect }: Deletion,
  keys: readonly string[],
): Promise<void> {
  const kept = await valuesOf(collection, keys, writtenFields(fields))
  await deleteRows(collection, keys)
  onSelect(noSelection)
  afterWrite(collection, source.reload)
  const label = `${rowCount(keys.length)} deleted`
  const steps = [...kept].map(([key, row]) => ({ kind: 'delete', collection, key, row, etag: null }) as const)
  toast(`${label}.`, { action: undoOffer(undoTab.push({ label, steps })) })
}

/** The fields that a row is created with. */
const writtenFields = (fields: readonly Field[]): readonly string[] =>
  fields.filter(({ type, schema }) => type !== 'alias' && schema?.is_generated !== true).map(({ field }) => field)

/** What was read before a write is read again. */
export function afterWrite({ collection }: Collection, reload: () => void): void {
  void queryClient.invalidateQueries({ queryKey: ['items', collection] })
  reload()
}

export const rowCount = (count: number): string => `${count.toLocaleString()} ${count === 1 ? 'row' : 'rows'}`
