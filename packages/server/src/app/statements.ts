import { performance } from 'node:perf_hooks'
import type { Config } from '../config.ts'
import { beginStage, currentRequest } from '../lib/request-context.ts'
import type { Observe } from '../observe.ts'
import type { Database } from '../sql/database.ts'
import type { Driver } from '../sql/driver.ts'
import { commentStatements } from '../sql/comment-statements.ts'
import { watchStatements, type StatementWatch } from '../sql/watch-statements.ts'

type Watching = Pick<Config, 'slowStatement' | 'hasServerTiming' | 'hasTraceComments'> & { readonly isTraced: boolean }

/** Measures the statements of requests if a setting asks for it; the database itself otherwise. */
export function watchedDatabase(database: Database, config: Watching, observe: Observe): Database {
  const { slowStatement, hasServerTiming, hasTraceComments, isTraced } = config
  if (slowStatement === null && !hasServerTiming && !isTraced) return database
  const watch = createWatch(slowStatement ?? Infinity, observe)
  const watched = (driver: Driver) =>
    watchStatements(hasTraceComments && isTraced ? commentStatements(driver, traceComment) : driver, watch)
  const { driver, readers } = database
  return {
    ...database,
    driver: watched(driver),
    readers: readers === null ? null : { ...readers, driver: watched(readers.driver) },
  }
}

/** As sqlcommenter writes it. The identity consists of hexadecimal digits and dashes. */
function traceComment(): string | null {
  const traceparent = currentRequest()?.traceparent ?? null
  return traceparent === null ? null : `traceparent='${traceparent}'`
}

const createWatch =
  (slowest: number, observe: Observe): StatementWatch =>
  (kind, text) => {
    const began = performance.now()
    const endStage = beginStage(kind, text)
    return (error) => {
      endStage(error)
      const milliseconds = performance.now() - began
      if (milliseconds >= slowest) observe({ kind: 'statement-slow', text, milliseconds })
    }
  }
