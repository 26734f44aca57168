import { GraphQLNonNull, type GraphQLOutputType } from 'graphql'
import { invalidPayload, routes } from '@tain/contract'
import { users } from '@tain/contract/collections'
import { addressOf } from '../../engine/address.ts'
import { isReplay } from '../../engine/write/idempotency.ts'
import { userOf } from '../../system/procedures/self.ts'
import { payloadOf } from '../request/payload.ts'
import type { ProcedureCall, ProcedureField } from './root-procedure.ts'
import { scalars } from '../schema/scalars.ts'
import type { Types } from '../schema/types.ts'

const collectionOf = (name: string) => (types: Types) => types.visibility.schema.system.get(name)

const ownUser = (types: Types): GraphQLOutputType => {
  const collection = collectionOf(users.name)(types)
  return collection === undefined ? scalars.JSON : types.output(collection, 'item')
}

/** The caller's own row: a write like any other, under another name. */
export const ownUserField: ProcedureField = {
  ...routes.updateMe.graphql,
  callers: routes.updateMe.callers,
  dryRun: 'honoured',
  type: ownUser,
  item: collectionOf(users.name),
  args: (types) => {
    const collection = collectionOf(users.name)(types)
    return collection === undefined ? {} : { data: { type: new GraphQLNonNull(types.input(collection, 'update')) } }
  },
  resolve: updateMe,
}

async function updateMe(call: ProcedureCall) {
  const { actor, args, origin, isDryRun, services } = call
  const schema = services.engine.schema()
  const collection = schema.system.get(users.name)
  const { data } = args
  if (collection === undefined || typeof data !== 'object' || data === null) throw invalidPayload('"data" is missing')
  const mutation = {
    ...addressOf(collection),
    kind: 'update',
    target: { kind: 'parts', keys: [[userOf(actor)]] },
    data: payloadOf(data as Readonly<Record<string, unknown>>, collection, schema),
  } as const
  const request = { mutation, read: call.shape(), ifMatch: null, origin }
  const result = await services.engine.write(actor, [request], { isDryRun, claim: null })
  return { json: (isReplay(result) ? undefined : result[0]?.rows[0]) ?? 'null' }
}
