import { DESCRIPTION_VERSION } from '@tain/contract'
import type { Actor } from '../access/actor.ts'
import type { Engine } from '../engine/engine.ts'
import type { Schema } from '../schema/schema.ts'
import type { ReadDescription } from '../system/procedures/specifications.ts'
import { createCallerDocuments, gather } from './caller-documents.ts'
import { describeCollections } from './describe.ts'

/** The description of each caller as JSON text. */
export function createDescriptions(engine: Engine): ReadDescription {
  const documents = createCallerDocuments<'schema'>(engine, async (actor, schema) => {
    const { pieces, digest } = await gather(piecesOf(actor, schema))
    return { pieces, tag: `"${digest.slice(0, 22)}"` }
  })
  return (caller) => documents(caller, 'schema')
}

function* piecesOf(actor: Actor, schema: Schema): Generator<string> {
  yield `{"version":${DESCRIPTION_VERSION},"collections":[`
  let separator = ''
  for (const collection of describeCollections(actor, schema)) {
    yield `${separator}${JSON.stringify(collection)}`
    separator = ','
  }
  yield ']}'
}
