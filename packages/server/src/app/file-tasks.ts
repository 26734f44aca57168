import type { Files } from '../files/files.ts'
import { sweep } from '../files/sweep.ts'
import { removeExpired } from '../files/uploads/uploads.ts'
import { parseSchedule } from '../lib/schedule.ts'
import type { AppContext } from './context.ts'
import { createTasks, type Task, type Tasks } from './tasks.ts'

const tasksOf = (
  { config }: AppContext,
  { storages, rows, uploadStore: store, uploadTarget: target }: Files,
): readonly Pick<Task, 'name' | 'schedule' | 'run'>[] => [
  {
    name: 'expired uploads',
    schedule: parseSchedule(config.resumableCleanup),
    run: () => removeExpired({ storages, store, target }),
  },
  {
    name: 'orphans of files',
    schedule: parseSchedule('17 3 * * *'),
    run: () => sweep({ storages, rows, store, age: config.orphanAge }),
  },
]

/** What the service does with files by itself. */
export const createFileTasks = (context: AppContext, files: Files | null): Tasks =>
  createTasks(
    context,
    (files === null ? [] : tasksOf(context, files)).map((task) => ({
      ...task,
      onFailed: (error) => context.observe({ kind: 'file-task-failed', task: task.name, error }),
    })),
  )
