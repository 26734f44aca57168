import { shopStatements, valueOf } from '../../demo/shop-tables.ts'

/** The form that every version reads: without the letters of ISO 8601. */
const moment = (cell: string | null): string | null =>
  cell !== null && /^\d{4}-\d{2}-\d{2}T[\d:]{8}Z$/u.test(cell) ? cell.replace('T', ' ').slice(0, -1) : cell

export const shop = shopStatements({
  countTables: 'select count(*) from information_schema.tables where table_schema = database()',
  key: 'integer auto_increment primary key',
  moment: 'timestamp default current_timestamp',
  tableOptions: ' character set utf8mb4',
  insertRows: (table, rows) => {
    const lines = rows.map((row) => `(${row.map(() => '?').join(', ')})`)
    return { text: `insert into \`${table}\` values ${lines.join(', ')}`, values: rows.flat().map(valueOf).map(moment) }
  },
  finish: () => [],
})
