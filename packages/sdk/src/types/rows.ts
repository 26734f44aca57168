import type { FieldOf, NoAliases, Split } from './paths.ts'
import type { EscapedNames, InferredOf, KeyOf, LooseRow, NameOf, Names, RelationsOf, RowOf, TypesOf } from './schema.ts'

type Nulls<T> = Extract<T, null>

/** Runs of `. [ ] ,` and blanks become one underscore: `meta, a.b[0]` → `meta_a_b_0`. */
type Joined<T extends string, R extends string = ''> = T extends `${infer L}${infer Next}`
  ? L extends '.' | '[' | ']' | ',' | ' '
    ? Joined<Next, R extends `${string}_` | '' ? R : `${R}_`>
    : Joined<Next, `${R}${L}`>
  : R extends `${infer Start}_`
    ? Start
    : R

/** The property of a function's result: `year(created)` → `created_year`. */
type CallProperty<H> = H extends `json(${infer R})`
  ? `${Joined<R>}_json`
  : H extends `${infer F}(${infer N})`
    ? `${N}_${F}`
    : never

type PropertiesOf<S, C, P extends string, A> = P extends `${string}\\${string}`
  ? P extends keyof EscapedNames<S, C>
    ? NameOf<S, C, P>
    : FirstStep<S, C, P, A>
  : FirstStep<S, C, P, A>

type FirstStep<S, C, P extends string, A> = P extends unknown
  ? Split<P> extends [infer H extends string, ...unknown[]]
    ? H extends '*'
      ? Exclude<Names<S, C>, InferredOf<S, C>>
      : H extends `${string}(${string})`
        ? H extends keyof A
          ? H
          : CallProperty<H>
        : H extends `${infer F}:${string}`
          ? F
          : H
    : never
  : never

/** What follows the property in the paths. */
type Below<S, C, K extends string, P extends string> = P extends unknown
  ? Split<P> extends [K | (K extends InferredOf<S, C> ? never : '*'), infer T extends string]
    ? T
    : never
  : never

/** Collection and rest of the scoped paths: `item:articles.title`. */
type Scopes<K extends string, P extends string> = P extends unknown
  ? Split<P> extends [`${K}:${infer X}`, infer T extends string]
    ? [X, T]
    : never
  : never

type CallValue<S, C, H> = H extends `json(${string}`
  ? unknown
  : H extends `${string}(${infer N})`
    ? N extends keyof RowOf<S, C>
      ? number | Nulls<RowOf<S, C>[N]>
      : number
    : never

type CallIn<K extends string, P extends string> = P extends unknown ? (CallProperty<P> extends K ? P : never) : never

type Scoped<S, Pairs extends [string, string], X extends string = Pairs[0]> = X extends unknown
  ? Row<S, X, Extract<Pairs, [X, string]>[1]>
  : never

type Rows<S, X, P extends string> = X extends unknown ? Row<S, X, P> : never

type AnyValue<S, X, T extends string, Pairs extends [string, string]> =
  | Scoped<S, Pairs>
  | (Exclude<X, Pairs[0]> extends infer Other
      ? [Other] extends [never]
        ? never
        : [T] extends [never]
          ? KeyOf<S, Other>
          : Rows<S, Other, T>
      : never)

type Followed<S, Relation, V, T extends string, Pairs extends [string, string]> = Relation extends { one: infer X }
  ? Row<S, X, T> | Nulls<V>
  : Relation extends { many: infer X }
    ? Row<S, X, T>[] | Nulls<V>
    : Relation extends { any: infer X }
      ? AnyValue<S, X, T, Pairs> | Nulls<V>
      : never

/** A relation that is not followed: its key, or the keys of its rows. */
type Unfollowed<S, Relation, V, Type> = Relation extends { many: infer X }
  ? KeyOf<S, X>[] | Nulls<V>
  : Relation extends { any: unknown }
    ? StoredKey<V, Type> | Nulls<V>
    : Exclude<V, object>

/** A column for keys of several collections has texts, whatever the keys are. */
type StoredKey<V, Type> = Type extends 'string' | 'text' | 'uuid' ? string : Exclude<V, object | null>

type FieldValue<
  S,
  C,
  F extends keyof RowOf<S, C>,
  T extends string,
  Pairs extends [string, string],
> = F extends keyof RelationsOf<S, C>
  ? [T, Pairs] extends [never, never]
    ? Unfollowed<S, RelationsOf<S, C>[F], RowOf<S, C>[F], TypesOf<S, C>[F & keyof TypesOf<S, C>]>
    : Followed<S, RelationsOf<S, C>[F], RowOf<S, C>[F], T, Pairs>
  : RowOf<S, C>[F]

type Value<S, C, K extends string, P extends string, A> =
  FieldOf<K, A> extends infer F
    ? F extends keyof RowOf<S, C>
      ? FieldValue<S, C, F, Below<S, C, K, P>, Scopes<K, P>>
      : F extends `${string}(${string}`
        ? CallValue<S, C, F>
        : CallValue<S, C, CallIn<K, P>>
    : never

/** A row with the fields that the paths select. */
export type Row<S, C, P extends string = '*', A = NoAliases> = string extends keyof S
  ? LooseRow
  : string extends P
    ? LooseRow
    : { [K in PropertiesOf<S, C, P, A>]: Value<S, C, K, P, A> }
