/** A JSON Schema, as far as the page shows it. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly maxLength?: number
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header' | 'cookie'
  readonly required?: boolean
  readonly description?: string
  readonly schema?: Schema
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>

export interface Described {
  readonly operationId?: string
  readonly tags?: readonly string[]
  readonly description?: string
  readonly parameters?: readonly (Parameter | Reference)[]
  readonly requestBody?: { readonly required?: boolean; readonly content?: Content }
  readonly responses?: Readonly<Record<string, Response | Reference>>
}

export interface Response {
  readonly description?: string
  readonly content?: Content
}

interface Reference {
  readonly $ref: string
}

export interface OpenApi {
  readonly info?: { readonly version?: string }
  readonly paths?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** One method at one path. */
export interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly tag: string
  readonly described: Described
  /** What a search looks at. */
  readonly words: string
}

const methods = ['get', 'post', 'patch', 'delete', 'put', 'query'] as const

const operationsAt = (path: string, item: Readonly<Record<string, unknown>>): readonly Operation[] => {
  const standard = methods.flatMap((method) => (item[method] === undefined ? [] : [[method, item[method]] as const]))
  const others = Object.entries(item['additionalOperations'] ?? item['x-additionalOperations'] ?? {})
  return [...standard, ...others].map(([name, value]) => {
    const described = value as Described
    const method = name.toUpperCase()
    const id = described.operationId ?? `${method} ${path}`
    const tag = described.tags?.[0] ?? 'other'
    return { id, method, path, tag, described, words: `${method} ${path} ${id}`.toLowerCase() }
  })
}

/** All operations, by tag: those on items first, which most readers come for. */
export function operationsIn({ paths = {} }: OpenApi): readonly Operation[] {
  const all = Object.entries(paths).flatMap(([path, item]) => operationsAt(path, item))
  const byTag = Map.groupBy(all, ({ tag }) => tag)
  const tags = [...byTag.keys()].toSorted((a, b) => Number(b === 'items') - Number(a === 'items') || (a < b ? -1 : 1))
  return tags.flatMap((tag) => byTag.get(tag) ?? [])
}

/** Follows a reference within the document. */
export type Resolve = <Value extends object>(value: Value | Reference) => Value

export const resolverOf =
  (openApi: OpenApi): Resolve =>
  <Value extends object>(value: Value | Reference): Value => {
    let found: unknown = value
    for (let depth = 0; depth < 20 && isReference(found); depth += 1)
      found = found.$ref
        .slice(2)
        .split('/')
        .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
        .reduce<unknown>((node, part) => (node as Record<string, unknown> | undefined)?.[part], openApi)
    return (found ?? {}) as Value
  }

/** A column may be called `$ref`, so the value has to be text. */
const isReference = (value: unknown): value is Reference =>
  typeof value === 'object' && value !== null && typeof (value as { $ref?: unknown }).$ref === 'string'

export const nameOfReference = ({ $ref }: Schema): string | null =>
  typeof $ref === 'string' ? $ref.slice($ref.lastIndexOf('/') + 1) : null

/** The content that the page can show and send. */
export const jsonOf = (content: Content | undefined): Schema | null => {
  const found = Object.entries(content ?? {}).find(([type]) => type.includes('json'))
  return found === undefined ? null : (found[1].schema ?? {})
}
