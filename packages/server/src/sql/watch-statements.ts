import type { Driver, Row, Statement, Transaction } from './driver.ts'

/** Called when a statement is sent, with its text alone: values are never told. The result is called at its end. */
export type StatementWatch = (kind: 'query' | 'commit', text: string) => (error?: unknown) => void

/** The same driver; every statement is reported. The time that a statement waits for a connection counts. */
export function watchStatements(driver: Driver, watch: StatementWatch): Driver {
  const watched = async <T>({ text }: Statement, run: () => Promise<T>): Promise<T> => {
    const end = watch('query', text)
    try {
      const result = await run()
      end()
      return result
    } catch (error) {
      end(error)
      throw error
    }
  }
  return {
    query: (statement, options) => watched(statement, () => driver.query(statement, options)),
    execute: (statement) => watched(statement, () => driver.execute(statement)),
    stream: (statement, options) => streamed(driver.stream(statement, options), (first) => watched(statement, first)),
    transaction: (work, kind) => watchedTransaction(driver, work, kind, { watch, watched }),
    get isReachable() {
      return driver.isReachable
    },
    stats: () => driver.stats(),
    close: () => driver.close(),
  }
}

type Watched = <T>(statement: Statement, run: () => Promise<T>) => Promise<T>

async function watchedTransaction<T>(
  driver: Driver,
  work: (transaction: Transaction) => Promise<T>,
  kind: Parameters<Driver['transaction']>[1],
  { watch, watched }: { readonly watch: StatementWatch; readonly watched: Watched },
): Promise<T> {
  let end: ReturnType<StatementWatch> | null = null
  try {
    const result = await driver.transaction(async (transaction) => {
      const found = await work({ query: (statement) => watched(statement, () => transaction.query(statement)) })
      end = watch('commit', 'commit')
      return found
    }, kind)
    ;(end as ReturnType<StatementWatch> | null)?.()
    return result
  } catch (error) {
    ;(end as ReturnType<StatementWatch> | null)?.(error)
    throw error
  }
}

/** Only the first batch is the time of the database: the reader decides when it takes the others. */
async function* streamed(
  batches: AsyncIterable<readonly Row[]>,
  watched: <T>(first: () => Promise<T>) => Promise<T>,
): AsyncGenerator<readonly Row[]> {
  const rest = batches[Symbol.asyncIterator]()
  try {
    let next = await watched(() => rest.next())
    while (next.done !== true) {
      yield next.value
      next = await rest.next()
    }
  } finally {
    await rest.return?.()
  }
}
