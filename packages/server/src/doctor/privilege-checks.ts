import { appliedMigrations, earlierBuild, missingMigrations, refuseNewer } from '../schema/migrate.ts'
import { readServiceState } from '../schema/service-state.ts'
import { readUnserved } from '../schema/unserved.ts'
import { StartError } from '../schema/start-error.ts'
import { note, problem, warning, type DatabaseExamination, type Finding } from './check.ts'

const READ_ONLY = 'or set READ_ONLY=true'

/** Where the service would create its tables. */
export async function serviceSchema(context: DatabaseExamination): Promise<readonly Finding[]> {
  if (context.config.isReadOnly) return []
  const { exists, isEarlier, mayCreateSchema, schemaExists, mayCreateTables, database, role, schema, foreign } =
    await readServiceState(context.database, context.systemSchema)
  if (isEarlier) return []
  if (foreign !== null)
    return [
      problem(
        `There is a table ${foreign} in ${schema} that the service did not create and whose name it needs.`,
        `Rename your table ${foreign}, ${READ_ONLY}`,
      ),
    ]
  if (exists) return []
  if (schemaExists && !mayCreateTables)
    return [
      problem(
        `The role ${role} may not create tables in the schema ${schema}.`,
        `grant usage, create on schema ${schema} to ${role};`,
      ),
    ]
  if (!schemaExists && !mayCreateSchema)
    return [
      problem(
        `The role ${role} may not create the schema ${schema} for the service's own tables.`,
        `grant create on database ${database} to ${role};`,
      ),
    ]
  return []
}

export async function serviceTables(context: DatabaseExamination): Promise<readonly Finding[]> {
  if (context.config.isReadOnly) return []
  const { database, systemSchema } = context
  const { exists, isEarlier, mayUseTables, role, schema } = await readServiceState(database, systemSchema)
  if (isEarlier) return [problem(earlierBuild(systemSchema).message, 'tain eject')]
  if (!exists) return []
  if (!mayUseTables)
    return [
      problem(
        `The role ${role} may not use the service's own tables in the schema ${schema}.`,
        `grant usage on schema ${schema} to ${role}; grant select, insert, update, delete on all tables in schema ${schema} to ${role};`,
      ),
    ]
  return migrations(context)
}

async function migrations({ database, systemSchema }: DatabaseExamination): Promise<readonly Finding[]> {
  const applied = await appliedMigrations(database, systemSchema)
  try {
    refuseNewer(systemSchema, applied)
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    return [problem(error.message, 'npm install --global tain@latest')]
  }
  const missing = missingMigrations(applied)
  if (missing.length === 0) return []
  return [
    note(
      `The service's tables are of an older version. The next start brings them up to date: ${missing.join(', ')}.`,
      'tain bootstrap',
    ),
  ]
}

/** Rows and schemas that the database withholds without an error, and rows that it would withhold from others. */
export async function rowSecurity({
  config,
  database,
  query,
  systemSchema,
}: DatabaseExamination): Promise<readonly Finding[]> {
  const { subject, bypassed, closedSchemas } = await readUnserved(database, systemSchema, config.schemas, query)
  const page = 'docs/database.md, "Row level security"'
  return [
    ...closedSchemas.map(({ name, relations, fix }) =>
      warning(`The role may not use the schema ${name}: ${relations} tables and views are not served.`, fix),
    ),
    ...(subject.length === 0
      ? []
      : [
          warning(
            `Row level security applies to the role of the service, so rows are missing without an error: ${subject.join(', ')}.`,
            `Serve these tables with a role that has BYPASSRLS, and write their rules as permissions: ${page}`,
          ),
        ]),
    ...(bypassed.length === 0
      ? []
      : [
          warning(
            `Row level security does not apply to the role of the service, so its policies hide nothing: ${bypassed.join(', ')}.`,
            `Write the rules of these tables as permissions: ${page}`,
          ),
        ]),
  ]
}

export async function tablePrivileges({
  database,
  query,
  schema: read,
}: DatabaseExamination): Promise<readonly Finding[]> {
  const { grantSelect } = database.diagnosis
  if (grantSelect === null) return []
  const found: Finding[] = []
  for (const { schema, table, column, reason } of (await read()).hidden) {
    if (column !== null) continue
    const [row] = await query(grantSelect({ schema, table }))
    found.push(warning(`${schema}.${table} is not served: ${reason}.`, row?.[0] ?? ''))
  }
  return found
}
