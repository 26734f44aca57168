import type { Actor } from '../access/actor.ts'
import type { Schema } from '../schema/schema.ts'
import {
  createCollection,
  deleteCollection,
  listCollections,
  namedCollections,
  readCollection,
  updateCollection,
  updateCollections,
} from './collections.ts'
import { createField, deleteField, fieldsOf, listFields, readField, updateField, updateFields } from './fields.ts'
import { checkMayChange, type MetadataContext, type SchemaCall } from './metadata.ts'
import {
  createRelation,
  deleteRelation,
  listRelations,
  readRelation,
  relationsOf,
  updateRelation,
} from './relations.ts'

export interface ResourceCall {
  readonly actor: Actor
  readonly schema: () => Schema
  readonly metadata: MetadataContext
  readonly body: unknown
  /** The addressed names: a collection, then a field. */
  readonly names: readonly [string, string]
  /** Previews the change without making it. */
  readonly isDryRun?: boolean
}

/** A result of undefined means that there is nothing to return. */
export type Resource = (call: ResourceCall) => Promise<unknown>

/** Makes a change, or only previews it. */
const change =
  (ask: (call: ResourceCall) => SchemaCall): Resource =>
  async (call) => {
    const { actor, metadata, isDryRun = false } = call
    checkMayChange(actor, metadata)
    const { planner, answer } = ask(call)
    return isDryRun ? metadata.changes.preview(planner) : answer(await metadata.changes.change(planner))
  }

/** Operations on the schema; each protocol maps them to its own routes or fields. */
export const resources = {
  listFields: async ({ actor, schema }) => listFields(actor, schema()),
  fieldsOf: async ({ actor, schema, names: [c] }) => fieldsOf(c, actor, schema()),
  readField: async ({ actor, schema, names: [c, f] }) => readField(c, f, actor, schema()),
  createField: change(({ actor, body, names: [c] }) => createField(c, body, actor)),
  updateFields: change(({ actor, body, names: [c] }) => updateFields(c, body, actor)),
  updateField: change(({ actor, body, names: [c, f] }) => updateField(c, f, body, actor)),
  deleteField: change(({ actor, names: [c, f] }) => deleteField(c, f, actor)),
  listCollections: async ({ actor, schema }) => listCollections(actor, schema()),
  namedCollections: async ({ actor, schema, body }) => namedCollections(body, actor, schema()),
  readCollection: async ({ actor, schema, names: [c] }) => readCollection(c, actor, schema()),
  createCollection: change(({ actor, body }) => createCollection(body, actor)),
  updateCollections: change(({ actor, body }) => updateCollections(body, actor)),
  updateCollection: change(({ actor, body, names: [c] }) => updateCollection(c, body, actor)),
  deleteCollection: change(({ actor, names: [c] }) => deleteCollection(c, actor)),
  listRelations: async ({ actor, schema }) => listRelations(actor, schema()),
  relationsOf: async ({ actor, schema, names: [c] }) => relationsOf(c, actor, schema()),
  readRelation: async ({ actor, schema, names: [c, f] }) => readRelation(c, f, actor, schema()),
  createRelation: change(({ actor, body }) => createRelation(body, actor)),
  updateRelation: change(({ actor, body, names: [c, f] }) => updateRelation(c, f, body, actor)),
  deleteRelation: change(({ actor, names: [c, f] }) => deleteRelation(c, f, actor)),
} as const satisfies Record<string, Resource>

export type ResourceName = keyof typeof resources
