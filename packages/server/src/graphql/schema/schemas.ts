import { LRUCache } from 'lru-cache'
import type { Actor } from '../../access/actor.ts'
import type { NameTypes } from '../../schema/mirror.ts'
import type { Schema } from '../../schema/schema.ts'
import type { SystemCollection } from '../../schema/system-collection.ts'
import { documentOf, faultsOf, refused, type Document, type ValidationOptions } from '../request/document.ts'
import type { ReadyQuery } from '../request/execute.ts'
import { createNames, type Names, type Scope } from './names.ts'
import { noProcedures } from '../procedures/root-procedure.ts'
import { procedureFields, procedureNames } from '../procedures/procedures.ts'
import { procedureTypes } from '../procedures/procedure-fields.ts'
import { createRoots } from './root-types.ts'
import { LazySchema } from './schema.ts'
import { sharedTypes } from './shared-types.ts'
import { visibilityOf } from '../../system/visible-schema.ts'
import { createNameTypes } from './type-names.ts'
import { createTypes } from './create-types.ts'
import type { Types } from './types.ts'
import { introspectionTypes, type DocumentNode } from 'graphql'

/** The schema of one permission set in one scope, with its validated documents. */
export interface CallerSchema {
  readonly schema: LazySchema
  readonly types: Types
  /** Prepared queries by document, operation and variables: clients repeat their queries. */
  readonly ready: LRUCache<string, ReadyQuery>
  /** Throws the validation errors of the document. */
  readonly validated: (text: string, parsed: () => DocumentNode) => Document
}

export interface Schemas {
  readonly get: (scope: Scope, actor: Actor, schema: Schema) => CallerSchema
  /** The same, uncached: for full traversals. */
  readonly fresh: (scope: Scope, actor: Actor, schema: Schema) => LazySchema
  readonly names: (schema: Schema) => Names
}

export interface SchemasOptions extends Pick<ValidationOptions, 'hasIntrospection'> {
  readonly systemCollections: readonly SystemCollection[]
  /** Whether changes can be subscribed to. */
  readonly hasSubscriptions: boolean
  /** Number of permission sets whose types are cached. */
  readonly size: number
}

const DOCUMENTS = 200
const READY = 1000
/** Total characters of cached documents per permission set; parsed documents take about eighty times that size. */
const MOST_TEXT = 128 * 1024
const LONGEST_TEXT = 16_384
const MOST_READY = 512 * 1024
/** With more collections than this, suggestions for misspelt names take too long to compute. */
const MANY = 500

/** Types of the service itself. */
const reservedTypes = (): ReadonlySet<string> =>
  new Set([
    'Query',
    'Mutation',
    'Subscription',
    ...sharedTypes.keys(),
    ...procedureTypes.keys(),
    ...introspectionTypes.map(({ name }) => name),
  ])

/** The naming of types, for the code that persists type names. */
export const typeNaming = (): NameTypes => createNameTypes(reservedTypes())

/** Schemas by schema generation and grants: callers with the same permissions share one. */
export function createSchemas(options: SchemasOptions): Schemas {
  const { systemCollections, size, hasIntrospection, hasSubscriptions } = options
  const namesBySchema = new WeakMap<Schema, Names>()
  const namesOptions = {
    reservedTypes: reservedTypes(),
    reservedRoots: procedureNames,
    systemRoots: new Map(systemCollections.flatMap(({ name, path }) => (path === null ? [] : [[name, path] as const]))),
  }
  const names = (schema: Schema): Names => {
    const known = namesBySchema.get(schema) ?? createNames(schema, namesOptions)
    namesBySchema.set(schema, known)
    return known
  }

  const typesOf = (actor: Actor, schema: Schema, isKept: boolean) =>
    createTypes(visibilityOf(actor, schema), names(schema), isKept)
  const schemaOf = (scope: Scope, types: Types, actor: Actor) =>
    new LazySchema(
      createRoots(scope, types, scope === 'items' ? noProcedures : procedureFields(types, actor), hasSubscriptions),
      types,
    )

  const cache = new LRUCache<string, Record<Scope, CallerSchema>>({ max: size })
  let newest = 0

  function made(actor: Actor, schema: Schema): Record<Scope, CallerSchema> {
    const types = typesOf(actor, schema, true)
    const hidesSuggestions = !hasIntrospection || schema.collections.size > MANY
    const own = (scope: Scope) =>
      callerSchema(schemaOf(scope, types, actor), types, { hasIntrospection, hidesSuggestions })
    return { items: own('items'), system: own('system') }
  }

  return {
    names,
    fresh: (scope, actor, schema) => schemaOf(scope, typesOf(actor, schema, false), actor),
    get: (scope, actor, schema) => {
      // No new request uses an older schema.
      if (schema.generation > newest) {
        newest = schema.generation
        cache.clear()
      }
      // Built synchronously, so two requests never build the same schema.
      const key = `${schema.generation} ${actor.grantKey}`
      const known = cache.get(key) ?? made(actor, schema)
      cache.set(key, known)
      return known[scope]
    },
  }
}

function callerSchema(schema: LazySchema, types: Types, options: ValidationOptions): CallerSchema {
  const documents = new LRUCache<string, Document>({
    max: DOCUMENTS,
    maxSize: MOST_TEXT,
    maxEntrySize: LONGEST_TEXT,
    sizeCalculation: (_, text) => Math.max(text.length, 1),
  })
  return {
    schema,
    types,
    ready: new LRUCache({ max: READY, maxSize: MOST_READY, sizeCalculation: (_, key) => key.length }),
    validated: (text, parsed) => {
      const known = documents.get(text)
      if (known !== undefined) return known
      const document = parsed()
      const faults = faultsOf(document, schema, options)
      if (faults !== null) throw refused(faults)
      const found = documentOf(document)
      documents.set(text, found)
      return found
    },
  }
}
