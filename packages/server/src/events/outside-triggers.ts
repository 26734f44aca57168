import { isDeepStrictEqual } from 'node:util'
import type { Observe } from '../observe.ts'
import type { SchemaCache } from '../schema/schema-cache.ts'
import type { Schema } from '../schema/schema.ts'
import type { Database } from '../sql/database.ts'
import { SWITCHED_OFF, type SwitchStatements } from '../sql/outside.ts'
import { createServiceStatements, inTransaction } from '../sql/service/run-service-statement.ts'
import { expectedTriggers, installedTriggers, untoldTables, type TableTriggers, type Untold } from './triggers.ts'

const TICK = 500
/** An administrator may have made triggers meanwhile, and another replica may have switched them off. */
const LOOK = 10_000

const reasons: Readonly<Record<Untold['state'], string>> = {
  missing: 'it has no trigger',
  outdated: 'its trigger was made for an older form of the table: rows before and after are not told',
}

type SwitchStatement = SwitchStatements[keyof SwitchStatements]

export interface TriggersParts {
  readonly database: Database
  readonly systemSchema: string
  readonly schemaCache: Pick<SchemaCache, 'current'>
  readonly observe: Observe
}

/** Switches triggers on or off, as long as the service runs, and says which tables have none. */
export interface Triggers {
  readonly start: () => void
  /** Resolves once they tell what somebody listens to now, or do not in time. */
  readonly settle: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** Brings the switches of all collections into a state. */
function createSwitches({ database, systemSchema }: TriggersParts) {
  const { outside, schemaDriver } = database
  const ask = createServiceStatements(database, systemSchema)
  // These connections wait for locks only briefly: whoever writes to the table waits behind them.
  const write = (statement: SwitchStatement, values: readonly string[]) =>
    inTransaction(schemaDriver, (transaction) => ask(statement, values, transaction))
  return async (wanted: ReadonlyMap<string, string>): Promise<void> => {
    const present = new Map((await ask(outside.switches)).map(([name, fingerprint]) => [name ?? '', fingerprint]))
    for (const name of present.keys()) if (!wanted.has(name)) await write(outside.removeSwitch, [name])
    for (const [name, fingerprint] of wanted)
      if (present.get(name) !== fingerprint) await write(outside.setSwitch, [name, fingerprint])
  }
}

/** Says which tables have no triggers that fit, each time that this changes. */
function createReport({ database, systemSchema, observe }: TriggersParts) {
  let told: readonly Untold[] = []
  return async (expected: readonly TableTriggers[]): Promise<void> => {
    const untold = untoldTables(expected, await installedTriggers(database, systemSchema))
    const statement = 'tain events triggers'
    if (untold.length > 0 && !isDeepStrictEqual(untold, told))
      observe({
        kind: 'outside-unheard',
        tables: untold.map(({ table, state }) => ({ table, reason: reasons[state], statement })),
      })
    told = untold
  }
}

export function createTriggers(parts: TriggersParts, isOn: boolean): Triggers {
  const { database, systemSchema, schemaCache, observe } = parts
  const setSwitches = createSwitches(parts)
  const report = createReport(parts)
  let seen: { readonly schema: Schema; readonly at: number } | null = null
  let hasFailed = false
  let timer: NodeJS.Timeout | null = null
  let running: Promise<void> | null = null

  async function look(): Promise<void> {
    const schema = schemaCache.current()
    const isDue = seen === null || ((isOn || hasFailed) && performance.now() - seen.at >= LOOK)
    if (schema === null || (!isDue && (!isOn || seen?.schema === schema))) return
    // What fails is not tried again at once: it may have waited for a transaction that goes on.
    seen = { schema, at: performance.now() }
    hasFailed = true
    const expected = isOn ? expectedTriggers(schema, database, systemSchema) : []
    const states = expected.map(({ collection, fingerprint, isCaptured }) => {
      const isOff = !isCaptured && database.outside.triggers?.seeInterest === false
      return [collection, isOff ? SWITCHED_OFF : fingerprint] as const
    })
    await setSwitches(new Map(states))
    if (isOn) await report(expected)
    hasFailed = false
  }

  const turn = (): Promise<void> => {
    running ??= look()
      .catch((error: unknown) => observe({ kind: 'outside-failed', error }))
      .finally(() => {
        running = null
      })
    return running
  }

  return {
    start() {
      timer = setInterval(() => void turn(), TICK)
      timer.unref()
    },
    async settle() {
      await running
      await turn()
    },
    async stop() {
      if (timer !== null) clearInterval(timer)
      await running
    },
  }
}
