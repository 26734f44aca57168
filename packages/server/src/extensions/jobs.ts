import type { Schedule } from '../lib/schedule.ts'
import type { CursorStore } from '../store/cursors.ts'
import type { Transaction } from '../sql/driver.ts'
import type { RegisteredExtension } from './registered.ts'
import { runCode, type Code } from './run.ts'
import { systemItems, type ItemsServices } from './system-items.ts'

/** Work at certain times, on one replica at a time. */
export interface JobTask extends Code {
  readonly name: string
  readonly schedule: Schedule
  readonly run: (time: Date, stop: AbortSignal) => Promise<void>
}

export interface JobServices extends ItemsServices {
  readonly cursors: CursorStore
  readonly inTransaction: <T>(work: (transaction: Transaction) => Promise<T>) => Promise<T>
  readonly timeout: number
}

/** The jobs of extensions. A replica that comes late finds that the time was taken, so none runs twice. */
export const jobTasks = (extensions: readonly RegisteredExtension[], services: JobServices): readonly JobTask[] =>
  extensions.flatMap(({ name: extension, jobs }) =>
    jobs.map(({ name, schedule, timeout, run }) => {
      const task = `extension ${extension} job ${name}`
      const code: Code = { extension, hook: `job ${name}` }
      return {
        ...code,
        name: task,
        schedule,
        run: async (time: Date, stop: AbortSignal) => {
          if (!(await isFirst(task, time, services))) return
          const items = systemItems(extension, services)
          await runCode(code, timeout ?? services.timeout, (signal) => run({ items, signal, time }), stop)
        },
      }
    }),
  )

async function isFirst(task: string, time: Date, { cursors, inTransaction }: JobServices): Promise<boolean> {
  const last = await cursors.read(task)
  if (last !== null && last.position >= time.getTime()) return false
  await inTransaction((transaction) => cursors.keep(task, { epoch: '', position: time.getTime() }, transaction))
  return true
}
