// Compares the rows of every collection through GraphQL with the same rows through REST.
import { pathName, type Row } from '../client.ts'
import { canonical, isSame } from '../model.ts'
import { each, type Served, type Session } from '../session.ts'

interface Described {
  readonly name: string
  readonly description: string | null
}

interface FieldType {
  readonly kind: string
  readonly name: string | null
  readonly ofType: FieldType | null
}

interface GraphField extends Described {
  readonly type: FieldType
}

interface GraphType extends Described {
  readonly kind: string
  readonly fields: readonly GraphField[] | null
}

const ROWS = 30
const nested = 'kind name ofType { kind name ofType { kind name ofType { kind name } } }'
const INTROSPECTION = `{ schema: __schema { types { kind name description fields { name description type { ${nested} } } } } }`

/** The description states the original name if it had to be changed. */
const ownName = ({ name, description }: Described): string =>
  /`(.*)` in the database and in REST\.$/su.exec(description ?? '')?.[1] ?? name

const namedType = (type: FieldType): FieldType => (type.ofType === null ? type : namedType(type.ofType))

interface Selected {
  /** The name in the document. */
  readonly name: string
  readonly column: string
  /** Keys are strings in GraphQL. */
  readonly isKey: boolean
  readonly isDecimal: boolean
  readonly isFlag: boolean
}

/** The field that returns a column: the column itself, or the key field of the related item. */
function select(type: GraphType, column: string): Selected | null {
  const field = type.fields?.find((each) => ownName(each) === column)
  if (field === undefined) return null
  const { kind, name } = namedType(field.type)
  if (kind !== 'OBJECT' && kind !== 'UNION')
    return { name: field.name, column, isKey: name === 'ID', isDecimal: name === 'Float', isFlag: name === 'Boolean' }
  const key = type.fields?.find((each) => each.name === `${field.name}_key`)
  return key === undefined ? null : { name: key.name, column, isKey: true, isDecimal: false, isFlag: false }
}

const textOf = (key: unknown): unknown => (typeof key === 'number' || typeof key === 'boolean' ? String(key) : key)

interface Reply {
  readonly data?: { readonly rows?: readonly Row[] } | null
  readonly errors?: readonly { readonly extensions?: { readonly code?: string; readonly field?: string } }[]
}

/** In GraphQL, keys are strings, decimals are numbers, and flags that hold something else are null with an error. */
function isEqual(got: unknown, rest: unknown, field: Selected, { errors = [] }: Reply): boolean {
  const { isKey, isDecimal, isFlag } = field
  if (isFlag && rest !== null && typeof rest !== 'boolean') {
    const told = ({ extensions }: (typeof errors)[number]) =>
      extensions?.code === 'VALUE_OUT_OF_RANGE' && extensions.field === field.name
    return got === null && errors.some(told)
  }
  if (isSame(got, rest)) return true
  if (got === null || rest === null) return false
  return isKey ? canonical(got) === canonical(textOf(rest)) : isDecimal && Number(got) === Number(rest)
}

export async function graphql(session: Session): Promise<void> {
  const { client, served, differ } = session
  const call = { method: 'POST', path: '/graphql', body: { query: INTROSPECTION } }
  const reply = await client.send(call)
  const types = (reply.json as { data?: { schema: { types: readonly GraphType[] } } } | undefined)?.data?.schema.types
  if (types === undefined) {
    differ('introspection', 'gives no schema', { got: reply.text.slice(0, 300), call })
    return
  }
  const objects = new Map(types.filter(({ kind }) => kind === 'OBJECT').map((type) => [ownName(type), type]))
  await each(
    served.filter(({ table, count }) => count !== null && table.columns.length > 0),
    (each) => compare(session, each, objects.get(each.table.collection)),
  )
}

async function compare(session: Session, served: Served, type: GraphType | undefined): Promise<void> {
  const { client, checked, differ } = session
  const { table, columns } = served
  checked()
  if (type === undefined) {
    differ(table.collection, 'has no type in GraphQL', {})
    return
  }
  const selected = columns.flatMap(({ name }) => {
    const found = select(type, name)
    if (found === null) differ(`${table.collection}.${name}`, 'has no field in GraphQL', {})
    return found === null ? [] : [found]
  })
  const sort = table.key.length === 0 ? '' : `, sort: ${JSON.stringify(table.key.map(pathName))}`
  const query = `{ rows: ${type.name}(limit: ${ROWS}${sort}) { ${selected.map(({ name }) => name).join(' ')} } }`
  const call = { method: 'POST', path: '/graphql', body: { query } }
  const reply = await client.send(call)
  const json = (reply.json ?? {}) as Reply
  const rows = json.data?.rows
  if (rows === undefined) {
    differ(table.collection, 'cannot be read in GraphQL', { got: reply.text.slice(0, 300), call })
    return
  }
  const sample = await session.sample(served)
  if (sample === null || table.key.length === 0) return
  const told = new Set<string>()
  for (const [place, row] of rows.entries())
    for (const field of selected) {
      checked()
      const rest = sample.shown[place]?.[field.column]
      if (isEqual(row[field.name], rest, field, json) || told.has(field.column)) continue
      told.add(field.column)
      differ(`${table.collection}.${field.column}`, 'another value in GraphQL', {
        expected: rest,
        got: row[field.name],
        call,
      })
    }
}
