import { sql, table, type Steps } from '../sql.ts'
import type { RowJson } from './row-json.ts'
import type { ServiceDialect } from './service-dialect.ts'
import { tablesIn } from './query-builder.ts'

/** Changes of users that are not ordinary writes. */
export interface AccountStatements {
  /**
   * Records a login if the values it was checked against have not changed. Parameters: user, password, second factor,
   * its step.
   */
  readonly signedIn: (schema: string) => Steps
  /**
   * Sets the password and status of a user if neither has changed. Parameters: user, new password, new status, previous
   * password, previous status. Returns the row as JSON.
   */
  readonly setPassword: (schema: string) => Steps
  /**
   * Sets or removes a second factor. Parameters: user, encrypted secret, the step that was used to remove it. Returns
   * the row as JSON.
   */
  readonly setSecondFactor: (schema: string) => Steps
  /**
   * Parameters: key, email address, password, first name, last name, role, status. Returns the row as JSON; no row if
   * the email address is taken.
   */
  readonly createUser: (schema: string) => Steps
}

export const accountStatements = (dialect: ServiceDialect): AccountStatements => {
  const { text, uuid, integer, now, same, userRow } = dialect
  const update = (schema: string) => tablesIn(schema).updateTable('service_users')
  const thisOne = (schema: string) => ({
    table: table(schema, 'service_users'),
    key: sql<boolean>`${sql.id('id')} = ${uuid(0)}`,
  })
  /** A code counts once: its time step must be later than the last one. */
  const isLater = (step: number) => sql`(${integer(step)} is null or tfa_step is null or tfa_step < ${integer(step)})`
  return {
    signedIn: (schema) =>
      dialect.updateIf(
        update(schema).set({ last_access: now, tfa_step: sql`coalesce(${integer(3)}, tfa_step)` }),
        thisOne(schema),
        sql`status = 'active' and ${same(sql`password`, text(1))} and ${same(sql`tfa_secret`, text(2))} and ${isLater(3)}`,
        sql`1`,
      ),
    setPassword: (schema) =>
      dialect.updateIf(
        update(schema).set({ password: text(1), status: text(2) }),
        thisOne(schema),
        sql`${same(sql`password`, text(3))} and status = ${text(4)}`,
        userRow,
      ),
    setSecondFactor: (schema) =>
      dialect.updateIf(
        update(schema).set({ tfa_secret: text(1), tfa_step: sql.lit(null) }),
        thisOne(schema),
        sql`(tfa_secret is null) <> (${text(1)} is null) and ${isLater(2)}`,
        userRow,
      ),
    createUser: (schema) =>
      dialect.insertNew(
        tablesIn(schema)
          .insertInto('service_users')
          .values({
            id: uuid(0),
            email: text(1),
            password: text(2),
            first_name: text(3),
            last_name: text(4),
            role: uuid(5),
            status: text(6),
          }),
        ['email_key'],
        userRow,
        thisOne(schema),
      ),
  }
}

/** A user as revisions store it, without the columns that are hidden from all callers. */
export const userRowJson = {
  id: 'text',
  first_name: 'text',
  last_name: 'text',
  email: 'text',
  password: 'text',
  location: 'text',
  title: 'text',
  description: 'text',
  tags: 'json',
  avatar: 'text',
  language: 'text',
  text_direction: 'text',
  tfa_secret: 'text',
  status: 'text',
  role: 'text',
  token: 'text',
  last_access: 'timestamp',
  last_page: 'text',
  provider: 'text',
  external_identifier: 'text',
  auth_data: 'json',
  email_notifications: 'boolean',
  appearance: 'text',
  theme_light: 'text',
  theme_dark: 'text',
  theme_light_overrides: 'json',
  theme_dark_overrides: 'json',
} as const satisfies RowJson
