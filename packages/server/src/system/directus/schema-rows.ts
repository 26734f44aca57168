import { collectionMeta, fieldMeta, isSpecial, relationMeta, type MetaColumn } from '@tain/contract'
import { shapeProblem } from '../../access/rule-problems.ts'
import type { MetadataTable } from '../../schema/change.ts'
import type { Finding } from './findings.ts'
import { knownInterfaces } from './interfaces.ts'
import { equalOf, isMoved } from './names.ts'
import { mapRows, named, type Mapped, type Outcome } from './outcome.ts'
import type { Source } from './source.ts'
import { isDirectus, secretColumns } from './tables.ts'
import { flagIn, jsonIn, listIn, type TextRow } from './values.ts'

/** A metadata row of the service: its identifying names, and its other values. */
export interface MetaRow {
  readonly table: Extract<MetadataTable, 'service_collections' | 'service_fields' | 'service_relations'>
  readonly columns: Readonly<Record<string, MetaColumn>>
  readonly keys: Readonly<Record<string, string>>
  readonly meta: Readonly<Record<string, unknown>>
  /** The target of a relation, which is stored with its values. */
  readonly one?: string | null
  /** Overwrites a row that exists. */
  readonly isForced?: boolean
  /** Describes a table of Directus itself, and is not counted. */
  readonly isOld?: boolean
}

const readers: Readonly<Record<MetaColumn['kind'], (text: string, name: string) => unknown>> = {
  text: (text) => text,
  list: (text) => listIn(text),
  integer: (text) => Number(text),
  boolean: (text) => flagIn(text),
  json: (text, name) => jsonIn(text, name),
  'json-text': (text, name) => jsonIn(text, name),
}

/** The values of the columns that both have. NULL is left out where the service has a default that is not NULL. */
function metaIn(row: TextRow, columns: Readonly<Record<string, MetaColumn>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(columns).flatMap(([name, { kind, default: fallback, oneOf }]) => {
      const { [name]: text } = row
      const isMissing = text === undefined || (text === null && (kind === 'boolean' || name === 'width'))
      const isUnknown = fallback !== undefined && oneOf !== undefined && text != null && !oneOf.includes(text)
      if (isMissing || isUnknown) return []
      return [[name, text === null ? null : readers[kind](text, name)] as const]
    }),
  )
}

const textIn = (row: TextRow, name: string): string => row[name] ?? ''

export const collectionRows = (source: Source): Mapped<MetaRow> =>
  mapRows(source.rows('directus_collections'), named('collection'), (row) => {
    const collection = textIn(row, 'collection')
    if (isDirectus(collection)) return { row: null, findings: [] }
    const meta = metaIn(row, collectionMeta)
    return { row: { table: 'service_collections', columns: collectionMeta, keys: { collection }, meta }, findings: [] }
  })

export const fieldRows = (source: Source): Mapped<MetaRow> =>
  mapRows(source.rows('directus_fields'), named('collection', 'field'), (row) => fieldRow(row, source))

function fieldRow(row: TextRow, { tables }: Source): Outcome<MetaRow> {
  const [from, field] = [textIn(row, 'collection'), textIn(row, 'field')]
  const what = `${from}.${field}`
  const collection = isDirectus(from) ? equalOf(from) : from
  if (collection === null || (isDirectus(from) && tables.get(from)?.columns.has(field) !== false)) {
    const why = `It is a field of ${from}, which belongs to Directus.`
    return { row: null, findings: [{ kind: 'custom-field', what, why }] }
  }
  const findings: Finding[] = []
  const meta = metaIn(row, fieldMeta)
  const problem = shapeProblem(meta['validation'])
  if (problem !== null) {
    findings.push({ kind: 'field-validation', what, why: problem })
    delete meta['validation']
  }
  const { interface: name } = row
  if (name != null && !knownInterfaces.has(name) && !name.startsWith('system-'))
    findings.push({ kind: 'interface', what, why: `There is no interface "${name}".` })
  for (const special of listIn(row['special']) ?? [])
    if (!isSpecial(special)) findings.push({ kind: 'special', what, why: `There is no flag "${special}".` })
  return { row: { table: 'service_fields', columns: fieldMeta, keys: { collection, field }, meta }, findings }
}

/** `isDetaching`: foreign keys to the tables of Directus are dropped, so that relations can lead elsewhere. */
export const relationRows = (source: Source, isDetaching: boolean): Mapped<MetaRow> =>
  mapRows(source.rows('directus_relations'), named('many_collection', 'many_field'), (row) =>
    relationRow(row, isDetaching),
  )

function relationRow(row: TextRow, isDetaching: boolean): Outcome<MetaRow> {
  const keys = { many_collection: textIn(row, 'many_collection'), many_field: textIn(row, 'many_field') }
  const what = `${keys.many_collection}.${keys.many_field}`
  if (isDirectus(keys.many_collection)) {
    const why = `It is a field of ${keys.many_collection}, which belongs to Directus.`
    return { row: null, findings: [{ kind: 'custom-field', what, why }] }
  }
  const target = row['one_collection'] ?? null
  const meta = metaIn(row, relationMeta)
  const isLeaving = target !== null && isMoved(target) && isDetaching
  const one = isLeaving ? equalOf(target) : target
  return {
    row: { table: 'service_relations', columns: relationMeta, keys, meta, one, isForced: isLeaving },
    findings: isLeaving ? [] : relationFindings(what, target, listIn(row['one_allowed_collections']) ?? []),
  }
}

function relationFindings(what: string, target: string | null, allowed: readonly string[]): Finding[] {
  return [...(target === null ? [] : [target]), ...allowed].filter(isDirectus).map((table) => ({
    kind: isMoved(table) && table === target ? 'relation' : 'relation-old',
    what,
    why: `It leads to ${table}.`,
  }))
}

/** The old tables are hidden, and their secrets concealed. No permission names them. */
export const oldTableRows = ({ tables }: Source): readonly MetaRow[] =>
  [...tables.values()].flatMap(({ name, columns }): MetaRow[] => [
    {
      table: 'service_collections',
      columns: collectionMeta,
      keys: { collection: name },
      meta: { hidden: true, accountability: null, note: 'Belongs to Directus.' },
      isOld: true,
    },
    ...(secretColumns[name] ?? [])
      .filter((field) => columns.has(field))
      .map((field): MetaRow => ({
        table: 'service_fields',
        columns: fieldMeta,
        keys: { collection: name, field },
        meta: { special: 'conceal', hidden: true },
        isOld: true,
      })),
  ])
