import type { FunctionTypes } from '../contract.ts'
import type { EscapedNames, Names, RelationNames, Target, TypesOf, WithoutSpecial, WrittenNames } from './schema.ts'

/** Other names for fields: `{ good: 'reviews' }`. */
export type Aliases = Readonly<Record<string, string>>

export type NoAliases = { readonly [Name in never]: string }

/** `customer.city.name` → its first part and the rest. A path inside a function moves in front of it. */
export type Split<P extends string> = P extends `${infer F}(${infer R}`
  ? F extends `${infer H}.${infer T}`
    ? [H, `${T}(${R}`]
    : R extends `${infer A},${infer J}`
      ? A extends `${infer H}.${infer T}`
        ? [H, `${F}(${T},${J}`]
        : [P]
      : R extends `${infer H}.${infer T}`
        ? [H, `${F}(${T}`]
        : [P]
  : P extends `${infer H}.${infer T}`
    ? [H, T]
    : [P]

/** The field behind a name of the result. */
export type FieldOf<H, A> = H extends keyof A ? A[H] : H

type Stars<P extends string> = P extends '*' ? true : P extends `*.${infer T}` ? Stars<T> : false

/** The fields that a function accepts. */
export type FunctionFields<S, C, F> =
  | (F extends keyof FunctionTypes
      ? { [N in keyof TypesOf<S, C>]: TypesOf<S, C>[N] extends FunctionTypes[F] ? N : never }[keyof TypesOf<S, C>] &
          string
      : never)
  | (F extends 'count' ? RelationNames<S, C, 'many'> : never)

/** The names that could stand in place of a wrong one. */
type Suggested<S, C, A> = '*' | WrittenNames<S, C> | (keyof A & string) | `${RelationNames<S, C>}.*`

type ValidCall<S, C, P extends string, F extends keyof FunctionTypes, R extends string> = F extends 'json'
  ? R extends `${FunctionFields<S, C, F>},${string})`
    ? P
    : `json(${FunctionFields<S, C, F>}, ${string})`
  : R extends `${FunctionFields<S, C, F>})`
    ? P
    : `${F}(${FunctionFields<S, C, F>})`

type ValidLeaf<S, C, P extends string, A> = P extends '*' | Names<S, C> | keyof A
  ? P extends keyof A | WithoutSpecial<P>
    ? P
    : Suggested<S, C, A>
  : P extends `${string}\\${string}`
    ? P extends keyof EscapedNames<S, C>
      ? P
      : Suggested<S, C, A>
    : P extends `${infer F extends keyof FunctionTypes}(${infer R}`
      ? ValidCall<S, C, P, F, R>
      : Suggested<S, C, A>

/** A path below `H`, in the collections `X`. */
type ValidBelow<S, X, P extends string, H extends string, T extends string> =
  Valid<S, X, T> extends infer V extends string ? (T extends V ? P : `${H}.${V}`) : never

type ValidScope<S, C, P extends string, F extends string, X, T extends string> =
  X extends Target<S, C, F> ? ValidBelow<S, X, P, `${F}:${X & string}`, T> : `${F}:${Target<S, C, F>}.${T}`

/** The path itself if it is valid, else the paths that it might have been. */
export type Valid<S, C, P extends string, A = NoAliases> =
  Split<P> extends [infer H extends string, infer T extends string]
    ? H extends '*'
      ? Stars<T> extends true
        ? P
        : '*.*'
      : H extends `${string}\\`
        ? ValidLeaf<S, C, P, A>
        : H extends `${infer F}:${infer X}`
          ? ValidScope<S, C, P, F, X, T>
          : [Target<S, C, FieldOf<H, A>>] extends [never]
            ? Suggested<S, C, A>
            : ValidBelow<S, Target<S, C, FieldOf<H, A>>, P, H, T>
    : ValidLeaf<S, C, P, A>

/** Does not accept other literals than valid paths, and says which there are. A list made at run time is not checked. */
export type Checked<S, C, P extends string, A = NoAliases> = string extends keyof S | P
  ? string
  : P extends Valid<S, C, P, A>
    ? P
    : Valid<S, C, P, A>

/** The same for an order: `-created`, `customer.name`. */
export type CheckedOrder<S, C, O extends string, A = NoAliases> = string extends keyof S | O
  ? string
  : O extends `-${infer P}`
    ? P extends Valid<S, C, P, A>
      ? O
      : `-${Valid<S, C, P, A>}`
    : O extends Valid<S, C, O, A>
      ? O
      : Valid<S, C, O, A>
