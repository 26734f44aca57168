import { randomBytes, timingSafeEqual } from 'node:crypto'
import { Readable } from 'node:stream'
import { forbidden, invalidPayload, ServiceError } from '@tain/contract'
import type { Actor } from '../../access/actor.ts'
import type { Origin } from '../../changes/change.ts'
import type { WriteReply } from '../../engine/write/write-request.ts'
import { isUuid } from '../../lib/uuid.ts'
import type { Payload } from '../../query/mutation.ts'
import type { StoredUpload, UploadStore } from '../../store/uploads.ts'
import { tooLargeFile, type Contents } from '../content.ts'
import type { Writer } from '../library.ts'
import { lostStorage } from '../storage/report-failures.ts'
import type { PresignedPut, Storage } from '../storage/storage.ts'
import type { Storages } from '../storage/storages.ts'
import { refused } from './refusals.ts'
import type { UploadPlan, UploadTarget } from './target.ts'

/** Where a client puts the content of a file, and until when. */
export interface DirectUpload extends PresignedPut {
  readonly id: string
  readonly expires: Date
}

/** Content that clients put into a storage themselves. */
export interface DirectUploads {
  /** `addressOf` is where the service itself takes the content, if clients cannot reach the storage. */
  presign(
    actor: Actor,
    wanted: Payload,
    origin: Origin,
    addressOf: (id: string, secret: string) => string,
  ): Promise<DirectUpload>
  /** Takes the content at such an address. */
  put(id: string, secret: string, content: AsyncIterable<Buffer>, length: number | null, type: string): Promise<void>
  /** The content becomes a file. */
  complete(writer: Writer, id: string): Promise<WriteReply>
}

export interface DirectOptions {
  readonly storages: Storages
  readonly store: UploadStore
  readonly target: UploadTarget
  readonly contents: Contents
}

interface Content extends UploadPlan {
  readonly size: number
  readonly type: string
  readonly secret: string
  /**
   * Where clients put the content. Their permission to write there outlives the upload, so a file never has this object
   * as its content.
   */
  readonly part: string
}

const LIFETIME = 900_000

const contentIn = ({ content }: StoredUpload) => JSON.parse(content) as Content

export const createDirectUploads = (options: DirectOptions): DirectUploads => ({
  presign: (actor, wanted, origin, addressOf) => presign(options, actor, wanted, origin, addressOf),
  async put(id, secret, content, length, type) {
    const upload = await find(options, id)
    const plan = contentIn(upload)
    const [known, given] = [plan.secret, secret].map((text) => Buffer.from(text))
    if (known?.length !== given?.length || !timingSafeEqual(known ?? Buffer.of(), given ?? Buffer.of()))
      throw forbidden()
    if (type !== plan.type)
      throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', `The content is sent with Content-Type ${plan.type}.`)
    if (length !== null && length !== plan.size) throw otherSize(plan.size)
    await storageOf(options, plan).write(plan.part, Readable.from(exactly(content, plan.size), { objectMode: false }))
  },
  complete: (writer, id) => complete(options, writer, id),
})

const otherSize = (size: number) => invalidPayload(`The content has to have the ${size} bytes that were promised`)

/** Nothing is stored of content with another size. */
async function* exactly(content: AsyncIterable<Buffer>, size: number): AsyncGenerator<Buffer> {
  let arrived = 0
  for await (const chunk of content) {
    arrived += chunk.length
    if (arrived > size) throw otherSize(size)
    yield chunk
  }
  if (arrived !== size) throw otherSize(size)
}

function storageOf({ storages }: DirectOptions, { storage }: UploadPlan): Storage {
  const found = storages.at(storage)
  if (found === undefined) throw lostStorage()
  return found
}

/** A missing one is refused in the words of a missing file. */
async function find({ store }: DirectOptions, id: string): Promise<StoredUpload> {
  const upload = isUuid(id) ? await store.read(id.toLowerCase()) : null
  if (upload?.kind !== 'direct') throw forbidden()
  return upload
}

interface Wanted {
  readonly name: string
  readonly type: string
  readonly size: number
  readonly fields: Payload
}

function wantedIn({ filename_download: name, type, filesize: size, id, ...fields }: Payload): Wanted {
  if (typeof name !== 'string' || name === '') throw invalidPayload('"filename_download" is required')
  if (typeof type !== 'string' || !/^[\w.+-]+\/[\w.+-]+$/u.test(type))
    throw invalidPayload('"type" is required: the media type of the file, such as text/plain')
  if (typeof size !== 'number' || !Number.isSafeInteger(size) || size < 0)
    throw invalidPayload('"filesize" is required: the bytes of the file')
  if (id !== undefined) throw invalidPayload('"id" is chosen by the service here')
  return { name, type, size, fields }
}

async function presign(
  options: DirectOptions,
  actor: Actor,
  wanted: Payload,
  origin: Origin,
  addressOf: (id: string, secret: string) => string,
): Promise<DirectUpload> {
  const { contents, store, target } = options
  const { name, type, size, fields } = wantedIn(wanted)
  const plan = await target.plan(actor, { replaced: null, claim: { name, type }, fields }, origin)
  const { size: limit } = contents.limits
  if (limit !== null && size > limit) throw tooLargeFile(limit)
  contents.checkType(type)
  const storage = storageOf(options, plan)
  const expires = new Date(Date.now() + LIFETIME)
  const secret = randomBytes(16).toString('hex')
  const part = `.part/${plan.file.replaceAll('-', '')}`
  const content: Content = { ...plan, size, type, secret, part }
  await store.create({
    id: plan.file,
    kind: 'direct',
    caller: actor.user ?? '',
    content: JSON.stringify(content),
    state: JSON.stringify(storage.pieces.begin(plan.file, plan.key)),
    remaining: LIFETIME,
  })
  const put = (await storage.presign(part, { size, type, expiresIn: LIFETIME / 1000 })) ?? {
    url: addressOf(plan.file, secret),
    headers: { 'content-type': type },
  }
  return { id: plan.file, expires, ...put }
}

async function complete(options: DirectOptions, writer: Writer, id: string): Promise<WriteReply> {
  const { store, target } = options
  const upload = await find(options, id)
  if (upload.caller !== (writer.actor.user ?? '')) throw forbidden()
  const held = await store.take(upload.id)
  if (held === null) throw forbidden()
  if (held === 'busy') throw refused('busy')
  try {
    const plan = contentIn(held)
    const storage = storageOf(options, plan)
    await takeContent(plan, storage)
    const reply = await target.complete(writer, plan)
    await held.remove()
    return reply
  } finally {
    await held.release()
  }
}

/** Moves the content to where nobody but the service writes. */
async function takeContent({ part, key, size }: Content, storage: Storage): Promise<void> {
  const arrived = await storage.size(part)
  if (arrived === size) return storage.move(part, key)
  // A process may have moved it and not lived to make the file.
  if (arrived === null && (await storage.size(key)) === size) return
  await storage.remove(part)
  throw new ServiceError(
    'UNPROCESSABLE_CONTENT',
    "Can't process content. The content is missing, or has another size than promised; send it again.",
  )
}
