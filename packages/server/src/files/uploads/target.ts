import { invalidPayload } from '@tain/contract'
import { files } from '@tain/contract/collections'
import type { Actor } from '../../access/actor.ts'
import type { Origin } from '../../changes/change.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Payload } from '../../query/mutation.ts'
import { authorizeFiles } from '../authorize-files.ts'
import { contentTypeOf } from '../content-type.ts'
import type { Claim, Contents, StoredContent } from '../content.ts'
import type { FileRows } from '../file-rows.ts'
import type { Library, Writer } from '../library.ts'
import { extended, firstKey, nextKey, stemOf } from '../object-key.ts'
import type { Storages } from '../storage/storages.ts'

/** Where an upload is going, kept until it is complete. */
export interface UploadPlan {
  /** The id of the file. */
  readonly file: string
  readonly replaces: boolean
  readonly storage: string
  readonly key: string
  /** Where a client puts the content itself, until it is complete. */
  readonly part?: string
  readonly claim: Claim
  readonly fields: Payload
}

/** What a caller says of an upload before it begins. */
export interface UploadWish {
  /** A file that gets new content; null: a new file. */
  readonly replaced: string | null
  readonly claim: Claim
  readonly fields: Payload
}

/** What becomes of uploads. */
export interface UploadTarget {
  /** Throws unless the caller may create or replace such a file. */
  readonly plan: (actor: Actor, wish: UploadWish, origin: Origin) => Promise<UploadPlan>
  /** The object becomes the content of the file. */
  readonly complete: (writer: Writer, plan: UploadPlan) => ReturnType<Library['create']>
  /** Whether the file already has the object as its content. */
  readonly isContent: (plan: UploadPlan) => Promise<boolean>
}

interface TargetParts {
  readonly engine: Engine
  readonly storages: Storages
  readonly contents: Contents
  readonly rows: FileRows
  readonly library: Library
}

/** Names and types of no content: the claim is believed until the bytes are there. */
const claimedType = async ({ type, name }: Claim): Promise<string> =>
  type ?? (await contentTypeOf(Buffer.alloc(0), null, name))

export function createUploadTarget(parts: TargetParts): UploadTarget {
  const { contents, rows, library, storages } = parts
  return {
    async plan(actor, given, origin) {
      const action = given.replaced === null ? 'create' : 'update'
      await authorizeFiles(parts.engine, actor, action)
      const wish = { ...given, fields: withoutObject(given.fields, actor, action, parts.engine) }
      const strange = Object.keys(wish.fields).find((name) => !Object.hasOwn(files.columns, name))
      if (strange !== undefined) throw invalidPayload(`"${strange}" is no field of files`)
      const writer: Writer = { actor, origin, read: null, isDryRun: false }
      return wish.replaced === null ? planNew(wish, writer, parts) : planNext(wish.replaced, wish, writer, parts)
    },
    async complete(writer, plan) {
      const found = await contents.examine(plan, plan.claim)
      contents.checkType(found.type)
      const content = await renamed(found, plan, storages)
      const { file: id, claim, fields } = plan
      const file = { id, claim, fields, content }
      return plan.replaces ? library.replace(file, writer, null) : library.create([file], writer)
    },
    isContent: async ({ file, storage, key }) => (await rows.kept([{ id: file, storage, key }])).has(key),
  }
}

/**
 * Some clients tell where the object should lie. That is ignored; whoever may not write the field at all is still refused.
 */
function withoutObject(fields: Payload, actor: Actor, action: 'create' | 'update', engine: Engine): Payload {
  const collection = engine.schema().system.get(files.name)
  const writable = collection === undefined ? new Set<string>() : actor.fieldsFor(collection, action)
  if (writable !== 'all' && !writable.has('filename_disk')) return fields
  const { filename_disk: _, ...rest } = fields
  return rest
}

async function planNew({ claim, fields }: UploadWish, writer: Writer, { library }: TargetParts): Promise<UploadPlan> {
  const { id, storage } = library.placeFor(fields)
  const type = await claimedType(claim)
  await library.checkCreate({ id, claim, fields }, type, writer)
  const key = firstKey(id, claim.name, type)
  return { file: id, replaces: false, storage, key, claim, fields }
}

async function planNext(
  replaced: string,
  { claim, fields }: UploadWish,
  writer: Writer,
  { library, rows, storages }: TargetParts,
): Promise<UploadPlan> {
  const row = await rows.existing(replaced)
  const type = await claimedType(claim)
  await library.checkReplace(row.id, { claim, fields }, type, writer, null)
  const storage = storages.at(row.storage) === undefined ? storages.default : row.storage
  return { file: row.id, replaces: true, storage, key: nextKey(row.id, claim.name, type), claim, fields }
}

/** A name without an extension gets that of the type, which is certain only now. */
async function renamed(content: StoredContent, { claim }: UploadPlan, storages: Storages): Promise<StoredContent> {
  const key = extended(stemOf(content.key), claim.name, content.type)
  if (key === content.key) return content
  await storages.at(content.storage)?.move(content.key, key)
  return { ...content, key }
}
