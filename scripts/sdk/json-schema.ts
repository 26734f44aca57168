// JSON Schema → TypeScript, for the schemas of the contract. A form that the contract does not use is an error.

interface JsonSchema {
  readonly type?: string
  readonly title?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly JsonSchema[]
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>
}

/** Named types by name, filled while texts are made. */
export type NamedTypes = Map<string, string>

const simple: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
  void: 'void',
}

const pascal = (title: string) =>
  title
    .split('_')
    .map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`)
    .join('')

const nameOf = (name: string) => (/^[A-Za-z_$][\w$]*$/u.test(name) ? name : JSON.stringify(name))

/** The text of a type. Objects with a title become named types. */
export function typeText(schema: object, named: NamedTypes): string {
  const { type, title, anyOf, enum: values, items, properties, patternProperties, ...rest } = schema as JsonSchema
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(' | ')
  if (rest.const !== undefined) return JSON.stringify(rest.const)
  if (anyOf !== undefined) return [...new Set(anyOf.map((each) => typeText(each, named)))].join(' | ')
  if (type === 'array') return `readonly (${typeText(items ?? {}, named)})[]`
  if (patternProperties !== undefined)
    return `Readonly<Record<string, ${Object.values(patternProperties).map((each) => typeText(each, named))[0]}>>`
  if (type === 'object') return objectText(title, properties ?? {}, new Set(rest.required), named)
  if (type === undefined && Object.keys(rest).every((name) => name === 'description')) return 'unknown'
  const text = simple[type ?? '']
  if (text === undefined) throw new Error(`no type for ${JSON.stringify(schema)}`)
  return text
}

function objectText(
  title: string | undefined,
  properties: NonNullable<JsonSchema['properties']>,
  required: ReadonlySet<string>,
  named: NamedTypes,
): string {
  const members = Object.entries(properties).map(
    ([name, each]) => `readonly ${nameOf(name)}${required.has(name) ? '' : '?'}: ${typeText(each, named)}`,
  )
  const text = members.length === 0 ? 'object' : `{ ${members.join('; ')} }`
  if (title === undefined) return text
  const name = pascal(title)
  if ((named.get(name) ?? text) !== text) throw new Error(`two types are called ${name}`)
  named.set(name, text)
  return name
}
