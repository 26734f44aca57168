import { setImmediate as turn } from 'node:timers/promises'
import { ServiceError } from '@tain/contract'
import type { Watch } from '../engine/watch.ts'
import { eventsOf } from './hub-events.ts'
import { hasOutdated, MOST_KEYS } from './hub-group.ts'
import { absorbHints, takeHints } from './hub-hints.ts'
import { deliver } from './hub-member.ts'
import type { Group, HubEvent } from './hub-model.ts'
import { findOutcomes, tooLarge } from './hub-outcomes.ts'

/** Works off the hints of groups: a few groups at a time, each with one statement for all that has gathered. */
export interface Runner {
  readonly schedule: (group: Group) => void
  readonly stop: () => Promise<void>
}

export interface RunnerOptions {
  readonly watch: Watch
  readonly positionText: (number: number) => string
  /** Brings callers and views to the newest versions. */
  readonly renew: () => Promise<void>
  /** The group cannot be told any more. */
  readonly onFailure: (group: Group, error: ServiceError) => void
  readonly onError: (error: unknown) => void
}

const AT_ONCE = 4
const MOST_FAILURES = 5
const LONGEST_PAUSE = 2000

export function createRunner(options: RunnerOptions): Runner {
  const waiting = new Set<Group>()
  const running = new Set<Promise<void>>()
  let isStopped = false

  const schedule = (group: Group) => {
    if (group.isRunning || group.pending.size === 0 || isStopped) return
    waiting.add(group)
    pump()
  }

  const again = (group: Group) => {
    group.isRunning = false
    if (group.members.size > 0) schedule(group)
  }

  function pump(): void {
    for (const group of waiting) {
      if (running.size >= AT_ONCE) return
      waiting.delete(group)
      group.isRunning = true
      const work = run(group, options).then((pause) => {
        running.delete(work)
        if (pause === 0) again(group)
        else setTimeout(() => again(group), pause).unref()
        pump()
      })
      running.add(work)
    }
  }

  return {
    schedule,
    async stop() {
      isStopped = true
      waiting.clear()
      await Promise.all(running)
    },
  }
}

/** Returns how many milliseconds the group has to wait for its next turn. */
async function run(group: Group, options: RunnerOptions): Promise<number> {
  const { watch, positionText, renew, onFailure } = options
  const hints = takeHints(group.pending, group.most)
  group.taken = hints
  for (const { key } of hints) group.pending.delete(key)
  try {
    const readAt = performance.now()
    const outcomes = hasOutdated(group) ? 'outdated' : await findOutcomes(hints, group.view, watch)
    // Everything begins anew: the positions of these belong to a log that is no more.
    if (group.taken !== hints) return 0
    if (outcomes === 'outdated') {
      giveBack(group)
      await renew()
    } else if (outcomes === 'too-large') {
      giveBack(group)
      if (hints.length > 1) group.most = Math.ceil(hints.length / 2)
      else onFailure(group, tooLarge())
    } else {
      group.failures = 0
      group.most = Math.min(MOST_KEYS, group.most * 2)
      const unfinished = new Set([...group.pending.values()].map(({ write }) => write))
      await fanOut(
        eventsOf(outcomes, { isOfItem: group.item !== null, positionText, readAt, unfinished }),
        group,
        hints,
      )
      group.taken = []
    }
    return 0
  } catch (error) {
    giveBack(group)
    return failed(group, error, options)
  }
}

/** While the database is away, what has to be told waits. Any other failure that stays is told. */
function failed(group: Group, error: unknown, { onError, onFailure }: RunnerOptions): number {
  onError(error)
  group.failures += 1
  const isAway = !(error instanceof ServiceError) || error.code === 'SERVICE_UNAVAILABLE'
  if (!isAway && group.failures >= MOST_FAILURES) onFailure(group, error)
  return Math.min(LONGEST_PAUSE, 50 * 2 ** group.failures)
}

/** What was taken is to be looked at again. */
function giveBack(group: Group): void {
  absorbHints(group.pending, group.taken)
  group.taken = []
}

/** Milliseconds: a read of somebody else waits for several turns. */
const TURN = 1
const CHECKED = 8

/** Tells events in turns, so that many subscriptions do not hold up anything else. */
async function fanOut(events: readonly HubEvent[], group: Group, hints: Group['taken']): Promise<void> {
  let began = performance.now()
  let count = 0
  for (const event of events) {
    for (const member of group.members) {
      if (group.taken !== hints) return
      // Who has left meanwhile has taken along what was not told.
      if (member.group === group) deliver(member, event)
      count += 1
      if (count % CHECKED !== 0 || performance.now() - began < TURN) continue
      await turn()
      began = performance.now()
    }
  }
}
