import { createHash } from 'node:crypto'
import type { Model } from '../database/model.ts'
import type { Server } from '../../lib/server.ts'
import { spellFilter } from '../reads/wire.ts'
import { openRights } from './rights-store.ts'
import type { Permission, Rights } from './rights.ts'

/** Sends the model's metadata to the service, as an administrator would. */
export async function installMetadata(server: Server, model: Model): Promise<void> {
  const must = async (method: string, path: string, body: unknown): Promise<void> => {
    const { status, body: reply } = await server.send({ method, path, body })
    if (status !== 200) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(reply)}`)
  }
  for (const [collection, fields] of model.relations) {
    for (const relation of fields.values()) {
      if (relation.kind !== 'many' || relation.isDeclared !== true) continue
      const alias = { field: relation.field, type: 'alias', meta: { special: ['o2m'] }, schema: null }
      await must('POST', `/fields/${encodeURIComponent(collection)}`, alias)
      const path = `/relations/${encodeURIComponent(relation.target)}/${encodeURIComponent(relation.link.far[0]!)}`
      const meta = { one_field: relation.field }
      await must('PATCH', path, {
        collection: relation.target,
        field: relation.link.far[0],
        related_collection: collection,
        meta,
      })
    }
  }
  for (const [collection, { field, collectionColumn, allowed }] of model.anys ?? []) {
    const meta = { one_collection_field: collectionColumn, one_allowed_collections: allowed }
    await must('POST', '/relations', { collection, field, related_collection: null, meta, schema: null })
  }
}

const ruleText = (model: Model, { rule, collection }: Permission): string | null => {
  if (rule === null) return null
  return JSON.stringify(rule.kind === 'broken' ? rule.wire : spellFilter(model, collection, rule.filter))
}

/** Writes the permissions directly into the service tables and replaces those written before. */
export async function installRights(url: string, model: Model, rights: Rights): Promise<void> {
  const client = await openRights(model.dialect, url)
  try {
    await client.query('begin', [])
    const ids = (rows: readonly { readonly id: string }[]) => [rows.map(({ id }) => id)]
    // Removes the public access that exists from the start; the administrator keeps theirs.
    await client.query('delete from tain.service_access where role is null and "user" is null', [])
    await client.query('delete from tain.service_users where id = any($1)', ids(rights.users))
    await client.query('delete from tain.service_policies where id = any($1)', ids(rights.policies))
    await client.query('delete from tain.service_roles where id = any($1)', ids(rights.roles))
    for (const { id, name, description, parent } of rights.roles)
      await client.query('insert into tain.service_roles (id, name, description, parent) values ($1, $2, $3, $4)', [
        id,
        name,
        description,
        parent,
      ])
    for (const { id, token, role, title, location } of rights.users)
      await client.query(
        'insert into tain.service_users (id, token, role, title, location) values ($1, $2, $3, $4, $5)',
        [id, createHash('sha256').update(token).digest('hex'), role, title, location],
      )
    for (const policy of rights.policies) {
      await client.query(
        'insert into tain.service_policies (id, name, ip_access, admin_access) values ($1, $2, $3, $4)',
        [
          policy.id,
          policy.name,
          policy.addresses.length === 0 ? null : JSON.stringify(policy.addresses),
          policy.isAdmin,
        ],
      )
      for (const permission of policy.permissions)
        await client.query(
          `insert into tain.service_permissions (policy, collection, action, permissions, validation, presets, fields)
           values ($1, $2, $3, $4, $5, $6, $7)`,
          [
            policy.id,
            permission.collection,
            permission.action,
            ruleText(model, permission),
            json(permission.validation),
            json(permission.presets),
            json(permission.fields),
          ],
        )
    }
    for (const { id, role, user, policy, sort } of rights.access)
      await client.query(
        'insert into tain.service_access (id, role, "user", policy, sort) values ($1, $2, $3, $4, $5)',
        [id, role, user, policy, sort],
      )
    await client.query('update tain.service_version set rights = rights + 1', [])
    await client.query('commit', [])
  } finally {
    await client.close()
  }
}

const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value))
