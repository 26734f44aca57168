import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseError } from '../sql/driver.ts'
import { AT_ONCE } from '../sql/service/events.ts'
import type { Sequencer } from './sequencer.ts'

export interface FollowOptions {
  readonly sequencer: Sequencer
  /** Whether something waits for a position; tells the listeners if the head has moved. */
  readonly look: () => Promise<boolean>
  /** Changes have got positions. */
  readonly onMoved: () => void
  /** Whether anybody would miss it if nobody looked. */
  readonly isWatched: () => boolean
  readonly onFailure: (error: unknown) => void
}

/** Gives positions soon after each commit, and looks from time to time for what others have committed. */
export interface Following {
  readonly hurry: () => void
  /** Resolves once everything that is committed now has a position, or does not get one in time. */
  readonly settled: () => Promise<void>
  readonly start: () => void
  readonly stop: () => Promise<void>
}

/** Between two looks: so long after something was new, and so long at most. */
const SHORTEST = 50
const LONGEST = 1000
/** Milliseconds between two beginnings while changes stream in: those that come together cost the writers less. */
const SPACING = 20
/** So many at once are a stream. */
const STREAM = 8
/** Somebody else gives positions, but may not have seen the latest commit. */
const OTHER_IS_AT_IT = 4
const MOST_TRIES = 100

export function createFollowing({ sequencer, look, onMoved, isWatched, onFailure }: FollowOptions): Following {
  const state: FollowState = { isStopped: false, isWanted: false, moved: 0, pause: SHORTEST }
  let running: Promise<void> | null = null
  const nextTurn = createSpacing(() => state.moved >= STREAM)
  const failed = (error: unknown) => {
    if (!(error instanceof DatabaseError)) onFailure(error)
  }

  /** One at a time; whoever asks meanwhile gets one more. */
  const hurry = () => {
    state.isWanted = true
    running ??= sequence().finally(() => {
      running = null
      // One may have asked after the last look.
      if (state.isWanted && !state.isStopped) hurry()
    })
  }

  async function sequence(): Promise<void> {
    while (state.isWanted && !state.isStopped) {
      await nextTurn()
      state.isWanted = false
      try {
        const moved = await sequencer.step()
        state.moved = moved ?? 0
        if (moved === null) setTimeout(hurry, OTHER_IS_AT_IT).unref()
        else if (moved > 0) {
          state.isWanted = true
          state.pause = SHORTEST
          onMoved()
        }
      } catch (error) {
        // The next look finds what waits.
        return failed(error)
      }
    }
  }

  const looks = createLooks(
    state,
    async () => {
      if (isWatched() && (await look())) hurry()
    },
    failed,
  )

  return {
    hurry,
    settled: () => settled(sequencer, onMoved),
    start: looks.start,
    async stop() {
      state.isStopped = true
      looks.stop()
      await running
    },
  }
}

interface FollowState {
  isStopped: boolean
  isWanted: boolean
  /** How many changes got positions at last. */
  moved: number
  /** Milliseconds until the next look. */
  pause: number
}

/** Looks again and again, more rarely the longer nothing is new. */
function createLooks(state: FollowState, work: () => Promise<void>, failed: (error: unknown) => void) {
  let timer: NodeJS.Timeout | null = null
  const start = () => {
    if (state.isStopped) return
    timer = setTimeout(() => void turn(), state.pause)
    timer.unref()
  }
  async function turn(): Promise<void> {
    state.pause = Math.min(LONGEST, state.pause * 2)
    await work().catch(failed)
    start()
  }
  return { start, stop: () => (timer === null ? undefined : clearTimeout(timer)) }
}

function createSpacing(isStreaming: () => boolean): () => Promise<void> {
  let began = -SPACING
  return async () => {
    const pause = began + SPACING - performance.now()
    if (pause > 0 && isStreaming()) await sleep(pause)
    began = performance.now()
  }
}

async function settled(sequencer: Sequencer, onMoved: () => void): Promise<void> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const moved = await sequencer.step()
    if (moved !== null && moved > 0) onMoved()
    if (moved !== null && moved < AT_ONCE) return
    if (moved === null) await sleep(OTHER_IS_AT_IT)
  }
}
