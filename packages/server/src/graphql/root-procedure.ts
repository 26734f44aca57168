import type { GraphQLFieldConfig } from 'graphql'
import type { Actor } from '../access/actor.ts'
import type { SignedIn } from '../auth/issue.ts'
import type { CallContext } from '../auth/auth-procedure.ts'
import type { Procedures } from '../auth/procedures/index.ts'
import type { Engine } from '../engine/engine.ts'
import type { Origin } from '../engine/write/record.ts'
import type { MetadataContext } from '../system/metadata.ts'
import type { SystemServices } from '../system/procedures/system-procedure.ts'
import type { Collection } from '../schema/schema.ts'
import type { Scope } from './names.ts'
import type { Arguments, SelectedQuery } from './selection-to-query.ts'
import type { Types } from './types.ts'

/** What procedures work with. */
export interface ProcedureServices {
  readonly engine: Engine
  readonly metadata: MetadataContext
  readonly system: SystemServices
  /** null: the service keeps no users. */
  readonly authentication: Procedures | null
}

/** The caller's side of signing in: where it comes from, and what it keeps. */
export interface Visitor {
  readonly context: () => CallContext
  /** Refuses what another site made a browser do. */
  readonly checkOrigin: () => void
  readonly signedIn: (tokens: SignedIn) => void
  readonly signedOut: () => void
}

export interface ProcedureCall {
  readonly args: Arguments
  readonly actor: Actor
  readonly origin: Origin
  readonly visitor: Visitor
  readonly isDryRun: boolean
  readonly services: ProcedureServices
  /** The fields that are asked for, where the answer is an item. */
  readonly shape: () => SelectedQuery
  /** The schema language of what the caller may use. */
  readonly sdl: (scope: Scope) => Promise<string>
}

/** A value to be written in the shape that is asked for, or JSON that has this shape already. */
export type Answer = { readonly value: unknown } | { readonly json: string }

export type Resolve = (call: ProcedureCall) => Promise<Answer>

type FieldConfig = GraphQLFieldConfig<unknown, unknown>

export interface ProcedureFields {
  readonly queries: Readonly<Record<string, FieldConfig>>
  readonly mutations: Readonly<Record<string, FieldConfig>>
}

export const noProcedures: ProcedureFields = { queries: {}, mutations: {} }

/** A root field that stands for a procedure. */
export interface ProcedureField {
  readonly operation: 'query' | 'mutation'
  readonly name: string
  /** Whose schema it is in. */
  readonly callers: 'anybody' | 'users' | 'administrators'
  /**
   * Mutations: whether a dry run is honoured, or changes nothing in any case. Those that say nothing are refused in a dry
   * run.
   */
  readonly dryRun?: 'honoured' | 'harmless'
  /** One request must not try it many times. */
  readonly isOnce?: true
  /** Open to somebody who still has to set up a second factor. */
  readonly isOpen?: true
  readonly args?: NonNullable<FieldConfig['args']> | ((types: Types) => NonNullable<FieldConfig['args']>)
  readonly type: FieldConfig['type'] | ((types: Types) => FieldConfig['type'])
  /** The collection whose items it gives; where it cannot be read there is no such field. */
  readonly item?: (types: Types) => Collection | undefined
  readonly resolve: Resolve
}
