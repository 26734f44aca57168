import { nextTime, type Schedule } from '../lib/schedule.ts'
import { takeLease } from '../schema/lease.ts'
import type { AppContext } from './context.ts'

/** Work that repeats, on one replica at a time. */
export interface Task {
  /** The same on all replicas, and different for all tasks. */
  readonly name: string
  readonly schedule: Schedule | null
  /** `time` is the one that the schedule names. */
  readonly run: (time: Date, stop: AbortSignal) => Promise<unknown>
  readonly onFailed: (error: unknown) => void
}

export interface Tasks {
  readonly start: () => void
  /** Waits for what runs. */
  readonly stop: () => Promise<void>
}

/** Timers take no longer ones. */
const LONGEST_TIMER = 2 ** 31 - 1

export function createTasks(
  { database, systemSchema }: Pick<AppContext, 'database' | 'systemSchema'>,
  tasks: readonly Task[],
): Tasks {
  const timers = new Map<Task, NodeJS.Timeout>()
  const running = new Set<Promise<void>>()
  const stopping = new AbortController()

  async function runAlone(task: Task, time: Date): Promise<void> {
    const lease = await takeLease(database, systemSchema, task.name, 0)
    if (lease === null) return
    try {
      await task.run(time, stopping.signal)
    } finally {
      await lease.release()
    }
  }

  function plan(task: Task): void {
    const time = task.schedule === null || stopping.signal.aborted ? null : nextTime(task.schedule, new Date())
    if (time === null) return
    const wait = Math.min(LONGEST_TIMER, time.getTime() - Date.now())
    const timer = setTimeout(() => {
      if (Date.now() < time.getTime()) return plan(task)
      const work = runAlone(task, time)
        .catch(task.onFailed)
        .finally(() => {
          running.delete(work)
          plan(task)
        })
      running.add(work)
    }, wait)
    timer.unref()
    timers.set(task, timer)
  }

  return {
    start() {
      for (const task of tasks) plan(task)
    },
    async stop() {
      stopping.abort()
      for (const timer of timers.values()) clearTimeout(timer)
      await Promise.all(running)
    },
  }
}
