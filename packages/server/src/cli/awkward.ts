import type { AppFacts } from '../app/facts.ts'
import type { Collection } from '../schema/schema.ts'
import type { StartFacts } from './banner.ts'

interface Kind {
  /** What was found, and what the service does with it. */
  readonly what: (count: number) => string
  readonly names: (facts: Pick<AppFacts, 'schema' | 'renamed' | 'systemSchema' | 'unserved'>) => readonly string[]
}

const nouns = (noun: string) => (count: number) => `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
const tables = nouns('table')
const columns = nouns('column')

export const isTable = ({ kind }: Pick<Collection, 'kind'>) => kind !== 'view' && kind !== 'materialized-view'

export const ownCollections = ({ schema }: Pick<AppFacts, 'schema'>): readonly Collection[] =>
  [...schema.collections.values()].filter(({ isSystem }) => !isSystem)

const namesOf = (collections: readonly Collection[]) => collections.map(({ name }) => name)

const nameIn = (schema: string, table: string, defaultSchema: string) =>
  schema === defaultSchema ? table : `${schema}.${table}`

/** What a database may contain that is not served like any other table, in the order in which a start tells it. */
const kinds: readonly Kind[] = [
  {
    what: (count) => `${tables(count)} not served (no SELECT, or the name is taken)`,
    names: ({ schema: { hidden, defaultSchema } }) =>
      hidden.flatMap(({ schema, table, column }) => (column === null ? [nameIn(schema, table, defaultSchema)] : [])),
  },
  {
    what: (count) => `${columns(count)} not served (no SELECT)`,
    names: ({ schema: { hidden, defaultSchema } }) =>
      hidden.flatMap(({ schema, table, column }) =>
        column === null ? [] : [`${nameIn(schema, table, defaultSchema)}.${column}`],
      ),
  },
  {
    what: (count) => `${nouns('schema')(count)} not served (no USAGE)`,
    names: ({ unserved }) => unserved.closedSchemas.map(({ name, relations }) => `${name} (${relations})`),
  },
  {
    what: (count) => `${tables(count)} with row level security (rows may be missing)`,
    names: ({ unserved }) => unserved.subject,
  },
  {
    what: (count) => `${tables(count)} whose row level security the role bypasses`,
    names: ({ unserved }) => unserved.bypassed,
  },
  {
    what: (count) => `${tables(count)} without a primary key (read-only)`,
    names: (facts) => namesOf(ownCollections(facts).filter((one) => isTable(one) && one.key.length === 0)),
  },
  {
    what: (count) => `${tables(count)} that the database role may only read`,
    // Without its own tables the service writes nothing at all.
    names: (facts) =>
      facts.systemSchema === null
        ? []
        : namesOf(ownCollections(facts).filter((one) => isTable(one) && one.key.length > 0 && one.isReadOnly)),
  },
  {
    what: (count) => `${tables(count)} without transactions (written row by row)`,
    names: (facts) => namesOf(ownCollections(facts).filter(({ isTransactional }) => !isTransactional)),
  },
  {
    what: (count) => `${columns(count)} of an unknown type (served as text)`,
    names: (facts) =>
      ownCollections(facts).flatMap(({ name, columns: fields }) =>
        [...fields.values()].filter(({ type }) => type === 'unknown').map((field) => `${name}.${field.name}`),
      ),
  },
  {
    what: (count) => `${nouns('name')(count)} changed in GraphQL`,
    names: ({ renamed }) => renamed.map(({ collection, name }) => `${collection} → ${name}`),
  },
]

export const awkwardIn = (facts: Parameters<Kind['names']>[0]): StartFacts['awkward'] =>
  kinds.flatMap(({ what, names }) => {
    const found = names(facts)
    return found.length === 0 ? [] : [{ what: what(found.length), names: found }]
  })
