import { invalidPayload, type ItemProcedureName } from '@tain/contract'
import { underNewest } from '../../engine/items/under-newest.ts'
import { rootOf } from '../../engine/write/root.ts'
import type { Implementations, Procedure } from '../../procedure.ts'
import { revertItem } from '../revert.ts'
import type { SystemServices } from './system-services.ts'

/** Procedures that write items at addresses of their own. */
export const createItemProcedures = (services: SystemServices): Implementations<ItemProcedureName> => ({
  sortItems: sortItems(services),
  revertItem: async (call) => revertItem(call.input.revision, call.actor, call.origin, call.isDryRun, services),
})

const sortItems =
  ({ engine }: SystemServices): Procedure<'sortItems'> =>
  async (call) => {
    const { actor, origin } = call
    const { collection, item, to } = call.input
    await underNewest(engine, actor, (caller) => rootOf({ collection }, engine.schema(), caller))
    if (item === undefined || to === undefined) throw invalidPayload('"item" and "to" are required')
    const mutation = { kind: 'sort', collection, item, to } as const
    const write = { mutation, read: null, ifMatch: null, origin }
    await engine.write(actor, [write], { isDryRun: call.isDryRun, claim: null })
  }
