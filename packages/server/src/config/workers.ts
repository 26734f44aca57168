import { fileInUrl } from '../sql/file-url.ts'
import { asNumber, type Rows } from './readers.ts'

export interface WorkerConfig {
  /** How many processes share the port. */
  readonly workers: number | 'auto'
  /** The number of this process among them; null: it is alone. */
  readonly worker: number | null
}

const MOST = 256

/** Several processes that write one file wait for one another more than they gain. */
export const allowsWorkers = (databaseUrl: string): boolean => fileInUrl(databaseUrl) === null

export const workerSettings: Rows<WorkerConfig> = {
  workers: {
    name: 'WORKERS',
    fallback: 1,
    read: (text) => (text === 'auto' ? 'auto' : asNumber(1, MOST)(text)),
    what: 'processes that share the port and DB_POOL_MAX; auto: one per core',
  },
  worker: {
    name: 'TAIN_WORKER',
    fallback: null,
    read: asNumber(1, MOST),
    what: 'number of this process among the workers; the process that started it sets it',
  },
}
