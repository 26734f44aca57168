// The databases of the benchmark, each by the driver that Tain uses too: what the bare side asks them, and how they are filled.
const STEP = 1000

async function postgres(url) {
  const { default: pg } = await import('pg')
  const pool = new pg.Pool({ connectionString: url, max: Number(process.env.POOL ?? 10) })
  return { ask: (name, text, values) => pool.query({ name, text, values, rowMode: 'array' }).then((result) => result.rows[0][0]) }
}

async function mysql(url) {
  const { default: mysql2 } = await import('mysql2')
  const pool = mysql2.createPool({ uri: url, connectionLimit: Number(process.env.POOL ?? 10), rowsAsArray: true, jsonStrings: true, charset: 'UTF8MB4_BIN', timezone: 'Z' })
  pool.on('connection', (connection) => connection.query("set session time_zone = '+00:00', session group_concat_max_len = 1073741824"))
  const promised = pool.promise()
  const quote = (name) => `\`${name}\``
  return {
    ask: (_name, text, values) => new Promise((resolve, reject) => pool.query(text, values, (error, rows) => (error ? reject(error) : resolve(rows[0][0])))),
    quote,
    // The collation of what JSON functions give, so that texts can be joined.
    prepare: () => promised.query('alter database character set utf8mb4 collate utf8mb4_bin'),
    words: { key: 'int auto_increment primary key', moment: 'timestamp(3) not null default current_timestamp(3)', analyze: (names) => `analyze table ${names.join(', ')}` },
    run: (text) => promised.query(text),
    async fill(table, columns, count, row) {
      for (let first = 1; first <= count; first += STEP) {
        const rows = Array.from({ length: Math.min(STEP, count - first + 1) }, (_, k) => row(first + k))
        await promised.query(`insert into ${table} (${columns.map(quote).join(', ')}) values ?`, [rows])
      }
    },
    close: () => promised.end(),
  }
}

async function sqlite(url) {
  const { default: Database } = await import('better-sqlite3')
  const database = new Database(url.slice('sqlite:'.length))
  database.pragma('journal_mode = wal')
  const prepared = new Map()
  const quote = (name) => `"${name}"`
  return {
    ask(name, text, values) {
      if (!prepared.has(name)) prepared.set(name, database.prepare(text).pluck())
      return prepared.get(name).get(values)
    },
    quote,
    words: { key: 'integer primary key', moment: 'timestamp not null default current_timestamp', analyze: () => 'analyze' },
    run: (text) => database.exec(text),
    fill(table, columns, count, row) {
      const insert = database.prepare(`insert into ${table} (${columns.map(quote).join(', ')}) values (${columns.map(() => '?').join(', ')})`)
      database.transaction(() => { for (let i = 1; i <= count; i++) insert.run(row(i)) })()
    },
    close: () => database.close(),
  }
}

const engines = { 'postgres:': postgres, 'postgresql:': postgres, 'mysql:': mysql, 'sqlite:': sqlite }

export const dialectOf = (url) => engines[new URL(url).protocol].name
export const databaseOf = (url) => engines[new URL(url).protocol](url)
