import { parseExactJson } from '../../lib/exact-json.ts'
import type { WriteNode } from '../../query/bound-write.ts'
import { isPayload, type Payload } from '../../query/mutation.ts'
import type { Collection, ColumnField } from '../../schema/schema.ts'
import type { StageContext } from './context.ts'
import type { FilteredAction, FilteredRow, Filtering } from './filters.ts'
import { actionOf } from './lock.ts'
import { stays } from './row-rules.ts'
import type { State } from './tree-state.ts'

const MASK = '**********'

/** Lets filters see the rows of a payload, then completes and validates what has become of them. */
export async function filterNodes(nodes: readonly WriteNode[], state: State): Promise<void> {
  const filtered = nodes.filter((node) => state.filtering.isFiltered(node.collection))
  if (filtered.length === 0) return
  await state.filtering.rows(
    filtered.flatMap((node) => {
      const action = writtenAs(node, state)
      return action === null ? [] : [rowOf(node, action, state.context)]
    }),
  )
  await state.context.completeFiltered(filtered)
}

export async function filterDeletes(
  collection: Collection,
  keys: readonly (readonly string[])[],
  filtering: Filtering,
): Promise<void> {
  if (filtering.isFiltered(collection)) await filtering.rows(keys.map((key) => deletedRow(collection, key)))
}

/** null: the row stays as it is. */
function writtenAs(node: WriteNode, state: State): FilteredAction | null {
  if (node.action === 'link' || stays(node, state)) return null
  if (node.action === 'create' || node.action === 'join') return 'create'
  const action = node.action === 'save' ? actionOf(node, state) : 'update'
  if (action === 'create') return action
  return [...node.values.keys()].some((name) => !isOfKey(node.collection, name)) ? action : null
}

const isOfKey = ({ key }: Collection, name: string) => key.some((field) => field.name === name)

const isSecret = ({ specials }: ColumnField) => specials.includes('hash')

const deletedRow = (collection: Collection, key: readonly string[]): FilteredRow => ({
  collection,
  action: 'delete',
  key,
  values: () => ({}),
  set: () => {
    throw new TypeError('A row that is deleted takes no values.')
  },
})

function rowOf(node: WriteNode, action: FilteredAction, { encode }: StageContext): FilteredRow {
  const { collection, key, values, path } = node
  return {
    collection,
    action,
    key,
    values: () =>
      Object.fromEntries(
        [...collection.columns.values()].flatMap((field): [string, unknown][] => {
          const value = values.get(field.name)
          if (value?.kind !== 'given' || (action === 'update' && isOfKey(collection, field.name))) return []
          return [[field.name, isSecret(field) && value.json !== 'null' ? MASK : JSON.parse(value.json)]]
        }),
      ),
    set: (given) => {
      for (const [name, value] of Object.entries(plainValues(given))) {
        const field = settable(name, collection, action)
        if (isSecret(field) && value === MASK) continue
        values.set(name, { kind: 'given', json: encode(field, value, path) })
      }
    },
  }
}

/** As JSON has them: code may hand over dates, and properties without a value. */
function plainValues(given: Payload): Payload {
  const plain: unknown = isPayload(given) ? parseExactJson(JSON.stringify(given)) : given
  if (!isPayload(plain)) throw new TypeError('The values of a row have to be an object.')
  return plain
}

function settable(name: string, collection: Collection, action: FilteredAction): ColumnField {
  const field = collection.columns.get(name)
  if (field === undefined) throw new TypeError(`"${collection.name}" has no column "${name}".`)
  if (field.column.generationExpression !== null || field.column.identity === 'always')
    throw new TypeError(`The database computes "${name}" of "${collection.name}".`)
  if (action === 'update' && isOfKey(collection, name))
    throw new TypeError(`"${name}" is the key of "${collection.name}", which no update changes.`)
  return field
}
