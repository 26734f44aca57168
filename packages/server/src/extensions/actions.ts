import type { EventLog, LogHead } from '../events/event-log.ts'
import type { LoggedChange } from '../events/logged-change.ts'
import type { Observe } from '../observe.ts'
import type { Lease } from '../schema/lease.ts'
import type { Transaction } from '../sql/driver.ts'
import type { Cursor, CursorStore } from '../store/cursors.ts'
import type { ChangeEvent, Values } from './api.ts'
import type { ActionHook, RegisteredExtension } from './registered.ts'
import { runCode } from './run.ts'
import { createSignal, type Signal } from './signal.ts'
import { systemItems, type ItemsServices } from './system-items.ts'

export interface ActionServices extends ItemsServices {
  readonly log: EventLog
  readonly cursors: CursorStore
  /** null: another replica has it. */
  readonly takeLease: (name: string) => Promise<Lease | null>
  readonly inTransaction: <T>(work: (transaction: Transaction) => Promise<T>) => Promise<T>
  readonly timeout: number
  readonly observe: Observe
}

export interface ActionRunner {
  /** From here on no change is missed. */
  readonly prepare: () => Promise<void>
  readonly start: () => void
  /** Waits for the hooks that run. */
  readonly stop: () => Promise<void>
}

const MOST = 100
/** Pauses, in milliseconds. */
const LEASE_PAUSE = 3000
const IDLE_PAUSE = 15_000
const FIRST_RETRY = 1000
const LONGEST_RETRY = 300_000
/** Events that came since the cursor was kept come again after a crash. */
const KEPT_EACH = 1000
/** How far a hook without events has come, so that it does not seem to have missed what it never wanted. */
const KEPT_IDLE = 60_000

/** Tells the action hooks of one extension what was committed: on one replica at a time, each at its own pace. */
export function createActionRunner({ name, actions }: RegisteredExtension, services: ActionServices): ActionRunner {
  const { log, observe } = services
  const stopping = new AbortController()
  const ended = createSignal(stopping.signal)
  let running: Promise<void> | null = null

  /** Hooks end together, before another replica may have the lease. */
  async function turn(): Promise<void> {
    const lease = await services.takeLease(`extension ${name}`)
    if (lease === null) return
    const over = new AbortController()
    const stop = AbortSignal.any([stopping.signal, over.signal])
    const signal = createSignal(stop)
    const unlisten = log.onNews(signal.tell)
    const of = { extension: name, lease, signal, stop, services }
    const hooks = actions.map((hook) => follow(hook, of).finally(() => over.abort()))
    await Promise.allSettled(hooks)
    unlisten()
    await lease.release()
    await Promise.all(hooks)
  }

  let isPrepared = false
  async function prepare(): Promise<void> {
    if (isPrepared) return
    await log.capture([...new Set(actions.map(({ collection }) => collection))])
    await log.heard()
    for (const hook of actions) await begin(hook, services)
    isPrepared = true
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await prepare()
        await turn()
      } catch (error) {
        observe({ kind: 'extension-delayed', extension: name, error })
      }
      await ended.pause(LEASE_PAUSE)
    }
  }

  return {
    prepare,
    start() {
      running = run()
    },
    async stop() {
      stopping.abort()
      await running
    },
  }
}

interface Following {
  readonly extension: string
  readonly lease: Lease
  readonly signal: Signal
  readonly stop: AbortSignal
  readonly services: ActionServices
}

/** Works off the log for one hook until the lease is lost, which throws, or the service stops. */
async function follow(hook: ActionHook, of: Following): Promise<void> {
  const { signal, stop, lease, services } = of
  const { log } = services
  const keeper = createKeeper(hook, of)
  let cursor = await startOf(hook, of)
  for (;;) {
    lease.assertHeld()
    const count = signal.count()
    const head = await log.head()
    cursor = within(cursor, head, hook, of)
    const changes =
      cursor.position < head.number
        ? await log.changes({ after: cursor.position, upTo: head.number, most: MOST, collection: hook.collection })
        : []
    for (const change of changes) {
      if (!(await deliver(hook, change, cursor, keeper, of))) return
      cursor = { ...cursor, position: change.position }
      await keeper.keep(cursor, KEPT_EACH)
    }
    if (changes.length < MOST) cursor = { ...cursor, position: Math.max(cursor.position, head.number) }
    await keeper.keep(cursor, changes.length > 0 ? 0 : KEPT_IDLE)
    if (stop.aborted) return keeper.keep(cursor, 0)
    if (changes.length < MOST) await signal.next(count, IDLE_PAUSE)
  }
}

interface Keeper {
  /** Keeps a cursor unless one was kept less than so many milliseconds ago. */
  readonly keep: (cursor: Cursor, interval: number) => Promise<void>
}

function createKeeper({ cursor: name }: ActionHook, { lease, services }: Following): Keeper {
  const { cursors, inTransaction } = services
  let kept: Cursor | null = null
  let last = performance.now()
  return {
    async keep(cursor, interval) {
      if (kept?.epoch === cursor.epoch && kept.position === cursor.position) return
      if (performance.now() - last < interval) return
      await inTransaction(async (transaction) => {
        await lease.confirm(transaction)
        await cursors.keep(name, cursor, transaction)
      })
      last = performance.now()
      kept = cursor
    },
  }
}

/** A hook that was never here begins with what happens from now on. */
async function begin({ cursor: name }: ActionHook, { log, cursors, inTransaction }: ActionServices): Promise<void> {
  if ((await cursors.read(name)) !== null) return
  const { epoch, number: position } = await log.head()
  await inTransaction((transaction) => cursors.keep(name, { epoch, position }, transaction))
}

async function startOf(hook: ActionHook, of: Following): Promise<Cursor> {
  const { log, cursors } = of.services
  const stored = await cursors.read(hook.cursor)
  if (stored === null) throw new Error(`the cursor "${hook.cursor}" is gone`)
  const since = await log.capturedSince(hook.collection)
  if (since !== null && stored.position < since) tellLoss(hook, stored.position, since, of)
  return stored
}

/** The log may have been cut, or begun anew, since the cursor was kept. */
function within(cursor: Cursor, { epoch, number, oldest }: LogHead, hook: ActionHook, of: Following): Cursor {
  const isSame = cursor.epoch === epoch
  if (isSame && cursor.position >= oldest && cursor.position <= number) return cursor
  const position = Math.min(number, Math.max(oldest, cursor.position))
  tellLoss(hook, cursor.position, position, of)
  return { epoch, position }
}

const tellLoss = (hook: ActionHook, from: number, to: number, { extension, services }: Following) =>
  services.observe({ kind: 'extension-missed', extension, hook: hookName(hook), from, to })

const hookName = ({ collection }: ActionHook) => `action ${collection}`

/** Tries until the hook takes the change. False: the service stops first. */
async function deliver(
  hook: ActionHook,
  change: LoggedChange,
  cursor: Cursor,
  keeper: Keeper,
  { extension, lease, signal, stop, services }: Following,
): Promise<boolean> {
  if (change.kind === 'heard' || !hook.actions.has(change.kind)) return true
  const code = { extension, hook: hookName(hook) }
  const event = eventOf(change, change.kind)
  const items = systemItems(extension, services)
  for (let tries = 1; !stop.aborted; tries += 1) {
    lease.assertHeld()
    try {
      await runCode(code, services.timeout, (over) => hook.run(event, { items, signal: over }), stop)
      return true
    } catch (error) {
      const wait = Math.min(LONGEST_RETRY, FIRST_RETRY * 2 ** (tries - 1))
      services.observe({ kind: 'extension-retries', ...code, position: change.position, tries, wait, error })
      await keeper.keep(cursor, 0)
      await signal.pause(wait)
    }
  }
  return false
}

const rowIn = (text: string | null) => (text === null ? null : (JSON.parse(text) as Values))

const eventOf = (
  { collection, key, before, after, user, at, position }: LoggedChange,
  kind: ChangeEvent['action'],
): ChangeEvent => ({
  collection,
  action: kind,
  key,
  before: rowIn(before),
  after: rowIn(after),
  user,
  at,
  position,
})
