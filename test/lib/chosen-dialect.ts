import { isTestDialect, type TestDialect } from './databases.ts'

/** Chosen for the whole process, before any schema is generated; also for `createDatabase()` without an argument. */
export function useDialect(dialect: TestDialect): void {
  process.env['SERVICE_DIALECT'] = dialect
}

export function chosenDialect(): TestDialect {
  const name = process.env['SERVICE_DIALECT'] ?? 'postgres'
  return isTestDialect(name) ? name : 'postgres'
}
