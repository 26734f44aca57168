import { ServiceError, type WireError } from '@tain/contract'
import { getNamedType, isObjectType, isUnionType, type FieldNode, type GraphQLOutputType } from 'graphql'
import { parseExactJson } from '../../lib/exact-json.ts'
import type { Schema } from '../../schema/schema.ts'
import { meaningOf } from '../schema/field-mapping.ts'
import { collect, setsOf, type Reading } from './collect.ts'

/** A field of a collection. */
interface FlagField {
  readonly collection: string
  readonly field: string
}

/** Where a result may have a number in place of a Boolean, by response keys. */
type Places = ReadonlyMap<string, Places | FlagField>

export interface FlagPlaces {
  readonly places: Places
  /** Finds a number behind the key of a flag. It may find too much, in documents for example, and never too little. */
  readonly pattern: RegExp
}

export interface PlacedError extends WireError {
  readonly path: readonly (string | number)[]
}

const withNumbers = new WeakMap<Schema, boolean>()

const hasNumbers = (schema: Schema): boolean => {
  const known = withNumbers.get(schema)
  if (known !== undefined) return known
  const found = [...schema.collections.values()].some(({ columns }) =>
    [...columns.values()].some(({ type, column }) => type === 'boolean' && column.holdsNumbers === true),
  )
  withNumbers.set(schema, found)
  return found
}

/** null: every Boolean of the selection is true, false or null. */
export function flagPlaces(
  type: GraphQLOutputType,
  nodes: readonly FieldNode[],
  reading: Reading,
  schema: Schema,
): FlagPlaces | null {
  if (!hasNumbers(schema)) return null
  const keys = new Set<string>()
  const places = placesIn(type, nodes, reading, keys)
  return places.size === 0 ? null : { places, pattern: new RegExp(`"(?:${[...keys].join('|')})":\\s*[-\\d]`, 'u') }
}

function placesIn(
  type: GraphQLOutputType,
  nodes: readonly FieldNode[],
  reading: Reading,
  keys: Set<string>,
): Map<string, Places | FlagField> {
  const named = getNamedType(type)
  const types = isUnionType(named) ? named.getTypes() : isObjectType(named) ? [named] : []
  const found = new Map<string, Places | FlagField>()
  for (const each of types)
    for (const [key, same] of collect(each, setsOf(nodes), reading)) {
      const field = each.getFields()[same[0]?.name.value ?? '']
      const meaning = field && meaningOf(field)
      if (field === undefined) continue
      if (meaning?.kind === 'value') {
        if (meaning.flagOf === undefined) continue
        found.set(key, { collection: meaning.flagOf, field: meaning.name })
        keys.add(key)
        continue
      }
      const inside = placesIn(field.type, same, reading, keys)
      if (inside.size > 0) found.set(key, inside)
    }
  return found
}

const wayOut = ({ collection, field }: FlagField, number: unknown): string =>
  `"${field}" of this row is ${JSON.stringify(number)}, which no Boolean can be. REST shows the number; GraphQL does, too, ` +
  `after PATCH /fields/${collection}/${field} with {"type": "integer"}.`

/** Numbers become null, and an error each. */
export function withoutNumbers(text: string, { places, pattern }: FlagPlaces, key: string): Checked {
  if (!pattern.test(text)) return { text, errors: [] }
  const value = parseExactJson(text)
  const errors = clear(value, places, [key])
  return { text: errors.length === 0 ? text : JSON.stringify(value), errors }
}

interface Checked {
  readonly text: string
  readonly errors: readonly PlacedError[]
}

function clear(value: unknown, places: Places, path: PlacedError['path']): PlacedError[] {
  if (Array.isArray(value)) return value.flatMap((entry, index) => clear(entry, places, [...path, index]))
  if (typeof value !== 'object' || value === null) return []
  const row = value as Record<string, unknown>
  return [...places].flatMap(([key, place]): PlacedError[] => {
    const found = row[key]
    if (!isFlag(place)) return clear(found, place, [...path, key])
    if (found === undefined || found === null || typeof found === 'boolean') return []
    row[key] = null
    const { field } = place
    const error = new ServiceError('VALUE_OUT_OF_RANGE', wayOut(place, found), { field })
    return [{ ...error.toWire(), path: [...path, key] }]
  })
}

const isFlag = (place: Places | FlagField): place is FlagField => !(place instanceof Map)
