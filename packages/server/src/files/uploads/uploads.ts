import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '@tain/contract'
import type { Actor } from '../../access/actor.ts'
import type { Origin } from '../../changes/change.ts'
import type { HeldUpload, StoredUpload, UploadStore } from '../../store/uploads.ts'
import type { PieceState, Storage } from '../storage/storage.ts'
import type { Storages } from '../storage/storages.ts'
import { receivePiece, type Piece } from './receive-piece.ts'
import { between, type Failpoints } from '../../lib/failpoint.ts'
import { refused } from './refusals.ts'
import type { UploadPlan, UploadTarget, UploadWish } from './target.ts'

export interface Upload {
  readonly id: string
  readonly size: number
  readonly offset: number
  /** The file that it has become. */
  readonly file: string | null
  readonly expires: Date
}

export interface Uploads {
  readonly largest: number | null
  create(actor: Actor, size: number, wish: UploadWish, origin: Origin): Promise<Upload>
  find(actor: Actor, id: string, origin: Origin): Promise<Upload>
  receive(actor: Actor, id: string, offset: number, piece: Piece, origin: Origin): Promise<Upload>
  remove(actor: Actor, id: string): Promise<void>
}

export interface UploadOptions {
  readonly storages: Storages
  readonly store: UploadStore
  readonly target: UploadTarget
  /** null: any size. */
  readonly largest: number | null
  /** Milliseconds without a piece. */
  readonly lifetime: number
  /** For tests; null otherwise. */
  readonly failpoints: Failpoints | null
}

interface Content extends UploadPlan {
  readonly size: number
}

const contentIn = ({ content }: Pick<StoredUpload, 'content'>) => JSON.parse(content) as Content
const stateIn = ({ state }: Pick<StoredUpload, 'state'>) => JSON.parse(state) as PieceState
const storageOf = (storages: Storages, { storage }: UploadPlan): Storage => {
  const found = storages.at(storage)
  if (found === undefined) throw new Error(`the storage ${storage} of an upload is not configured`)
  return found
}

/** 128 random bits. */
const ID = /^[\da-f]{32}$/u

/** Who begins an upload as nobody is known by its address alone. */
const PUBLIC = 'public'
const callerOf = ({ user }: Actor): string => user ?? PUBLIC

const shown = ({ id, file, remaining, content, state }: Omit<StoredUpload, 'isHeld'>): Upload => ({
  id,
  size: contentIn({ content }).size,
  offset: stateIn({ state }).size,
  file,
  expires: new Date(Date.now() + remaining),
})

/** Uploads in pieces, over many requests and replicas. A piece is stored before its offset is. */
export function createUploads(options: UploadOptions): Uploads {
  const { storages, store, target, largest, lifetime } = options
  return {
    largest,
    async create(actor, size, wish, origin) {
      const plan = await target.plan(actor, wish, origin)
      if (largest !== null && size > largest) throw new ServiceError('CONTENT_TOO_LARGE')
      const id = randomBytes(16).toString('hex')
      const state = JSON.stringify(storageOf(storages, plan).pieces.begin(id, plan.key))
      const content = JSON.stringify({ ...plan, size } satisfies Content)
      const upload = { id, kind: 'pieces', caller: callerOf(actor), content, state, remaining: lifetime }
      await store.create(upload)
      if (size > 0) return shown({ ...upload, file: null })
      return alone(options, actor, id, (held) => complete(options, actor, held, stateIn(held), origin))
    },
    async find(actor, id, origin) {
      const upload = await released(options, actor, id)
      return isLeft(upload)
        ? alone(options, actor, id, async (held) =>
            isLeft(held) ? complete(options, actor, held, stateIn(held), origin) : shown(held),
          )
        : shown(upload)
    },
    receive: (actor, id, offset, piece, origin) =>
      alone(options, actor, id, (held) => receive(options, actor, held, offset, piece, origin)),
    remove: (actor, id) =>
      alone(options, actor, id, async (held) => {
        await removeBytes(storages, target, held)
        await held.remove()
      }),
  }
}

/** How often, and how many milliseconds apart, the end of a piece is waited for. */
const LOOKS = 5
const PAUSE = 150

/**
 * An upload that nobody writes. A client that was cut off asks at once, and its last piece may still be on its way to the
 * storage: an offset told meanwhile would be too small.
 */
async function released(options: UploadOptions, actor: Actor, id: string): Promise<StoredUpload> {
  for (let looks = 1; ; looks += 1) {
    const upload = await find(options, actor, id)
    if (!upload.isHeld) return upload
    if (looks === LOOKS) throw refused('busy')
    await sleep(PAUSE)
  }
}

/** An upload of the caller. One that has expired goes at once, not only when its time comes. */
async function find(options: UploadOptions, actor: Actor, id: string): Promise<StoredUpload> {
  const upload = ID.test(id) ? await options.store.read(id) : null
  if (upload === null && ID.test(id)) await removeOneExpired(options, id)
  const isOwn = upload?.kind === 'pieces' && [PUBLIC, callerOf(actor)].includes(upload.caller)
  if (upload === null || !isOwn) throw refused('missing')
  return upload
}

/** The process that received the last byte did not live to make the file of it. */
function isLeft(upload: StoredUpload): boolean {
  const { offset, size, file } = shown(upload)
  return offset === size && file === null
}

/** Runs work that changes an upload, alone among all replicas. */
async function alone<T>(
  options: UploadOptions,
  actor: Actor,
  id: string,
  work: (upload: HeldUpload) => Promise<T>,
): Promise<T> {
  const { store } = options
  await find(options, actor, id)
  const held = await store.take(id)
  if (held === null) throw refused('missing')
  if (held === 'busy') throw refused('busy')
  try {
    return await work(held)
  } finally {
    await held.release()
  }
}

async function receive(
  options: UploadOptions,
  actor: Actor,
  held: HeldUpload,
  offset: number,
  piece: Piece,
  origin: Origin,
): Promise<Upload> {
  const before = stateIn(held)
  if (offset !== before.size) throw refused('offset')
  const { storages, lifetime, failpoints } = options
  const plan = contentIn(held)
  const keep = (state: PieceState) => held.keep(JSON.stringify(state), held.file, lifetime)
  const state = await between(failpoints, 'files.before-piece', 'files.after-piece', () =>
    receivePiece(storageOf(storages, plan), before, plan.size, piece, keep),
  )
  if (state.size === plan.size && held.file === null) return complete(options, actor, held, state, origin)
  return shown({ ...held, state: JSON.stringify(state), remaining: lifetime })
}

/** All bytes are there: they become a file, or nothing stays of them. */
async function complete(
  { storages, target, lifetime, failpoints }: UploadOptions,
  actor: Actor,
  held: HeldUpload,
  state: PieceState,
  origin: Origin,
): Promise<Upload> {
  const plan = contentIn(held)
  const storage = storageOf(storages, plan)
  try {
    await between(failpoints, 'files.before-finish', 'files.after-finish', () => storage.pieces.finish(state))
    // A process may have made the file and not lived to tell.
    const isDone = await target.isContent(plan)
    if (!isDone) await target.complete({ actor, origin, read: null, isDryRun: false }, plan)
  } catch (error) {
    // A refusal is final. Anything else may be repaired, and then the client only has to ask again.
    const isFinal = error instanceof ServiceError && error.status < 500
    if (isFinal || (await storage.size(plan.key)) === null) {
      await removeBytes(storages, target, held)
      await held.remove()
    }
    throw error
  }
  await held.keep(JSON.stringify(state), plan.file, lifetime)
  return shown({ ...held, state: JSON.stringify(state), file: plan.file, remaining: lifetime })
}

/** Also those of an object that was finished, but has not become a file. */
async function removeBytes(
  storages: Storages,
  target: UploadTarget,
  upload: Pick<StoredUpload, 'content' | 'state' | 'file'>,
): Promise<void> {
  if (upload.file !== null) return
  const plan = contentIn(upload)
  const storage = storages.at(plan.storage)
  await storage?.pieces.abort(stateIn(upload))
  if (plan.part !== undefined) await storage?.remove(plan.part)
  if (!(await target.isContent(plan))) await storage?.remove(plan.key)
}

export type ExpiryOptions = Pick<UploadOptions, 'storages' | 'store' | 'target'>

/** Removes what nobody has continued in time, and answers how many those were. */
export async function removeExpired(options: ExpiryOptions): Promise<number> {
  let removed = 0
  // The store tells some at a time.
  for (;;) {
    let ofThese = 0
    for (const id of await options.store.expired()) if (await removeOneExpired(options, id)) ofThese += 1
    if (ofThese === 0) return removed
    removed += ofThese
  }
}

async function removeOneExpired({ storages, store, target }: ExpiryOptions, id: string): Promise<boolean> {
  const held = await store.takeExpired(id)
  if (held === null) return false
  try {
    await removeBytes(storages, target, held)
    await held.remove()
    return true
  } finally {
    await held.release()
  }
}
