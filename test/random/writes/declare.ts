import type { Server } from '../../lib/server.ts'
import type { ForeignKey, Schema, Table } from './schema.ts'

/** Sends the schema's relations to the service as metadata, as an administrator would. */
export async function declareRelations(server: Server, { tables }: Schema): Promise<void> {
  for (const table of tables.values()) {
    for (const key of table.foreignKeys) await declareReverse(server, table, key)
    if (table.any === null) continue
    const { column, collectionColumn, allowed, junctionField } = table.any
    const meta = {
      one_collection_field: collectionColumn,
      one_allowed_collections: allowed,
      junction_field: junctionField,
    }
    await must(server, 'POST', '/relations', {
      collection: table.name,
      field: column,
      related_collection: null,
      meta,
      schema: null,
    })
  }
}

async function declareReverse(server: Server, table: Table, { columns, target, declared }: ForeignKey): Promise<void> {
  const [field] = columns
  if (declared === null || field === undefined) return
  const alias = { field: declared.field, type: 'alias', meta: { special: [declared.special] }, schema: null }
  await must(server, 'POST', `/fields/${target}`, alias)
  const meta = {
    one_field: declared.field,
    one_deselect_action: declared.deselect,
    sort_field: declared.sortField,
    junction_field: declared.junctionField,
  }
  const body = { collection: table.name, field, related_collection: target, meta }
  await must(server, 'PATCH', `/relations/${table.name}/${field}`, body)
}

async function must(server: Server, method: string, path: string, body: unknown): Promise<void> {
  const { status, body: answer } = await server.send({ method, path, body })
  if (status !== 200) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`)
}
