/** Text of TypeScript. */

const identifier = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u

/** A literal in single quotes. */
export const quoted = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'").replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}'`

export const propertyName = (name: string): string => (identifier.test(name) ? name : quoted(name))

/** Alternatives; none at all is `never`. */
export const union = (parts: readonly string[]): string => {
  const different = [...new Set(parts)]
  return different.length === 0 ? 'never' : different.join(' | ')
}

export const literals = (names: readonly string[]): string => union(names.map(quoted))

/** A note as JSDoc, before the line that it is about. */
export function comment(note: string | undefined, indent = ''): string {
  const lines = (note ?? '')
    .replaceAll('*/', '*\\/')
    .trim()
    .split(/\r\n|[\n\r\u2028\u2029]/u)
  const [only = ''] = lines
  if (lines.length > 1)
    return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */\n`].join('\n')
  return only === '' ? '' : `${indent}/** ${only} */\n`
}

export interface Member {
  readonly name: string
  readonly type: string
  readonly isOptional?: boolean
  readonly note?: string | undefined
}

const member = ({ name, type, isOptional, note }: Member, indent: string): string =>
  `${comment(note, indent)}${indent}${propertyName(name)}${isOptional === true ? '?' : ''}: ${type}\n`

export const members = (all: readonly Member[], indent = '  '): string =>
  all.map((each) => member(each, indent)).join('')

/** An object type on one line. */
export const inlineObject = (all: readonly Member[]): string =>
  all.length === 0 ? 'object' : `{ ${all.map((each) => member(each, '').trim()).join('; ')} }`

export const interfaceOf = (
  name: string,
  all: readonly Member[],
  { note, bases = [] }: { readonly note?: string | undefined; readonly bases?: readonly string[] } = {},
): string => {
  const heritage = bases.length === 0 ? '' : ` extends ${bases.join(', ')}`
  const body = all.length === 0 ? '{}' : `{\n${members(all)}}`
  return `${comment(note)}export interface ${name}${heritage} ${body}\n`
}
