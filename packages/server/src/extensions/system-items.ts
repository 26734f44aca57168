import { administrator, type Actor } from '../access/actor.ts'
import type { Origin } from '../changes/change.ts'
import { writeOne } from '../engine/items/write-items.ts'
import type { Engine } from '../engine/engine.ts'
import type { QueryLimits } from '../query/parse-query.ts'
import type { Items } from './api.ts'
import { createItems } from './items.ts'

export interface ItemsServices {
  readonly engine: Engine
  readonly limits: QueryLimits
}

/** Items with the rights of a caller. */
export const itemsOf = (actor: Actor, origin: Origin, { engine, limits }: ItemsServices): Items =>
  createItems(
    {
      list: async (read) => (await engine.list(actor, read)).rows,
      item: async (read) => (await engine.item(actor, read)).data,
      write: (request) => writeOne(engine, actor, request, false),
    },
    { schema: () => engine.schema(), limits, origin },
  )

/** Items with every permission. Activity names the extension as the program that wrote. */
export const systemItems = (extension: string, services: ItemsServices): Items =>
  itemsOf(administrator, { ip: null, userAgent: `extension ${extension}` }, services)
