import type { GraphQLFieldConfig } from 'graphql'
import type { Actor } from '../../access/actor.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Origin } from '../../changes/change.ts'
import type { CallContext, ServedProcedures, SignedIn } from '../../procedure.ts'
import type { SystemServices } from '../../system/procedures/system-services.ts'
import type { Collection } from '../../schema/schema.ts'
import type { Arguments, SelectedQuery } from '../request/selected-query.ts'
import type { Types } from '../schema/types.ts'

/** Services that procedures use. */
export interface ProcedureServices {
  readonly engine: Engine
  readonly system: SystemServices
  readonly procedures: ServedProcedures
}

/** The client's side of authentication: its origin, its address and its cookies. */
export interface Visitor {
  readonly context: () => CallContext
  /** Rejects cross-site requests. */
  readonly checkOrigin: () => void
  readonly signedIn: (tokens: SignedIn) => void
  readonly signedOut: () => void
  /** The response is for nobody to store. */
  readonly keepSecret: () => void
}

export interface ProcedureCall {
  readonly args: Arguments
  readonly actor: Actor
  readonly origin: Origin
  readonly visitor: Visitor
  readonly isDryRun: boolean
  readonly services: ProcedureServices
  /** The selected fields, if the result is an item. */
  readonly shape: () => SelectedQuery
}

/** A value to be projected onto the selection, or JSON that already matches it. */
export type Answer = { readonly value: unknown } | { readonly json: string }

export type Resolve = (call: ProcedureCall) => Promise<Answer>

type FieldConfig = GraphQLFieldConfig<unknown, unknown>

export interface ProcedureFields {
  readonly queries: Readonly<Record<string, FieldConfig>>
  readonly mutations: Readonly<Record<string, FieldConfig>>
}

export const noProcedures: ProcedureFields = { queries: {}, mutations: {} }

/** A root field that runs a procedure. */
export interface ProcedureField {
  readonly operation: 'query' | 'mutation'
  readonly name: string
  /** The callers whose schema contains the field. */
  readonly callers: 'anybody' | 'users' | 'administrators'
  /**
   * For mutations: whether a dry run is honoured, or the procedure changes nothing anyway. A dry run of any other
   * mutation is refused.
   */
  readonly dryRun?: 'honoured' | 'harmless'
  /** May appear once per operation, so that one request cannot try it many times. */
  readonly isOnce?: true
  /** Open to callers who still have to set up a second factor. */
  readonly isOpen?: true
  readonly args?: NonNullable<FieldConfig['args']> | ((types: Types) => NonNullable<FieldConfig['args']>)
  readonly type: FieldConfig['type'] | ((types: Types) => FieldConfig['type'])
  /** The collection of the returned items; callers who may not read it do not see the field. */
  readonly item?: (types: Types) => Collection | undefined
  readonly resolve: Resolve
}
