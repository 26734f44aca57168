import type { FieldType } from './field-types.ts'

const dates: readonly FieldType[] = ['date', 'dateTime', 'timestamp']
const times: readonly FieldType[] = ['time', 'dateTime', 'timestamp']

/** Field functions, and the types that they accept. `count` also accepts a to-many field; `json` takes a path. */
export const fieldFunctions = {
  year: { types: dates },
  month: { types: dates },
  week: { types: dates },
  day: { types: dates },
  weekday: { types: dates },
  hour: { types: times },
  minute: { types: times },
  second: { types: times },
  count: { types: ['json'] },
  json: { types: ['json'] },
} as const satisfies Record<string, { types: readonly FieldType[] }>

export type FieldFunction = keyof typeof fieldFunctions

export const isFieldFunction = (name: string): name is FieldFunction => Object.hasOwn(fieldFunctions, name)

/** Aggregates. `text` results are exact strings; the others have the type of their column. */
export const aggregates = {
  count: { input: 'any', result: 'text' },
  countDistinct: { input: 'any', result: 'text' },
  countAll: { input: 'none', result: 'text' },
  sum: { input: 'number', result: 'text' },
  sumDistinct: { input: 'number', result: 'text' },
  avg: { input: 'number', result: 'text' },
  avgDistinct: { input: 'number', result: 'text' },
  min: { input: 'ordered', result: 'same' },
  max: { input: 'ordered', result: 'same' },
} as const satisfies Record<string, { input: 'any' | 'none' | 'number' | 'ordered'; result: 'text' | 'same' }>

export type AggregateFunction = keyof typeof aggregates

export const isAggregate = (name: string): name is AggregateFunction => Object.hasOwn(aggregates, name)
