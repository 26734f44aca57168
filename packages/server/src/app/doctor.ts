import { pino } from 'pino'
import { examineConfig, type Config } from '../config.ts'
import { prefixOf } from '../config/storage.ts'
import type { DatabaseExamination, Examination, ProbedStorage, UntoldTable } from '../doctor/check.ts'
import { examine, type CheckResult } from '../doctor/examine.ts'
import { createStorages } from '../files/storage/storages.ts'
import { connectDatabase } from '../sql/dialects/index.ts'
import { neededNode } from '../version.ts'
import { closeConnections } from './close.ts'
import { createCore } from './core.ts'
import { connectionOptions } from './database.ts'
import { tablesUntold } from './triggers.ts'

const STATEMENT_TIMEOUT = 5000

export interface DoctorOptions {
  readonly replicas?: number | null
  readonly now?: () => number
  readonly nodeVersion?: string
}

/** What the triggers of a table have to be follows from the schema as the service would serve it. */
async function untoldIn(config: Config): Promise<readonly UntoldTable[] | null> {
  const core = await createCore(config, pino({ level: 'silent' }), { onlyLooks: true })
  try {
    if (core.context.database.outside.triggers === null) return null
    return core.hasTables && (await core.start()) ? await tablesUntold(core) : []
  } finally {
    await core.close()
  }
}

async function probed({ storages }: Config): Promise<readonly ProbedStorage[]> {
  const opened = createStorages(storages)
  try {
    return (await opened.probe()).map((probe) => ({ ...probe, prefix: prefixOf(probe.location.name) }))
  } finally {
    opened.close()
  }
}

/** Examines settings and database without a service: creates no tables. Storages of files get an object, which is removed. */
export async function runDoctor(
  environment: Readonly<Record<string, string | undefined>>,
  { replicas = null, now = Date.now, nodeVersion = process.versions.node }: DoctorOptions = {},
): Promise<readonly CheckResult[]> {
  const { config, problems } = examineConfig(environment)
  const settings: Examination = {
    config,
    problems,
    replicas,
    now,
    node: { version: nodeVersion, needed: neededNode },
    storages: () => probed(config),
  }
  // Without a default, a setting that cannot be read is missing.
  if ((config.databaseUrl as string | undefined) === undefined) return examine(settings, null)
  const database = await connectDatabase({
    ...connectionOptions(config),
    poolMax: 1,
    // Works behind every pooler.
    preparedStatements: 0,
    statementTimeout: STATEMENT_TIMEOUT,
    applicationName: 'tain doctor',
  })
  const query: DatabaseExamination['query'] = (statement) => database.driver.query(statement)
  const systemSchema = database.systemSchema(config.systemSchema)
  let schema: ReturnType<DatabaseExamination['schema']> | null = null
  try {
    return await examine(settings, {
      ...settings,
      database,
      systemSchema,
      query,
      untold: () => untoldIn(config),
      schema: () => (schema ??= database.introspect(query, { systemSchema, schemas: config.schemas })),
    })
  } finally {
    await closeConnections(database)
  }
}
