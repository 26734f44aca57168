import { randomUUID } from 'node:crypto'
import { forbidden, invalidPayload } from '@tain/contract'
import { files } from '@tain/contract/collections'
import type { Actor } from '../access/actor.ts'
import type { Origin } from '../changes/change.ts'
import type { Engine } from '../engine/engine.ts'
import { isReplay } from '../engine/write/idempotency.ts'
import type { WriteReply, WriteRequest } from '../engine/write/write-request.ts'
import { between, type Failpoints } from '../lib/failpoint.ts'
import { createMutexes } from '../lib/mutexes.ts'
import { isUuid } from '../lib/uuid.ts'
import type { Payload } from '../query/mutation.ts'
import type { Claim, Contents, Reception, StoredContent } from './content.ts'
import type { FileObject } from './file-object.ts'
import type { FileRows } from './file-rows.ts'
import { firstKey, nextKey } from './object-key.ts'
import type { Removals } from './removals.ts'
import type { Storages } from './storage/storages.ts'

/** What a caller says of a file, besides its content. */
export interface Description {
  readonly claim: Claim
  /** Fields of the row that the caller sends. */
  readonly fields: Payload
}

/** A file before its row is made. */
export interface NewFile extends Description {
  readonly id: string
  readonly content: StoredContent
}

/** Who writes, and how the response is made. */
export interface Writer {
  readonly actor: Actor
  readonly origin: Origin
  /** The query that shapes the response; null: it has no rows. */
  readonly read: WriteRequest['read']
  readonly isDryRun: boolean
}

export interface Library {
  /** Receives the content of a new file. Permissions are checked before a byte is stored. */
  readonly receive: (content: AsyncIterable<Buffer>, description: Description, writer: Writer) => Promise<NewFile>
  /** The same for new content of a file that exists. */
  readonly receiveFor: (
    id: string,
    content: AsyncIterable<Buffer>,
    description: Description,
    writer: Writer,
    ifMatch: readonly string[] | null,
  ) => Promise<NewFile>
  /** Refuses what the caller may not create, as far as it is known before the content. */
  readonly checkCreate: (file: Omit<NewFile, 'content'>, type: string, writer: Writer) => Promise<void>
  readonly checkReplace: (
    id: string,
    description: Description,
    type: string,
    writer: Writer,
    ifMatch: readonly string[] | null,
  ) => Promise<void>
  /** Makes the rows of all files, or of none; then their objects go. */
  readonly create: (received: readonly NewFile[], writer: Writer) => Promise<WriteReply>
  /** The new content takes the place of the old one. */
  readonly replace: (file: NewFile, writer: Writer, ifMatch: readonly string[] | null) => Promise<WriteReply>
  /** Takes away the objects of files that get no row. */
  readonly drop: (received: readonly NewFile[]) => Promise<void>
  /** The id and the storage that a caller wants, or the default ones. */
  readonly placeFor: (fields: Payload) => { readonly id: string; readonly storage: string }
}

type IfMatch = WriteRequest['ifMatch']

export interface LibraryParts {
  readonly engine: Engine
  readonly storages: Storages
  readonly contents: Contents
  readonly rows: FileRows
  readonly removals: Removals
  readonly failpoints: Failpoints | null
}

const root = { collection: files.name, isSystem: true } as const

/** Columns that are known only when all of the content is there. */
const unknown: ReadonlySet<string> = new Set([
  'filename_disk',
  'filesize',
  'checksum',
  'width',
  'height',
  'metadata',
  'uploaded_on',
])

/** The fields that a caller writes by bringing content. */
const sentFields = ({ claim, fields }: Description, type: string): Payload => ({
  ...fields,
  filename_download: claim.name,
  type,
})

const contentFields = ({ key, size, checksum, width, height, metadata }: StoredContent): Payload => ({
  filename_disk: key,
  filesize: size,
  checksum,
  width,
  height,
  metadata,
  duration: null,
  uploaded_on: new Date().toISOString(),
})

const objectOf = ({ id, content }: NewFile): FileObject => ({ id, storage: content.storage, key: content.key })

export function createLibrary(parts: LibraryParts): Library {
  const replacing = createMutexes()
  return {
    placeFor: (fields) => placeFor(fields, parts.storages),
    checkCreate: (file, type, writer) => checkCreate(file, type, writer, parts),
    checkReplace: (id, description, type, writer, ifMatch) =>
      checkReplace(id, description, type, writer, ifMatch, parts),
    receive: (content, description, writer) => receive(content, description, writer, parts),
    receiveFor: (id, content, description, writer, ifMatch) =>
      receiveFor(id, content, description, writer, ifMatch, parts),
    create: (received, writer) => create(received, writer, parts),
    async replace(file, writer, ifMatch) {
      // Otherwise two of them could take the same content for the old one, and one of theirs would be left.
      const leave = await replacing.take(file.id)
      try {
        return await replace(file, writer, ifMatch, parts)
      } finally {
        leave()
      }
    },
    drop: (received) => drop(received, parts),
  }
}

async function write(
  request: WriteRequest,
  { actor, isDryRun }: Writer,
  { engine }: LibraryParts,
): Promise<WriteReply> {
  const result = await engine.write(actor, [request], { isDryRun, claim: null })
  const reply = isReplay(result) ? undefined : result[0]
  if (reply === undefined) throw new TypeError('a write of files gave no reply')
  return reply
}

const rehearse = (mutation: WriteRequest['mutation'], writer: Writer, ifMatch: IfMatch, parts: LibraryParts) =>
  write({ mutation, read: null, ifMatch, origin: writer.origin }, { ...writer, isDryRun: true }, parts)

function placeFor({ id = null, storage }: Payload, storages: Storages): ReturnType<Library['placeFor']> {
  const name = storage ?? storages.default
  if (id !== null && !isUuid(id)) throw invalidPayload('"id" has to be a UUID')
  if (typeof name !== 'string' || storages.at(name) === undefined)
    throw invalidPayload('"storage" has to be one of the storages that are set up; leave it out for the default')
  return { id: id === null ? randomUUID() : id.toLowerCase(), storage: name }
}

/** A key that the service has chosen needs no permission. */
const ownKey = (id: string, { fields }: Description): Payload => (fields['id'] === undefined ? { id } : {})

const ownStorage = ({ fields, content }: NewFile): Payload =>
  fields['storage'] === undefined ? { storage: content.storage } : {}

async function checkCreate(file: Omit<NewFile, 'content'>, type: string, writer: Writer, parts: LibraryParts) {
  const filled = [{ values: ownKey(file.id, file), unknown }]
  await rehearse({ ...root, kind: 'create', items: [sentFields(file, type)], filled }, writer, null, parts)
}

async function checkReplace(
  id: string,
  description: Description,
  type: string,
  writer: Writer,
  ifMatch: IfMatch,
  parts: LibraryParts,
) {
  const data = sentFields(description, type)
  const filled = { values: {}, unknown }
  await rehearse({ ...root, kind: 'update', target: only(id), data, filled }, writer, ifMatch, parts)
}

const only = (id: string) => ({ kind: 'parts', keys: [[id]] }) as const

const store = (content: AsyncIterable<Buffer>, reception: Reception, { contents, failpoints }: LibraryParts) =>
  between(failpoints, 'files.before-store', 'files.after-store', () => contents.receive(content, reception))

async function receive(
  content: AsyncIterable<Buffer>,
  description: Description,
  writer: Writer,
  parts: LibraryParts,
): Promise<NewFile> {
  const { claim, fields } = description
  const { id, storage } = placeFor(fields, parts.storages)
  const reception: Reception = {
    storage,
    claim,
    // A key that callers choose may be chosen twice, and the first content must stay.
    keyOf: (type) => (fields['id'] === undefined ? firstKey : nextKey)(id, claim.name, type),
    check: (type) => checkCreate({ ...description, id }, type, writer, parts),
  }
  return { ...description, id, content: await store(content, reception, parts) }
}

async function receiveFor(
  id: string,
  content: AsyncIterable<Buffer>,
  description: Description,
  writer: Writer,
  ifMatch: IfMatch,
  parts: LibraryParts,
): Promise<NewFile> {
  const { claim } = description
  const { storages, rows } = parts
  const row = await rows.byId(id)
  const reception: Reception = {
    storage: row === null || storages.at(row.storage) === undefined ? storages.default : row.storage,
    claim,
    keyOf: (type) => nextKey(row?.id ?? id, claim.name, type),
    async check(type) {
      // A missing file is refused as a closed one is, also where something else is wrong.
      await checkReplace(id, description, type, writer, ifMatch, parts)
      if (row === null) throw forbidden()
    },
  }
  return { ...description, id: row?.id ?? id, content: await store(content, reception, parts) }
}

async function create(received: readonly NewFile[], writer: Writer, parts: LibraryParts): Promise<WriteReply> {
  const { failpoints } = parts
  const items = received.map((file) => sentFields(file, file.content.type))
  const filled = received.map((file) => ({
    values: { ...ownKey(file.id, file), ...ownStorage(file), ...contentFields(file.content) },
  }))
  const { read, origin } = writer
  try {
    const mutation = { ...root, kind: 'create', items, filled } as const
    const reply = await between(failpoints, 'files.before-row', 'files.after-row', () =>
      write({ mutation, read, ifMatch: null, origin }, writer, parts),
    )
    if (writer.isDryRun) await drop(received, parts)
    return reply
  } catch (error) {
    await drop(received, parts)
    throw error
  }
}

async function replace(file: NewFile, writer: Writer, ifMatch: IfMatch, parts: LibraryParts): Promise<WriteReply> {
  const { id, content } = file
  const { rows, removals, failpoints } = parts
  const { read, origin } = writer
  try {
    const before = await rows.existing(id)
    const data = sentFields(file, content.type)
    const filled = { values: { storage: content.storage, ...contentFields(content) } }
    const mutation = { ...root, kind: 'update', target: only(id), data, filled } as const
    const reply = await between(failpoints, 'files.before-row', 'files.after-row', () =>
      write({ mutation, read, ifMatch, origin }, writer, parts),
    )
    if (writer.isDryRun) await drop([file], parts)
    else await removals.ofContent(before)
    return reply
  } catch (error) {
    await drop([file], parts)
    throw error
  }
}

const drop = (received: readonly NewFile[], { removals }: LibraryParts) => removals.unlessKept(received.map(objectOf))
