import { readName, splitWritten, writtenName } from '@tain/contract'

const call = /^(\w+)\((.*)\)$/su

/** A path through fields: `customer.name`. Names with a dot, comma, colon or parenthesis are escaped. */
export const pathOf = (...names: readonly string[]): string => names.map(writtenName).join('.')

/** A path below a field: `customer` and `region.name`. */
export const below = (field: string, path: string): string => `${writtenName(field)}.${path}`

const steps = (path: string): readonly string[] => splitWritten(path, '.').filter((step) => step !== '')

/** The names along a path, as filters write them. A function keeps its argument as it is: `json(details.size)`. */
export const pathParts = (path: string): readonly string[] =>
  steps(path).map((step) => (call.test(step) ? step : readName(step)))

/** The names along a path in a row. Functions have a name of their own there: `count(lines)` is `lines_count`. */
export const rowNames = (path: string): readonly string[] =>
  steps(path)
    .map((step) => step.replace(/^(\w+)\((\w+)\)$/u, '$2_$1'))
    .map(readName)

export const isNested = (path: string): boolean => steps(path).length > 1

/** The path without its last step; empty: there is only one. */
export const pathBefore = (path: string): string => steps(path).slice(0, -1).join('.')

export const lastName = (path: string): string => pathParts(path).at(-1) ?? ''
