import { invalidQuery } from '@tain/contract'
import { findField, type Collection, type Schema } from '../schema/schema.ts'
import { bindNested } from './bind-nested.ts'
import { bindSelect } from './bind-select.ts'
import { withoutLimit, type Spend } from './cost.ts'
import type { BoundQuery } from './bound.ts'
import type { Deep, Query } from './query.ts'
import { parsePath } from './segments.ts'
import {
  deeper,
  everything,
  fieldNamed,
  rootCollection,
  targetOf,
  toAnyOf,
  toManyOf,
  toOneOf,
  type BindContext,
  type Visibility,
} from './resolve.ts'

/** Query × Schema → BoundQuery. An unknown name is FORBIDDEN, with the same message as a name that is not permitted. */
export function bindQuery(
  query: Query,
  collectionName: string,
  schema: Schema,
  limitDefault: number,
  isSystem = false,
  visibility: Visibility = everything,
  spend: Spend = withoutLimit,
): BoundQuery {
  const context: BindContext = { schema, visibility, at: 'root', limitDefault, spend }
  const collection = rootCollection(collectionName, isSystem, context)
  checkDeep(query.deep, query.alias, collection, context)
  const nested = bindNested(query, collection, [], context)
  if (nested.aggregate !== null) return { ...nested, select: [] }
  return {
    ...nested,
    select: bindSelect(query.select, collection, { ...context, backlink: query.backlink, cameBy: null }),
  }
}

/** Refuses nested queries for unknown names, whether or not those names are selected. */
function checkDeep(
  deep: Deep,
  alias: Readonly<Record<string, string>>,
  collection: Collection,
  context: BindContext,
): void {
  for (const key of Object.keys(deep)) {
    const node = deep[key]
    if (node === undefined) continue
    const [written = '', scope = null] = key.split(':')
    const target = Object.hasOwn(alias, written) ? alias[written] : undefined
    const name = target === undefined ? written : (parsePath(target)[0]?.name ?? written)
    const field = fieldNamed(findField(collection, name) === undefined ? key : name, collection, context)
    const inside = deeper(context, name)
    const any = toAnyOf(field, context)
    const targets = any === null ? [toOneOf(field, context)?.to ?? toManyOf(field, context)?.to] : any.targets
    if (any !== null && scope !== null) targetOf(any, scope, name, collection, context.at)
    for (const target of targets) {
      if (target === undefined) throw invalidQuery(`"${name}" is no relation; deep cannot shape it`)
      if (any === null) checkDeep(node.deep, node.alias, target, inside)
    }
  }
}
