import { shopStatements } from '../../demo/shop-tables.ts'

export const shop = shopStatements({
  countTables: `select count(*) from sqlite_schema where type in ('table', 'view')`,
  key: 'integer primary key',
  moment: 'timestamp',
  // The rows are one JSON value.
  insertRows: (table, rows) => {
    const cells = Array.from({ length: rows[0]?.length ?? 0 }, (_, at) => `json_extract(value, '$[${at}]')`)
    const text = `insert into "${table}" select ${cells.join(', ')} from json_each(?)`
    return { text, values: [JSON.stringify(rows)] }
  },
  // Leaves one file that needs no other beside it.
  finish: () => ['pragma journal_mode = delete'],
})
