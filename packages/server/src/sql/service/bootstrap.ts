import { sql, type Query } from '../sql.ts'
import type { ServiceDialect } from './service-dialect.ts'
import { tablesIn } from './query-builder.ts'

/** Statements that create the public policy and the first administrator. */
export interface BootstrapStatements {
  /**
   * Returns whether an active user has an administrator policy (directly, through the role or through a parent role),
   * and the permission version.
   */
  readonly hasAdministrator: (schema: string) => Query
  /** Creates and attaches the public policy unless it exists. Parameters: key of the policy, key of the attachment. */
  readonly createPublic: (schema: string) => readonly Query[]
  /**
   * Creates role, policy, attachment and user. Parameters: their keys, email address, hashed password, hashed token,
   * first name, last name.
   */
  readonly createAdministrator: (schema: string) => readonly Query[]
  /**
   * Returns whether the email address in parameter 0 is taken, and whether the hashed token in parameter 1 is taken.
   */
  readonly taken: (schema: string) => Query
}

const hasAdministrator = (schema: string): Query =>
  tablesIn(schema)
    // A cycle of roles adds no new row, so the recursion ends.
    .withRecursive('chain(role)', (tables) =>
      tables
        .selectFrom('service_users as u')
        .select('u.role')
        .where('u.status', '=', sql.lit('active'))
        .where('u.role', 'is not', null)
        .union(
          tables
            .selectFrom('chain as c')
            .innerJoin('service_roles as r', 'r.id', 'c.role')
            .select('r.parent as role')
            .where('r.parent', 'is not', null),
        ),
    )
    .selectFrom('service_version as v')
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom('service_access as a')
            .innerJoin('service_policies as p', (join) =>
              join.onRef('p.id', '=', 'a.policy').on(sql<boolean>`p.admin_access`),
            )
            .select(sql.lit(1).as('one'))
            .where((eb) =>
              eb.or([
                eb('a.role', 'in', eb.selectFrom('chain').select('role')),
                eb.exists(
                  eb
                    .selectFrom('service_users as u')
                    .select(sql.lit(1).as('one'))
                    .whereRef('u.id', '=', 'a.user')
                    .where('u.status', '=', sql.lit('active')),
                ),
              ]),
            ),
        )
        .as('has_administrator'),
    )
    .select('v.rights')

const createPublic = (schema: string, { uuid, upsert }: ServiceDialect): readonly Query[] => [
  upsert(
    tablesIn(schema)
      .insertInto('service_policies')
      .values({
        id: uuid(0),
        name: sql.lit('Public'),
        icon: sql.lit('public'),
        description: sql.lit('What everybody may do, without signing in.'),
      }),
    ['id'],
    [],
  ),
  // Selected from the table with one row, because some databases have no WHERE without FROM.
  tablesIn(schema)
    .insertInto('service_access')
    .columns(['id', 'policy'])
    .expression((eb) =>
      eb
        .selectFrom('service_version')
        .select([uuid(1).as('id'), uuid(0).as('policy')])
        .where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom('service_access as a')
                .select(sql.lit(1).as('one'))
                .where('a.role', 'is', null)
                .where('a.user', 'is', null),
            ),
          ),
        ),
    ),
]

const createAdministrator = (schema: string, { text, uuid }: ServiceDialect): readonly Query[] => {
  const tables = tablesIn(schema)
  const named = { name: sql.lit('Administrator'), icon: sql.lit('verified') }
  return [
    tables.insertInto('service_roles').values({ id: uuid(0), ...named, description: sql.lit('May do everything.') }),
    tables
      .insertInto('service_policies')
      .values({ id: uuid(1), ...named, admin_access: sql.lit(true), app_access: sql.lit(true) }),
    tables.insertInto('service_access').values({ id: uuid(2), role: uuid(0), policy: uuid(1) }),
    tables.insertInto('service_users').values({
      id: uuid(3),
      role: uuid(0),
      email: text(4),
      password: text(5),
      token: text(6),
      first_name: text(7),
      last_name: text(8),
      status: sql.lit('active'),
    }),
  ]
}

export const bootstrapStatements = (dialect: ServiceDialect): BootstrapStatements => ({
  hasAdministrator,
  createPublic: (schema) => createPublic(schema, dialect),
  createAdministrator: (schema) => createAdministrator(schema, dialect),
  taken: (schema) =>
    tablesIn(schema).selectNoFrom((eb) => {
      const users = eb.selectFrom('service_users').select(sql.lit(1).as('one'))
      return [
        eb.exists(users.where('email_key', '=', sql<string>`lower(${dialect.text(0)})`)).as('email'),
        eb.exists(users.where('token', '=', dialect.text(1))).as('token'),
      ]
    }),
})
