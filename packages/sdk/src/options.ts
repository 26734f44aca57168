/** Options of every call. */
export interface CallOptions {
  signal?: AbortSignal
  /** Milliseconds for the whole call, with its repetitions. 0: no limit. */
  timeout?: number
  /** How often a call that may be repeated is repeated. */
  retries?: number
  headers?: Readonly<Record<string, string>>
}

export interface WriteOptions extends CallOptions {
  /** Made up for each write that may be repeated; your own key makes a write safe across restarts of your program. */
  idempotencyKey?: string
  /** The write is answered as usual, and rolled back. */
  dryRun?: boolean
}
