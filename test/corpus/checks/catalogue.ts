// Compares the collections and fields of the service with the database catalogue.
import { columnOf, type Column, type ForeignKey, type Table } from '../model.ts'
import { isSystem, type FieldObject, type Session } from '../session.ts'

/**
 * Every table and view is a collection, except for partitions and objects of extensions. There are no other
 * collections.
 */
export async function tables({ plain, collections, checked, differ }: Session): Promise<void> {
  const names = new Set(collections.map(({ collection }) => collection))
  for (const { collection, isHidden } of plain.tables) {
    checked()
    if (names.has(collection) === isHidden)
      differ(collection, isHidden ? 'is served' : 'is not served', { call: { method: 'GET', path: '/collections' } })
  }
  for (const each of collections)
    if (!isSystem(each, plain.tables) && !plain.tables.some(({ collection }) => collection === each.collection))
      differ(each.collection, 'is no table', { call: { method: 'GET', path: '/collections' } })
}

/** Only tables with a key are writable. */
export async function readOnly({ served, checked, differ }: Session): Promise<void> {
  for (const { table, collection } of served) {
    checked()
    const expected = table.kind === 'view' || table.key.length === 0
    const got = collection.schema?.['is_read_only']
    if (got !== expected) differ(table.collection, 'is_read_only', { expected, got })
  }
}

/** Every column is a field of the type that the contract specifies, and there are no other fields. */
export async function types({ plain, served, checked, differ }: Session): Promise<void> {
  for (const { table, fields } of served) {
    const call = { method: 'GET', path: `/fields/${encodeURIComponent(table.collection)}` }
    for (const column of table.columns) {
      checked()
      const where = `${table.collection}.${column.name}`
      const expected = plain.fieldType(column)
      const got = fields.get(column.name)?.type
      if (got !== expected) differ(where, `type of ${column.type || 'a column without type'}`, { expected, got, call })
    }
    for (const { field } of fields.values())
      if (!table.columns.some(({ name }) => name === field))
        differ(`${table.collection}.${field}`, 'is no column', { call })
  }
}

const isUnique = ({ key, uniques }: Table, name: string) =>
  [key, ...uniques].some((columns) => columns.length === 1 && columns[0] === name)

/** The expected flags of a field. A column without a unique constraint may still have a unique index. */
function flagsOf(table: Table, column: Column): Readonly<Record<string, unknown>> {
  return {
    is_nullable: column.isNullable,
    is_primary_key: table.key.includes(column.name),
    is_generated: column.isGenerated,
    ...(isUnique(table, column.name) ? { is_unique: true } : {}),
  }
}

/** Compares nullability, key, generated and unique flags. */
export async function flags({ served, checked, differ }: Session): Promise<void> {
  for (const { table, fields } of served) {
    if (table.kind === 'view') continue
    for (const column of table.columns) {
      const schema = fields.get(column.name)?.schema
      for (const [flag, expected] of Object.entries(flagsOf(table, column))) {
        checked()
        const path = `/fields/${encodeURIComponent(table.collection)}/${encodeURIComponent(column.name)}`
        if (schema?.[flag] !== expected)
          differ(`${table.collection}.${column.name}`, flag, {
            expected,
            got: schema?.[flag],
            call: { method: 'GET', path },
          })
      }
    }
  }
}

const leadsTo = (field: FieldObject | undefined, keys: readonly ForeignKey[]) =>
  keys.some(
    ({ to, toColumns }) =>
      field?.schema?.['foreign_key_table'] === to.name &&
      String(field.schema['foreign_key_column']).toLowerCase() === toColumns[0]?.toLowerCase(),
  )

/** Every foreign key is in /relations. A single-column foreign key is also part of its field. */
export async function foreignKeys({ served, relations, checked, differ }: Session): Promise<void> {
  const isServed = new Set(served.map(({ table }) => table))
  for (const { table, fields } of served) {
    for (const { columns, to } of table.foreignKeys.filter((key) => isServed.has(key.to))) {
      checked()
      const where = `${table.collection} (${columns.join(', ')}) → ${to.collection}`
      const [first = ''] = columns
      const isListed = relations.some(
        ({ collection, field, related_collection: related }) =>
          collection === table.collection && related === to.collection && (columns.length > 1 || field === first),
      )
      if (!isListed) differ(where, 'is not in /relations', { call: { method: 'GET', path: '/relations' } })
      const same = table.foreignKeys.filter((key) => key.columns.length === 1 && key.columns[0] === first)
      if (columns.length === 1 && !leadsTo(fields.get(columnOf(table, first).name), same))
        differ(where, 'is not told by its field', { got: fields.get(first)?.schema })
    }
  }
}
