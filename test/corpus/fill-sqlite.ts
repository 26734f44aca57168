// Generates rows for an empty SQLite file, with the same small numbers everywhere, so that references match a row.
import BetterSqlite from 'better-sqlite3'
import type { Column } from './model.ts'
import { openSqlite, quote } from './plain-sqlite.ts'
import { fieldType } from './wire-sqlite.ts'

const makers: Readonly<Record<string, (n: number, column: Column) => unknown>> = {
  integer: (n) => n,
  bigInteger: (n) => n,
  float: (n) => n + 0.25,
  decimal: (n) => n + 0.5,
  boolean: (n) => n % 2,
  date: (n) => `2024-0${n}-1${n}`,
  time: (n) => `0${n}:02:03`,
  dateTime: (n) => `2024-0${n}-1${n} 0${n}:02:03`,
  timestamp: (n) => `2024-0${n}-1${n} 0${n}:02:03.12345${n}`,
  binary: (n) => Buffer.from([0, 255, n]),
  json: (n) => JSON.stringify({ a: n }),
  unknown: (n) => n,
}

function valueOf(n: number, column: Column): unknown {
  const make = makers[fieldType(column)]
  if (make !== undefined) return make(n, column)
  const limit = Number(/\((\d+)\)/u.exec(column.type)?.[1] ?? 40)
  return limit < 3 ? 'YN'[n % 2] : `v${n} ünï "q" ${column.name}`.slice(0, limit).trim()
}

export async function fillSqlite(file: string, rows: number): Promise<void> {
  const plain = openSqlite(file)
  const database = new BetterSqlite(file)
  try {
    database.pragma('foreign_keys = off')
    for (const table of plain.tables.filter(({ kind }) => kind === 'table')) {
      const columns = table.columns.filter(({ isGenerated }) => !isGenerated)
      const names = columns.map(({ name }) => quote(name)).join(', ')
      const insert = database.prepare(
        `insert or ignore into ${table.sql} (${names}) values (${columns.map(() => '?').join(', ')})`,
      )
      const put = (n: number, isShort: boolean) =>
        insert.run(columns.map((column) => (isShort && column.isNullable ? null : valueOf(n, column))))
      // A CHECK constraint that rejects generated values may accept null.
      for (let n = 1; n <= rows; n += 1) if (put(n, false).changes === 0) put(n, true)
    }
  } finally {
    database.close()
    await plain.close()
  }
}
