import { parseExactJson } from '../lib/exact-json.ts'
import { between, type Failpoints } from '../lib/failpoint.ts'
import type { Collection } from '../schema/schema.ts'
import { typed } from '../schema/typed-column.ts'
import { bindValues } from '../sql/compile.ts'
import { runSteps, type Database } from '../sql/database.ts'
import type { Dialect } from '../sql/dialect.ts'
import { stepsOf } from '../sql/sql.ts'
import type { Change } from './change.ts'
import { storedRow } from './stored-row.ts'
import type { ChangeConsumer } from './sink.ts'
import { itemOf, masked, secretNames } from './recorded-row.ts'

/** Collections without metadata record everything. */
const accountabilityOf = ({ meta }: Collection) => (meta === null ? 'all' : meta.accountability)

/** Writes activity and revisions, for the collections that keep them, in one statement for all changes. */
export function activityAndRevisions(
  { dialect }: Pick<Database, 'dialect'>,
  systemSchema: string,
  failpoints: Failpoints | null,
): ChangeConsumer {
  const compiled = stepsOf(dialect.recordChanges(systemSchema)).map((step, index) => ({
    ...dialect.compile(step),
    name: `a${index}`,
  }))
  return {
    wants: (collection) => {
      const accountability = accountabilityOf(collection)
      return accountability === null ? null : { before: false, after: accountability === 'all' }
    },
    async consume(all, { by, origin }, transaction) {
      const changes = all.filter(({ isUnrecorded }) => isUnrecorded !== true)
      if (changes.length === 0) return
      const values = [rowsOf(changes, dialect), by ?? '', origin.ip ?? '', origin.userAgent ?? '']
      const statements = compiled.map(({ text, binds, name }) => ({
        text,
        name,
        values: bindValues(binds, (parameter) => (typeof parameter === 'number' ? values[parameter] : null)),
      }))
      const send = () => runSteps(statements, transaction)
      await (failpoints === null ? send() : between(failpoints, 'write.before-record', 'write.after-record', send))
    },
    inStatement(collection) {
      // Revisions with secrets are masked here, so the database cannot build them.
      if (secretNames(collection).length > 0) return null
      const row = accountabilityOf(collection) === 'all' ? storedRow(collection) : null
      return {
        collection: collection.name,
        key: collection.key.map(typed),
        row,
        records: row === null ? ['activity'] : ['activity', 'revision'],
      }
    },
  }
}

function rowsOf(changes: readonly Change[], dialect: Dialect): string {
  const secretsOf = new Map<Collection, readonly string[]>()
  const rows = changes.map(({ action, collection, key, after, delta }) => {
    const secrets = secretsOf.get(collection) ?? secretNames(collection)
    secretsOf.set(collection, secrets)
    const what = JSON.stringify({ action, collection: collection.name, item: itemOf(key, collection, dialect) })
    return `${what.slice(0, -1)},"data":${masked(after, secrets) ?? 'null'},"delta":${masked(changed(delta, after), secrets) ?? 'null'}}`
  })
  return `[${rows.join(',')}]`
}

/** The changed fields as responses show them: values were sent to the database in its own form. */
function changed(delta: string | null, after: string | null): string | null {
  if (delta === null || after === null) return delta
  const row = parseExactJson(after) as Record<string, unknown>
  return JSON.stringify(Object.fromEntries(Object.keys(JSON.parse(delta) as object).map((name) => [name, row[name]])))
}
