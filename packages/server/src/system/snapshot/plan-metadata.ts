import { collectionMeta, fieldMeta, relationMeta, type MetaColumn, type SnapshotSection } from '@tain/contract'
import { canonicalJson } from '../../lib/canonical-json.ts'
import type { MetadataChange, MetadataTable, StoredValue } from '../../schema/change.ts'
import { named, storedMeta, type Body } from '../metadata.ts'
import type { Sides } from './table-diff.ts'
import { itemsOf, type Item } from './sections.ts'

interface Store {
  readonly section: SnapshotSection
  readonly table: MetadataTable
  readonly columns: Readonly<Record<string, MetaColumn>>
  /** Key column → name in the object. */
  readonly keys: readonly (readonly [column: string, name: string])[]
}

const stores: readonly Store[] = [
  {
    section: 'collections',
    table: 'service_collections',
    columns: collectionMeta,
    keys: [['collection', 'collection']],
  },
  {
    section: 'fields',
    table: 'service_fields',
    columns: fieldMeta,
    keys: [
      ['collection', 'collection'],
      ['field', 'field'],
    ],
  },
  {
    section: 'relations',
    table: 'service_relations',
    columns: relationMeta,
    keys: [
      ['many_collection', 'collection'],
      ['many_field', 'field'],
    ],
  },
]

const keysOf = ({ keys }: Store, item: Item): StoredValue[] =>
  keys.map(([column, name]) => named(column, String(item[name])))

const rowName = (table: string, keys: readonly StoredValue[]) => JSON.stringify([table, keys.map(({ value }) => value)])

/** Several relations may start at one field; at most one of them has metadata. */
function metasOf(store: Store, items: readonly Item[]): Map<string, { item: Item; meta: Body }> {
  return new Map(
    items.flatMap((item) =>
      item['meta'] === null || item['meta'] === undefined
        ? []
        : [[rowName(store.table, keysOf(store, item)), { item, meta: item['meta'] as Body }]],
    ),
  )
}

function valuesOf({ section, columns }: Store, meta: Body): StoredValue[] {
  const names = Object.fromEntries(Object.entries(meta).filter(([name]) => !Object.hasOwn(columns, name)))
  const values = storedMeta(meta, columns, names)
  const one = meta['one_collection']
  return section === 'relations'
    ? [{ column: 'one_collection', kind: 'text', value: typeof one === 'string' ? one : null }, ...values]
    : values
}

/** Whether a removal has deleted or changed the row; a removal with fewer keys covers several rows. */
const touches = (removed: MetadataChange, table: string, keys: readonly StoredValue[]) =>
  removed.kind !== 'insert' &&
  removed.table === table &&
  removed.keys.every(({ column, value }) => keys.some((key) => key.column === column && key.value === value))

/** Metadata rows that differ, and rows to keep that a removal has deleted or changed. */
export function storeAll({ current, wanted }: Sides, removed: readonly MetadataChange[]): MetadataChange[] {
  return stores.flatMap((store) => {
    const before = metasOf(store, itemsOf(current, store.section))
    const after = metasOf(store, itemsOf(wanted, store.section))
    const puts = [...after].flatMap(([name, { item, meta }]): MetadataChange[] => {
      const keys = keysOf(store, item)
      const isUnchanged =
        canonicalJson(before.get(name)?.meta ?? null) === canonicalJson(meta) &&
        !removed.some((change) => touches(change, store.table, keys))
      return isUnchanged ? [] : [{ kind: 'put', table: store.table, keys, values: valuesOf(store, meta) }]
    })
    const gone = [...before].filter(([name]) => !after.has(name))
    const removes = gone.map(([, { item }]): MetadataChange => ({
      kind: 'remove',
      table: store.table,
      keys: keysOf(store, item),
    }))
    return [...removes, ...puts]
  })
}
