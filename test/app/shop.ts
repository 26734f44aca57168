// The demo shop and a service with its users, for tests and for the pictures of the documentation.
import type { Page } from 'playwright-core'
import { writeShop } from '../../packages/server/src/demo/write-shop.ts'
import { connectDatabase } from '../../packages/server/src/sql/dialects/index.ts'
import { createDatabase, type TestDatabase } from '../lib/databases.ts'
import { dataOf, startService, type Environment, type Service } from '../lib/service.ts'
import type { Hand } from './hand.ts'
import { makePeople, type People, type Person } from './people.ts'

export interface ShopOptions {
  readonly rows?: number
  readonly environment?: () => Promise<Environment>
  /** Before the service starts, for tables beside those of the shop. */
  readonly prepare?: (database: TestDatabase) => Promise<void>
}

export interface Shop {
  readonly database: TestDatabase
  readonly service: Service
  readonly people: People
}

const DEFAULT_ROWS = 2000

export async function createShop({ rows = DEFAULT_ROWS, environment, prepare }: ShopOptions = {}): Promise<Shop> {
  const database = await createDatabase()
  try {
    await fillShop(database, rows)
    await prepare?.(database)
    const service = await startService({
      DATABASE_URL: database.url,
      LOGIN_STALL_TIME: '0',
      LOG_LEVEL: 'warn',
      ...(await environment?.()),
    })
    await declareChoices(service)
    return { database, service, people: await makePeople(service) }
  } catch (error) {
    await database.drop()
    throw error
  }
}

const PATIENCE = 120_000

/** As `tain demo --out` does, which refuses a file that exists. */
async function fillShop({ url }: TestDatabase, rows: number): Promise<void> {
  const database = await connectDatabase({
    url,
    poolMax: 1,
    acquireTimeout: PATIENCE,
    statementTimeout: PATIENCE,
    lockTimeout: PATIENCE,
    connectTimeout: PATIENCE,
    preparedStatements: 50,
    applicationName: 'tain',
  })
  try {
    await writeShop(database, rows, () => undefined)
  } finally {
    await Promise.all([database.driver, database.schemaDriver, database.backgroundDriver].map((each) => each.close()))
  }
}

const statuses = ['new', 'paid', 'packed', 'shipped', 'delivered', 'cancelled']

const choices = statuses.map((value) => ({ value, text: value }))
/** The service does not tell the choices of a check. */
async function declareChoices(service: Service): Promise<void> {
  const meta = { interface: 'select-dropdown', display: 'labels', options: { choices } }
  dataOf(await service.send('PATCH', '/fields/orders/status', { meta }))
}

/** Who signs in, and at which page. */
export interface Visitor {
  readonly page: Page
  readonly hand: Hand
}

export async function signIn({ page, hand }: Visitor, { email, password }: Pick<Person, 'email' | 'password'>) {
  await hand.write(page.getByRole('textbox', { name: 'E-mail' }), email)
  await hand.write(page.getByLabel('Password', { exact: true }), password)
  await hand.press(page.getByRole('button', { name: 'Sign in' }))
}
