/** What `tain types generate` writes for each collection. */
export interface CollectionShape {
  row: object
  key: unknown
  create: unknown
  update: unknown
  filter: unknown
  /** The verbs that the caller may use. */
  may: string
  singleton: boolean
  types: object
  relations: object
  inferred: string
}

/** A schema is an object type with a member for each collection. */
export type SchemaShape<S> = { [C in keyof S]: CollectionShape }

/** As `JSON.parse` types it: without a schema, nothing is known of a value. */
export type Loose = ReturnType<typeof JSON.parse>

export type LooseRow = Record<string, Loose>

export interface LooseCollection {
  row: LooseRow
  key: string | number
  create: Record<string, unknown>
  update: Record<string, unknown>
  filter: Record<string, unknown>
  may: 'read' | 'create' | 'update' | 'delete'
  singleton: boolean
  types: object
  relations: object
  inferred: never
}

/** The schema of clients that are created without one. */
export interface LooseSchema {
  [collection: string]: LooseCollection
}

export type CollectionOf<S> = keyof S & string

type Member<S, C, M extends keyof CollectionShape> = C extends keyof S
  ? S[C] extends Record<M, infer T>
    ? T
    : never
  : never

export type RowOf<S, C> = Member<S, C, 'row'>
export type FilterOf<S, C> = Member<S, C, 'filter'>
export type CreateOf<S, C> = Member<S, C, 'create'>
export type UpdateOf<S, C> = Member<S, C, 'update'>
export type MayOf<S, C> = Member<S, C, 'may'>
export type TypesOf<S, C> = Member<S, C, 'types'>
export type RelationsOf<S, C> = Member<S, C, 'relations'>
export type InferredOf<S, C> = Member<S, C, 'inferred'>
export type IsSingleton<S, C> = Member<S, C, 'singleton'>

/** A key as one value, as rows contain it. */
export type KeyOf<S, C> = Member<S, C, 'key'>

/** A key as an argument: one value, or the parts of a composite key. Views have none. */
export type KeyArgument<S, C> = [KeyOf<S, C>] extends [never] ? never : KeyOf<S, C> | readonly (string | number)[]

export type Names<S, C> = keyof RowOf<S, C> & string

type Special = '\\' | '.' | ',' | ':' | '(' | ')'

/** The name itself, if a path writes it as it is. */
export type WithoutSpecial<N extends string> = N extends '*'
  ? '*'
  : N extends `-${string}` | `${string}${Special}${string}`
    ? never
    : N

type Escaped<N extends string, R extends string = ''> = N extends `${infer L}${infer Rest}`
  ? Escaped<Rest, L extends Special ? `${R}\\${L}` : `${R}${L}`>
  : R

/** Names that a path writes with backslashes, by what it writes: `a\.b` for the column `a.b`. */
export type EscapedNames<S, C> = string extends keyof S | Names<S, C> ? NoNames : Escapes<Names<S, C>>

type NoNames = { readonly [Name in never]: string }

type Escapes<All extends string> = {
  [
    N in All as N extends '*' | `-${string}`
      ? `\\${Escaped<N>}`
      : N extends `${string}${Special}${string}`
        ? Escaped<N>
        : never
  ]: N
}

/** The names of fields as paths write them. */
export type WrittenNames<S, C> =
  | Exclude<Names<S, C>, EscapedNames<S, C>[keyof EscapedNames<S, C>]>
  | (keyof EscapedNames<S, C> & string)

/** The name of the field that a path ends with. */
export type NameOf<S, C, P> = P extends keyof EscapedNames<S, C> ? EscapedNames<S, C>[P] & string : P & string

/** Names of fields by the kind of their relation. */
export type RelationNames<S, C, Kind extends string = 'one' | 'many' | 'any'> = {
  [F in keyof RelationsOf<S, C>]: keyof RelationsOf<S, C>[F] & Kind extends never ? never : F
}[keyof RelationsOf<S, C>] &
  string

/** The collections that a field leads to; never: it is no relation that can be followed. */
export type Target<S, C, F> = F extends keyof RelationsOf<S, C>
  ? RelationsOf<S, C>[F] extends { one: infer T } | { many: infer T } | { any: infer T }
    ? T & string
    : never
  : never
