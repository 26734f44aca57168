import type { Database } from '../../database.ts'
import { createPostgresDriver, type PostgresDriverOptions } from './driver.ts'
import { postgres } from './index.ts'
import { introspect } from './introspect.ts'
import { serviceTables } from './service-tables.ts'

export const connectPostgres = (options: PostgresDriverOptions): Database => ({
  dialect: postgres,
  driver: createPostgresDriver(options),
  serviceTables,
  introspect,
})
