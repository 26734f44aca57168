import { MASK } from '@tain/contract'
import type { ConnectionOptions } from 'mysql2'
import mysql2 from 'mysql2'
import { statementOf, type ConnectOptions } from '../../database.ts'
import type { Dialect } from '../../dialect.ts'
import { DatabaseError, type Driver, type Row, type Statement } from '../../driver.ts'
import type { LogicalSource, LogPlace, Obstacle, OutsideReader, Unheard } from '../../outside.ts'
import { sql, table, type Sql } from '../../sql.ts'
import { comparePositions, fileNumber, positionText, readPosition, type BinlogPosition } from './binlog-position.ts'
import { withMasked } from './json.ts'
import { LOST } from './outside-place.ts'
import { readBinlog, stampOf } from './outside-reader.ts'
import { createScope } from './outside-tables.ts'
import { connectionOptions } from './session.ts'

const FACTS: Statement = {
  text: `select if(version() like '%mariadb%', 1, 0), @@global.log_bin, @@global.binlog_format, @@session.binlog_format,
    @@global.binlog_row_image, @@global.binlog_row_metadata`,
  values: [],
}

/** Those of the user's roles are shown too; the catalogue does not show them. */
const GRANTS: Statement = { text: 'show grants', values: [] }
const USER: Statement = {
  text: `select left(current_user(), char_length(current_user()) - char_length(h.host) - 1), h.host
    from (select substring_index(current_user(), '@', -1) as host) h`,
  values: [],
}
const NEEDED = ['REPLICATION SLAVE', 'BINLOG MONITOR'] as const

const END: Statement = { text: 'show master status', values: [] }
const FILES: Statement = { text: 'show binary logs', values: [] }
const SERVER: Statement = { text: 'select @@hostname, @@port', values: [] }

const isOn = (text: string | null | undefined) => text === '1' || text === 'ON'

/** The settings that are wrong, each with the statement that changes it. */
function obstacleIn([isMariadb, isLogged, format, ownFormat, image, metadata]: Row): Obstacle | null {
  if (isMariadb !== '1') return { reason: 'the binary log is read from MariaDB only', statements: [] }
  if (!isOn(isLogged))
    return {
      reason: 'the server keeps no binary log: set log_bin and server_id in its configuration, and restart it',
      statements: [],
    }
  const wrong = [
    { name: 'binlog_format', isRight: format === 'ROW', statement: `set global binlog_format = 'ROW'` },
    { name: 'binlog_row_image', isRight: image === 'FULL', statement: `set global binlog_row_image = 'FULL'` },
    {
      name: 'binlog_row_metadata',
      isRight: metadata === 'FULL',
      statement: `set global binlog_row_metadata = 'FULL'`,
    },
  ].filter(({ isRight }) => !isRight)
  if (wrong.length > 0)
    return {
      reason: `${wrong.map(({ name }) => name).join(', ')} must be ${format === 'ROW' ? 'FULL' : 'ROW, and the others FULL'}; programs keep the old value until they connect anew`,
      statements: wrong.map(({ statement }) => statement),
    }
  if (ownFormat !== 'ROW')
    return {
      reason: 'connections from before binlog_format was ROW are still in use: restart the service',
      statements: [],
    }
  return null
}

async function findObstacle(driver: Driver): Promise<Obstacle | null> {
  const [facts] = await driver.query(FACTS)
  const found = facts === undefined ? null : obstacleIn(facts)
  if (found !== null) return found
  const grants = (await driver.query(GRANTS)).map(
    ([text]) => /^grant (.+?) on \*\.\* to /iu.exec(text ?? '')?.[1] ?? '',
  )
  const granted = new Set(grants.flatMap((text) => text.split(', ')))
  const missing = granted.has('ALL PRIVILEGES') ? [] : NEEDED.filter((name) => !granted.has(name))
  if (missing.length === 0) return null
  const quoted = ((await driver.query(USER))[0] ?? []).map((part) => `'${(part ?? '').replaceAll("'", "''")}'`)
  return {
    reason: `the user may not read the binary log: it lacks ${missing.join(' and ')}`,
    statements: [`grant ${missing.join(', ').toLowerCase()} on *.* to ${quoted.join('@')}`],
  }
}

async function endOf(driver: Driver): Promise<BinlogPosition> {
  const [row] = await driver.query(END)
  if (row === undefined) throw new DatabaseError('unavailable', 'the server keeps no binary log')
  return { file: row[0] ?? '', offset: Number(row[1]), stamp: '' }
}

/** The server holds nothing back for the service: what lies behind is what it happens to have. */
async function placeOf(driver: Driver, reached: string | null, confirmed: string | null): Promise<LogPlace> {
  const position = reached ?? confirmed
  if (position === null) return { state: 'ready', confirmed, behind: null }
  const { file, offset } = readPosition(position)
  const files = (await driver.query(FILES)).map(([name, size]) => ({ name: name ?? '', size: Number(size) }))
  const own = files.find(({ name }) => name === file)
  if (own === undefined || own.size < offset) return { state: 'lost', confirmed, behind: null }
  const later = files.filter(({ name }) => fileNumber(name) > fileNumber(file))
  return { state: 'ready', confirmed, behind: later.reduce((sum, { size }) => sum + size, own.size - offset) }
}

/** The one of the servers that the driver uses: each has a log of its own. */
async function serverInUse(configs: readonly [ConnectionOptions, ...ConnectionOptions[]], driver: Driver) {
  const [first, ...others] = configs
  if (others.length === 0) return first
  const [wanted] = await driver.query(SERVER)
  for (const config of configs) {
    const found = await new Promise<readonly unknown[] | null>((resolve) => {
      const wire = mysql2.createConnection({ ...config, rowsAsArray: true })
      const end = (row: readonly unknown[] | null) => {
        wire.destroy()
        resolve(row)
      }
      wire.on('error', () => end(null))
      wire.query(SERVER.text, (error, rows) => end(error === null ? ((rows as unknown[][])[0] ?? null) : null))
    })
    if (found !== null && found.every((value, index) => String(value) === wanted?.[index])) return config
  }
  throw new DatabaseError('unavailable', 'the server in use is not among those of the URL')
}

const masked = (row: Sql, secrets: readonly string[]): Sql =>
  secrets.length === 0 ? row : withMasked(row, secrets, MASK)

/** A row that is never seen: its transaction removes it. Only the log has it. */
const BEAT = {
  begin: (schema: string) =>
    sql`insert into ${table(schema, 'service_outbox')} (${sql.id('write')}, collection, item, kind) values ('', '', '', 'beat')`,
  end: (schema: string) => sql`delete from ${table(schema, 'service_outbox')} where seq = last_insert_id()`,
}

function createForms({ bulk }: Dialect): Pick<LogicalSource, 'images' | 'rowsNow' | 'cellJson'> {
  return {
    images(set, secrets) {
      const { from, place } = bulk.imagesOf(sql``, set, 'r')
      const row = bulk.rowJson({ columns: set.columns, isWhole: false }, 'r')
      return sql`select ${masked(row, secrets)} from ${from} order by ${place}`
    },
    rowsNow: (source, key, row, secrets) =>
      sql`select x.n, ${masked(bulk.rowJson(row, 't'), secrets)}
        from ${bulk.rowsOf(key, 'x')} straight_join ${source} as t on ${bulk.matches('t', key.columns, 'x')}`,
    cellJson: (text, { column: { baseType } }) => (baseType === 'json' ? text : JSON.stringify(text)),
  }
}

/**
 * The rows in the binary log of MariaDB. Cascades of foreign keys are not among them: InnoDB follows them below the server,
 * which logs what it was asked for. In a Galera cluster each node has a log of its own, with what all nodes write only if
 * log_slave_updates is on; one writing node is supported.
 */
export function createLogicalSource(options: ConnectOptions, driver: Driver, dialect: Dialect): LogicalSource {
  const configs = connectionOptions(options)
  const scope = createScope(driver)
  let confirmed: string | null = null
  return {
    ...createForms(dialect),
    obstacle: () => findObstacle(driver),
    // The server removes files by its own rules, whoever reads them.
    isBounded: () => Promise.resolve(true),
    async include(tables, _, { systemSchema }) {
      scope.hear(tables, systemSchema)
      const [row] = await driver.query(END)
      const unheard: Unheard[] = scope
        .filteredBy(row?.[2] ?? '', row?.[3] ?? '')
        .map((name) => ({ table: name, reason: 'binlog_do_db or binlog_ignore_db leaves it out', statement: null }))
      return { unheard, heard: new Set(tables.map(({ schema, name }) => `${schema}.${name}`)), removed: false }
    },
    place: (reached) => placeOf(driver, reached, confirmed),
    async renew() {
      confirmed = null
      const end = await endOf(driver)
      return positionText({ ...end, stamp: await stampOf(await serverInUse(configs, driver), end.file) })
    },
    async read(from, listener, log): Promise<OutsideReader> {
      const config = await serverInUse(configs, driver)
      const reader = await readBinlog(config, readPosition(from), listener, await scope.open(), log)
      confirmed = from
      return {
        confirm: (position) => {
          confirmed = position
        },
        close: reader.close,
      }
    },
    // Commits are seen in the order of the log, and what was heard is told by a commit that comes after them.
    untilVisible: () => Promise.resolve(),
    async beat({ systemSchema }) {
      const end = await endOf(driver)
      await driver.transaction(async (transaction) => {
        await transaction.query(statementOf(BEAT.begin(systemSchema), dialect))
        await transaction.query(statementOf(BEAT.end(systemSchema), dialect))
      })
      return positionText(end)
    },
    isLost: (error) => error instanceof DatabaseError && error.databaseCode === LOST,
    compare: comparePositions,
    // The server keeps nothing for the service.
    leftovers: () => Promise.resolve([]),
    remove: () => Promise.resolve(),
  }
}
