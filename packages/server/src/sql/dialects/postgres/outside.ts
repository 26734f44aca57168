import { MASK } from '@tain/contract'
import { Client, type ClientConfig } from 'pg'
import { statementOf, type ConnectOptions } from '../../database.ts'
import type { Dialect } from '../../dialect.ts'
import { DatabaseError, type Driver, type Statement } from '../../driver.ts'
import type { LogicalSource, LogOptions, LogPlace, Obstacle, OutsideSource } from '../../outside.ts'
import { list, sql } from '../../sql.ts'
import { switchStatements } from '../../service/trigger-switches.ts'
import { markStatements } from '../../service/outside-mark.ts'
import { cellName } from '../base/bulk.ts'
import { bulk } from './bulk.ts'
import { clientConfigs } from './driver.ts'
import { outboxPublication, readLog } from './outside-reader.ts'
import { createOutboxPublication, createPublication, includeTables } from './outside-tables.ts'
import { withMasked } from './json.ts'
import { positionNumber } from './pgoutput.ts'
import type { Server } from './capabilities.ts'
import { createDialect } from './index.ts'
import { createServiceDialect } from './service.ts'
import { storedRow } from './stored-row.ts'
import { triggers } from './triggers.ts'

const FACTS: Statement = {
  text: `select current_setting('wal_level'),
    coalesce((select r.rolreplication or r.rolsuper from pg_catalog.pg_roles r where r.rolname = current_user), false)
      or exists (select 1 from pg_catalog.pg_roles r where r.rolname in ('rds_replication', 'azure_pg_admin')
        and pg_has_role(current_user, r.oid, 'member')),
    (select s.database from pg_catalog.pg_replication_slots s where s.slot_name = $1), current_database(),
    (select count(*) from pg_catalog.pg_replication_slots) >= current_setting('max_replication_slots')::int,
    has_database_privilege(current_database(), 'create'),
    (select count(*) from pg_catalog.pg_publication p where p.pubname = any($2)), quote_ident(current_user)`,
  values: [],
}

const PLACE: Statement = {
  text: `select s.wal_status, s.confirmed_flush_lsn::text, s.plugin, s.database = current_database(),
    pg_wal_lsn_diff(pg_current_wal_lsn(), s.confirmed_flush_lsn)::text
    from pg_catalog.pg_replication_slots s where s.slot_name = $1`,
  values: [],
}

/** In megabytes; -1: it has no bound. */
const BOUND: Statement = { text: `select setting from pg_settings where name = 'max_slot_wal_keep_size'`, values: [] }
const LEAST_BOUND = 1024

/** Whoever reads from the slot has lost the lease, or its process is gone and the server has not noticed. */
const FREE: Statement = {
  text: `select pg_terminate_backend(active_pid) from pg_catalog.pg_replication_slots
    where slot_name = $1 and active_pid is not null`,
  values: [],
}
const DROP: Statement = {
  text: `select pg_drop_replication_slot(slot_name) from pg_catalog.pg_replication_slots
    where slot_name = $1 and database = current_database()`,
  values: [],
}
const CREATE: Statement = {
  text: `select lsn::text from pg_catalog.pg_create_logical_replication_slot($1, 'pgoutput')`,
  values: [],
}
/** In a transaction: its commit brings the log to the disk, where readers find it. */
const BEAT: Statement = {
  text: `select pg_current_wal_insert_lsn()::text, pg_catalog.pg_logical_emit_message(true, $1, '')`,
  values: [],
}

const RUNNING: Statement = {
  text: `select x::text from txid_snapshot_xip(txid_current_snapshot()) as x`,
  values: [],
}
/** How many of these transactions readers do not see yet. Numbers in the log have 32 bits. */
const UNSEEN: Statement = {
  text: `select count(*) from (select txid_current_snapshot() as now) s,
    lateral (select txid_snapshot_xmax(s.now) as next) t, json_array_elements_text($1::json) as n,
    lateral (select ((t.next >> 32) << 32) | (n::bigint & 4294967295) as id) x
    where not txid_visible_in_snapshot(case when x.id >= t.next then x.id - 4294967296 else x.id end, s.now)`,
  values: [],
}
const UNSEEN_PAUSE = 5
/** Transactions that stay open are not committed yet, so the log will have them. */
const RENEWAL_WAIT = 30_000

const LEFTOVERS: Statement = {
  text: `select format('select pg_drop_replication_slot(%L);', slot_name) from pg_catalog.pg_replication_slots
      where slot_name = $1 and database = current_database()
    union all select format('drop publication %I;', pubname) from pg_catalog.pg_publication where pubname = any($2)`,
  values: [],
}

const SLOT_INVALID = '55000'
const OBJECT_MISSING = '42704'

const of = (statement: Statement, slot: string): Statement => ({ ...statement, values: [slot] })

/** Forms of values in the log, as in the sessions of requests. */
const logConfig = (config: ClientConfig): ClientConfig => ({
  ...config,
  options: (config.options ?? '')
    .replaceAll(/-c (?:statement_timeout|lock_timeout|idle_in_transaction_session_timeout)=\S+/gu, '')
    .trim(),
})

/** The server that takes writes: slots are on no other. */
async function primaryOf(configs: readonly ClientConfig[]): Promise<ClientConfig> {
  let lastError: unknown = null
  for (const config of configs) {
    if (configs.length === 1) return config
    const client = new Client(config)
    client.on('error', () => undefined)
    try {
      await client.connect()
      const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby')
      if (rows[0]?.standby === false) return config
    } catch (error) {
      lastError = error
    } finally {
      await client.end().catch(() => undefined)
    }
  }
  throw lastError ?? new DatabaseError('unavailable', 'no server takes writes')
}

function obstacleIn(row: readonly (string | null)[], options: LogOptions, dialect: Dialect): Obstacle | null {
  const [level, mayRead, slotDatabase, database, isFull, mayCreate, publications, role] = row
  if (level !== 'logical')
    return {
      reason: 'wal_level is not logical; the server has to be restarted after the change',
      statements: [`alter system set wal_level = 'logical'`],
    }
  if (mayRead !== 't')
    return { reason: 'the role may not read the log', statements: [`alter role ${role ?? ''} replication`] }
  if (slotDatabase !== null && slotDatabase !== database)
    return { reason: 'another database of the server has a slot of this name: set EVENTS_SLOT', statements: [] }
  if (slotDatabase === null && isFull === 't')
    return { reason: 'the server has no free slot: raise max_replication_slots', statements: [] }
  if (Number(publications) < 2 && mayCreate !== 't')
    return {
      reason: 'the role may not create publications',
      statements: [createPublication(options), createOutboxPublication(options)].map(
        (statement) => statementOf(statement, dialect).text,
      ),
    }
  return null
}

async function placeOf(driver: Driver, reached: string | null, { slot }: LogOptions): Promise<LogPlace> {
  const [row] = await driver.query(of(PLACE, slot))
  if (row === undefined) return { state: 'missing', confirmed: null, behind: null }
  const [status, confirmed = null, plugin, isHere, behind] = row
  const isOurs = plugin === 'pgoutput' && isHere === 't' && confirmed !== null
  // Only what was reached is ever confirmed: a slot that is ahead of it was made by somebody else.
  const isAhead = reached !== null && isOurs && positionNumber(confirmed) > positionNumber(reached)
  const state = status === 'lost' || !isOurs || isAhead ? 'lost' : 'ready'
  return { state, confirmed, behind: behind === null ? null : Number(behind) }
}

const images: LogicalSource['images'] = (set, secrets) => {
  const names = new Set(set.columns.map(({ name }) => name))
  let place = 'n'
  while (names.has(place)) place += 'n'
  const cells = set.columns.map(({ name }, index) => sql`${sql.id('x', cellName(index))} as ${sql.id(name)}`)
  const row = storedRow({ columns: set.columns, isWhole: false }, 'r')
  return sql`select ${secrets.length === 0 ? row : withMasked(row, secrets, MASK)}
    from (select ${list([...cells, sql`x.n as ${sql.id(place)}`])} from ${bulk.rowsOf(set, 'x')}) r
    order by ${sql.id('r', place)}`
}

const rowsNow: LogicalSource['rowsNow'] = (source, key, row, secrets) => {
  const stored = storedRow(row, 't')
  return sql`select x.n, ${secrets.length === 0 ? stored : withMasked(stored, secrets, MASK)}
    from ${bulk.rowsOf(key, 'x')} join ${source} as t on ${bulk.matches('t', key.columns, 'x')}`
}

/** A commit that waits for a standby is in the log, and seen by nobody else. */
async function untilVisible(names: readonly string[], isOver: () => boolean, driver: Driver): Promise<void> {
  while (names.length > 0) {
    const [row] = await driver.query({ ...UNSEEN, values: [JSON.stringify(names)] })
    if (row?.[0] === '0') return
    if (isOver()) throw new Error('the log of the database is not read any more')
    await new Promise((resolve) => setTimeout(resolve, UNSEEN_PAUSE))
  }
}

async function untilOthersEnd(driver: Driver): Promise<void> {
  const running = (await driver.query(RUNNING)).map(([name]) => name ?? '')
  const end = performance.now() + RENEWAL_WAIT
  await untilVisible(running, () => performance.now() > end, driver).catch((error: unknown) => {
    if (error instanceof DatabaseError) throw error
  })
}

/** Logical decoding by pgoutput, which every PostgreSQL has. */
export function createLogicalSource(options: ConnectOptions, driver: Driver, dialect: Dialect): LogicalSource {
  const free = async (slot: string) => {
    const terminated = await driver.query(of(FREE, slot))
    if (terminated.length > 0) await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return {
    async obstacle(log) {
      const [row] = await driver.query({ ...FACTS, values: [log.slot, [log.slot, outboxPublication(log.slot)]] })
      return row === undefined ? null : obstacleIn(row, log, dialect)
    },
    async isBounded() {
      const [row] = await driver.query(BOUND)
      return Number(row?.[0] ?? -1) >= LEAST_BOUND
    },
    include: includeTables(driver, dialect),
    images,
    rowsNow,
    place: (reached, log) => placeOf(driver, reached, log),
    async renew({ slot }) {
      await free(slot)
      await driver.query(of(DROP, slot))
      const [row] = await driver.query(of(CREATE, slot))
      await untilOthersEnd(driver)
      return row?.[0] ?? '0/0'
    },
    async read(_, listener, log) {
      await free(log.slot)
      return readLog(logConfig(await primaryOf(clientConfigs(options))), listener, log)
    },
    untilVisible: (names, isOver) => untilVisible(names, isOver, driver),
    beat: async ({ slot }) => (await driver.execute(of(BEAT, slot)))[0]?.[0] ?? '0/0',
    isLost: (error) => {
      const code = error instanceof DatabaseError ? error.databaseCode : (error as { code?: unknown } | null)?.code
      return code === OBJECT_MISSING || code === SLOT_INVALID
    },
    compare: (left, right) => {
      const difference = positionNumber(left) - positionNumber(right)
      return difference < 0n ? -1 : difference > 0n ? 1 : 0
    },
    cellJson: (text, { column: { baseType, elementType } }) =>
      elementType === null && (baseType === 'json' || baseType === 'jsonb') ? text : JSON.stringify(text),
    async leftovers({ slot }) {
      const rows = await driver.query({ ...LEFTOVERS, values: [slot, [slot, outboxPublication(slot)]] })
      return rows.map(([text]) => text ?? '')
    },
    async remove({ slot }) {
      await free(slot)
      await driver.query(of(DROP, slot))
      for (const name of [slot, outboxPublication(slot)])
        await driver.execute(statementOf(sql`drop publication if exists ${sql.id(name)}`, dialect))
    },
  }
}

export const createOutside = (options: ConnectOptions, driver: Driver, server: Server): OutsideSource => ({
  logical: createLogicalSource(options, driver, createDialect(server)),
  triggers: server.can.locks === 'lease' ? null : triggers,
  ...markStatements,
  ...switchStatements(createServiceDialect(server)),
})
