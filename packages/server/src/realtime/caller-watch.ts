import { ServiceError } from '@tain/contract'
import type { Observe } from '../observe.ts'
import type { Caller, Callers } from './callers.ts'

/** Which proofs of one kind still hold. */
export type Holding = (kind: 'login' | 'session' | 'token', keys: readonly string[]) => Promise<ReadonlySet<string>>

/** Somebody who has to learn when the credentials of a caller end. */
export interface Watched {
  readonly caller: Caller
  /** The user was suspended or deleted, the session has ended, or the token was replaced. */
  readonly lost: () => void
}

/** Notices within a second that credentials of open connections have ended. */
export interface CallerWatch {
  /** Returns what ends that. */
  readonly add: (watched: Watched) => () => void
  readonly start: () => void
  readonly stop: () => Promise<void>
}

const INTERVAL = 400
const KINDS = ['login', 'session', 'token'] as const

/** One statement for all logins, one for all sessions and one for all static tokens, however many connections there are. */
export function createCallerWatch(callers: Pick<Callers, 'confirm'>, holding: Holding, observe: Observe): CallerWatch {
  /** By kind, then by key: connections of one login share an entry. */
  const watched = new Map(KINDS.map((kind) => [kind as string, new Map<string, Set<Watched>>()]))
  let timer: NodeJS.Timeout | null = null
  let running: Promise<void> = Promise.resolve()
  let isStopped = false

  async function checkKind(kind: (typeof KINDS)[number]): Promise<void> {
    const byKey = watched.get(kind)
    if (byKey === undefined || byKey.size === 0) return
    const holds = await holding(kind, [...byKey.keys()])
    for (const [key, all] of byKey) {
      const [first] = all
      if (first === undefined || holds.has(key) || !(await hasEnded(first.caller, callers))) continue
      for (const each of all) each.lost()
    }
  }

  async function check(): Promise<void> {
    for (const kind of KINDS) await checkKind(kind)
  }

  function plan(): void {
    if (isStopped) return
    timer = setTimeout(() => {
      running = check()
        .catch((error: unknown) => observe({ kind: 'realtime-failed', what: 'callers', error }))
        .finally(plan)
    }, INTERVAL)
    timer.unref()
  }

  return {
    add(each) {
      const { proof } = each.caller
      const byKey = proof === null ? undefined : watched.get(proof.kind)
      if (proof === null || byKey === undefined) return () => undefined
      const same = byKey.get(proof.key) ?? new Set()
      byKey.set(proof.key, same.add(each))
      return () => {
        same.delete(each)
        if (same.size === 0 && byKey.get(proof.key) === same) byKey.delete(proof.key)
      }
    },
    start: plan,
    async stop() {
      isStopped = true
      if (timer !== null) clearTimeout(timer)
      await running
    },
  }
}

/** The list may be older than a connection that has just signed in, so one of them is asked for itself. */
async function hasEnded(caller: Caller, callers: Pick<Callers, 'confirm'>): Promise<boolean> {
  try {
    await callers.confirm(caller)
    return false
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    // What has merely run out is told by its connection.
    return (error.status === 401 || error.status === 403) && error.code !== 'TOKEN_EXPIRED'
  }
}
