import type { Driver, Statement } from './driver.ts'

/** The same driver; statements end with a comment, for the logs of the database. null: without one. */
export function commentStatements(driver: Driver, comment: () => string | null): Driver {
  const commented = (statement: Statement): Statement => {
    const text = comment()
    if (text === null) return statement
    const { values, mostBytes } = statement
    // Without its name: every text is a new one, and preparing it would only fill the cache.
    return { text: `${statement.text} /*${text}*/`, values, ...(mostBytes === undefined ? {} : { mostBytes }) }
  }
  return {
    query: (statement, options) => driver.query(commented(statement), options),
    execute: (statement) => driver.execute(commented(statement)),
    stream: (statement, options) => driver.stream(commented(statement), options),
    transaction: (work, kind) =>
      driver.transaction((transaction) => work({ query: (each) => transaction.query(commented(each)) }), kind),
    get isReachable() {
      return driver.isReachable
    },
    stats: () => driver.stats(),
    close: () => driver.close(),
  }
}
