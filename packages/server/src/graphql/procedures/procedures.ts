import type { GraphQLFieldConfig } from 'graphql'
import { ServiceError } from '@tain/contract'
import type { Actor } from '../../access/actor.ts'
import type { ProcedureField, ProcedureFields, Resolve } from './root-procedure.ts'
import { tableFields } from './procedure-fields.ts'
import { ownUserField } from './own-user-field.ts'
import type { Types } from '../schema/types.ts'

/** All root fields of the system scope that are not fields of collections. */
const all: readonly ProcedureField[] = [ownUserField, ...tableFields]

export const procedureNames: ReadonlySet<string> = new Set(all.map(({ name }) => name))

/** Procedures that may appear once per operation. */
export const singleUse: ReadonlySet<string> = new Set(
  all.flatMap(({ name, isOnce }) => (isOnce === true ? [name] : [])),
)

/** Procedures open to callers who still have to set up a second factor. */
export const openToAll: ReadonlySet<string> = new Set(
  all.flatMap(({ name, isOpen }) => (isOpen === true ? [name] : [])),
)

const isFor = ({ callers }: ProcedureField, actor: Actor) =>
  callers === 'anybody' || actor.isAdmin || (callers === 'users' && actor.user !== null)

/** Refuses a dry run that the procedure does not support: ignoring the request would commit the change. */
const resolveOf = ({ operation, dryRun, resolve }: ProcedureField): Resolve =>
  operation === 'query' || dryRun !== undefined
    ? resolve
    : async (call) => {
        if (call.isDryRun)
          throw new ServiceError(
            'UNPROCESSABLE_CONTENT',
            'This field cannot be tried without being kept (tx=rollback).',
          )
        return resolve(call)
      }

export function procedureFields(types: Types, actor: Actor): ProcedureFields {
  const fieldsOf = (operation: ProcedureField['operation']) =>
    Object.fromEntries(
      all.flatMap((field): [string, GraphQLFieldConfig<unknown, unknown>][] => {
        if (field.operation !== operation || !isFor(field, actor)) return []
        const item = field.item?.(types) ?? null
        if (field.item !== undefined && (item === null || !types.visibility.mayRead(item))) return []
        const meaning = { kind: 'procedure', resolve: resolveOf(field), item } as const
        const type = typeof field.type === 'function' ? field.type(types) : field.type
        const args = typeof field.args === 'function' ? field.args(types) : (field.args ?? {})
        return [[field.name, { type, args, extensions: { meaning } }]]
      }),
    )
  return { queries: fieldsOf('query'), mutations: fieldsOf('mutation') }
}
