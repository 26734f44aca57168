import { invalidPayload, invalidQuery } from '@tain/contract'
import { authorizeCollection } from '../../access/authorize-write.ts'
import { bindCreate, bindSave, bindUpdate, bindUpdateAll, fillNode } from '../../query/bind-write.ts'
import type { WriteContext } from '../../query/write-context.ts'
import type { WriteNode } from '../../query/bound-write.ts'
import type { Mutation, Payload } from '../../query/mutation.ts'
import type { Collection } from '../../schema/schema.ts'
import { typed } from '../../schema/typed-column.ts'
import { tableOf } from '../columns.ts'
import { checkMatch } from './if-match.ts'
import { bindRows } from './list-rows.ts'
import { hasKey, ownKey } from './own-key.ts'
import type { Run } from './request.ts'
import { recordset, statementKey } from './statements.ts'
import { firstKey, targetKeys } from './targets.ts'

export async function bindMutation(
  mutation: Exclude<Mutation, { kind: 'delete' | 'sort' }>,
  root: Collection,
  context: WriteContext,
  run: Run,
): Promise<WriteNode[]> {
  const { actor } = run
  switch (mutation.kind) {
    case 'create': {
      const collection = authorizeCollection(root, 'create', actor)
      return bindRows(mutation.items, context, (item, index) =>
        fillNode(bindCreate(item, collection, [], context), mutation.filled?.[index], context),
      )
    }
    case 'update': {
      const collection = authorizeCollection(root, 'update', actor)
      const keys = await targetKeys(mutation.target, collection, run)
      await checkMatch(keys, collection, run)
      const nodes = bindUpdateAll(keys, mutation.data, collection, context)
      return nodes.map((node) => fillNode(node, mutation.filled, context))
    }
    case 'update-each': {
      const collection = authorizeCollection(root, 'update', actor)
      return bindRows(mutation.items, context, (item) =>
        bindUpdate(ownKey(item, collection), item, collection, [], context),
      )
    }
    case 'singleton': {
      const collection = authorizeCollection(root, 'update', actor)
      const key = await firstKey(collection, run)
      return [
        key === undefined
          ? bindCreate(mutation.data, collection, [], context)
          : bindUpdate(key, mutation.data, collection, [], context),
      ]
    }
    case 'upsert': {
      // Only the row lookup shows whether create or update permission is needed.
      const needed = actor.may('update', root) ? 'update' : 'create'
      const collection = authorizeCollection(root, needed, actor)
      return mutation.on === null
        ? bindRows(mutation.items, context, (item) =>
            hasKey(item, collection)
              ? bindSave(ownKey(item, collection), item, collection, [], context)
              : bindCreate(item, collection, [], context),
          )
        : bindByField(mutation.items, mutation.on, collection, context, run)
    }
  }
}

/** Binds updates for rows that a unique field finds, and creates for the others. */
async function bindByField(
  items: readonly Payload[],
  on: string,
  collection: Collection,
  context: WriteContext,
  run: Run,
): Promise<WriteNode[]> {
  const field = collection.columns.get(on)
  const isUnique = collection.uniques.some((columns) => columns.length === 1 && columns[0] === on)
  if (field === undefined || !isUnique) throw invalidQuery(`"${on}" is no unique field of "${collection.name}"`)
  const cells = items.map((item) => {
    if (item[on] === undefined || item[on] === null) throw invalidPayload(`Each item needs "${on}"`)
    return [context.encode(field, item[on], [])]
  })
  const { statements } = run.services
  const rows = await statements.run(
    `find ${statementKey(collection, [field, ...collection.key])}`,
    () =>
      statements.dialect.bulk.find(
        tableOf(collection),
        { columns: [typed(field)], parameter: 0 },
        collection.key.map(({ name }) => name),
      ),
    [recordset(cells)],
    run.transaction,
  )
  const found = new Map(rows.map((row) => [Number(row[0]) - 1, collection.key.map((_, index) => row[1 + index] ?? '')]))
  return bindRows(items, context, (item, index) => {
    const key = found.get(index)
    return key === undefined
      ? bindCreate(item, collection, [], context)
      : bindUpdate(key, item, collection, [], context)
  })
}
