import type { SchemaProcedureName } from '@tain/contract'
import type { Received } from '@tain/contract/schemas'
import type { Actor } from '../../access/actor.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Implementations, Procedure, Result } from '../../procedure.ts'
import type { Schema } from '../../schema/schema.ts'
import {
  createCollection,
  deleteCollection,
  listCollections,
  namedCollections,
  readCollection,
  updateCollection,
  updateCollections,
} from '../collections.ts'
import { createField, deleteField, fieldsOf, listFields, readField, updateField, updateFields } from '../fields.ts'
import { checkMayChange, type MetadataContext, type SchemaCall } from '../metadata.ts'
import {
  createRelation,
  deleteRelation,
  listRelations,
  readRelation,
  relationsOf,
  updateRelation,
} from '../relations.ts'

export interface SchemaServices {
  readonly engine: Engine
  readonly metadata: MetadataContext
}

type Name = SchemaProcedureName

/** Procedures that read and change the schema. Their reads run no statement that would check the versions. */
export function createSchemaProcedures({ engine, metadata }: SchemaServices): Implementations<SchemaProcedureName> {
  // Every procedure here has a caller; the compiler does not know that of a generic name.
  const newest = async (call: { readonly actor: Actor | null }) => engine.renew(call.actor as Actor)

  const read =
    <N extends Name>(answer: (input: Received<N>, actor: Actor, schema: Schema) => Result<N>): Procedure<N> =>
    async (call) => {
      const actor = await newest(call)
      return answer(call.input, actor, engine.schema())
    }

  /** Makes a change, or only plans it. */
  const change =
    <N extends Name>(ask: (input: Received<N>, actor: Actor) => SchemaCall): Procedure<N> =>
    async (call) => {
      const actor = await newest(call)
      checkMayChange(actor, metadata)
      const { planner, answer } = ask(call.input, actor)
      const { changes } = metadata
      return (call.isDryRun ? await changes.preview(planner) : answer(await changes.change(planner))) as Result<N>
    }

  return {
    listFields: read((_, actor, schema) => listFields(actor, schema)),
    fieldsOf: read(({ collection }, actor, schema) => fieldsOf(collection, actor, schema)),
    readField: read(({ collection, field }, actor, schema) => readField(collection, field, actor, schema)),
    createField: change(({ collection, data }, actor) => createField(collection, data, actor)),
    updateFields: change(({ collection, data }, actor) => updateFields(collection, data, actor)),
    updateField: change(({ collection, field, data }, actor) => updateField(collection, field, data, actor)),
    deleteField: change(({ collection, field }, actor) => deleteField(collection, field, actor)),
    listCollections: read((_, actor, schema) => listCollections(actor, schema)),
    namedCollections: read(({ keys }, actor, schema) => namedCollections(keys, actor, schema)),
    readCollection: read(({ collection }, actor, schema) => readCollection(collection, actor, schema)),
    createCollection: change(({ data }, actor) => createCollection(data, actor)),
    updateCollections: change(({ data }, actor) => updateCollections(data, actor)),
    updateCollection: change(({ collection, data }, actor) => updateCollection(collection, data, actor)),
    deleteCollection: change(({ collection }, actor) => deleteCollection(collection, actor)),
    listRelations: read((_, actor, schema) => listRelations(actor, schema)),
    relationsOf: read(({ collection }, actor, schema) => relationsOf(collection, actor, schema)),
    readRelation: read(({ collection, field }, actor, schema) => readRelation(collection, field, actor, schema)),
    createRelation: change(({ data }, actor) => createRelation(data, actor)),
    updateRelation: change(({ collection, field, data }, actor) => updateRelation(collection, field, data, actor)),
    deleteRelation: change(({ collection, field }, actor) => deleteRelation(collection, field, actor)),
  }
}
