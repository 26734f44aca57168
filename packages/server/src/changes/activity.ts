import { MASK, fieldTypes } from '@tain/contract'
import { parseExactJson } from '../lib/exact-json.ts'
import { between, type Failpoints } from '../lib/failpoint.ts'
import { joinedKey } from '../query/keys.ts'
import type { Collection } from '../schema/schema.ts'
import { typed } from '../schema/typed-column.ts'
import { bindValues } from '../sql/compile.ts'
import { runSteps, type Database } from '../sql/database.ts'
import type { Dialect } from '../sql/dialect.ts'
import { stepsOf } from '../sql/sql.ts'
import type { Change } from './change.ts'
import { storedRow } from './stored-row.ts'
import type { ChangeConsumer } from './sink.ts'

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
    async consume(changes, { by, origin }, transaction) {
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
      return { collection: collection.name, key: collection.key.map(typed), row }
    },
  }
}

function rowsOf(changes: readonly Change[], dialect: Dialect): string {
  const secretsOf = new Map<Collection, readonly string[]>()
  const rows = changes.map(({ action, collection, key, after, delta }) => {
    const secrets = secretsOf.get(collection) ?? secretNames(collection)
    secretsOf.set(collection, secrets)
    const item = joinedKey(shownKey(key, collection, dialect))
    const what = JSON.stringify({ action, collection: collection.name, item })
    return `${what.slice(0, -1)},"data":${masked(after, secrets)},"delta":${masked(changed(delta, after), secrets)}}`
  })
  return `[${rows.join(',')}]`
}

/** The changed fields as responses show them: values were sent to the database in its own form. */
function changed(delta: string | null, after: string | null): string | null {
  if (delta === null || after === null) return delta
  const row = parseExactJson(after) as Record<string, unknown>
  return JSON.stringify(Object.fromEntries(Object.keys(JSON.parse(delta) as object).map((name) => [name, row[name]])))
}

/** Converts a key from the output of the database to the form in responses, so that it can be searched for. */
function shownKey(key: readonly string[], collection: Collection, { formOf }: Dialect): readonly string[] {
  if (!collection.key.some(({ type }) => fieldTypes[type].isReshaped)) return key
  return collection.key.map((field, index) => {
    const text = key[index] ?? ''
    return fieldTypes[field.type].isReshaped ? (JSON.parse(formOf(typed(field)).write(text)) as string) : text
  })
}

const secretNames = ({ columns }: Collection): string[] =>
  [...columns.values()].flatMap(({ name, specials }) => (specials.includes('conceal') ? [name] : []))

/** Masks secrets, because other users may read revisions. */
function masked(json: string | null, secrets: readonly string[]): string {
  if (json === null || secrets.length === 0) return json ?? 'null'
  const row = parseExactJson(json) as Record<string, unknown>
  for (const name of secrets) if (row[name] !== undefined && row[name] !== null) row[name] = MASK
  return JSON.stringify(row)
}
