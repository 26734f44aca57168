import type { Server } from '../lib/server.ts'

/** The GraphQL names of the database's collections and fields, read from the GraphQL schema. */
export interface GraphNames {
  /** The type of the collection's items. */
  type(collection: string): string
  /** Null if the schema has no such field. */
  field(collection: string, field: string, suffix?: string): string | null
}

interface Described {
  readonly name: string
  readonly description: string | null
}

interface DescribedType extends Described {
  readonly kind: string
  readonly fields: readonly Described[] | null
  readonly inputFields: readonly Described[] | null
}

const DOCUMENT =
  '{ schema: __schema { types { kind name description fields { name description } inputFields { name description } } } }'

/** The description states the original name if it had to be changed. */
const ownName = ({ name, description }: Described): string =>
  /`(.*)` in the database and in REST\.$/su.exec(description ?? '')?.[1] ?? name

export async function readNames(server: Server, collections: Iterable<string>): Promise<GraphNames> {
  const { body, text } = await server.send({ method: 'POST', path: '/graphql', body: { query: DOCUMENT } })
  const { data } = body as { data?: { schema: { types: readonly DescribedType[] } } }
  if (data === undefined) throw new Error(`no schema: ${text.slice(0, 500)}`)
  const objects = data.schema.types.filter(({ kind }) => kind === 'OBJECT')
  const byName = new Map(data.schema.types.map((type) => [type.name, type]))
  const types = new Map<string, DescribedType>()
  for (const collection of collections) {
    const type = objects.find((candidate) => ownName(candidate) === collection)
    if (type === undefined) throw new Error(`no type for ${collection}`)
    types.set(collection, type)
  }
  const typeOf = (collection: string): DescribedType => {
    const type = types.get(collection)
    if (type === undefined) throw new Error(`no type for ${collection}`)
    return type
  }
  return {
    type: (collection) => typeOf(collection).name,
    field: (collection, field, suffix = '') => {
      const type = typeOf(collection)
      const inputs = ['create', 'update'].flatMap((action) => byName.get(`${action}_${type.name}_input`) ?? [])
      const known = [...(type.fields ?? []), ...inputs.flatMap(({ inputFields }) => inputFields ?? [])]
      const isDerived = (name: string) => /_(key|keys|func|changes)\d*$/u.test(name)
      const own = known.find((candidate) => ownName(candidate) === field)?.name
      // A field that exists only as a relation has a separate entry; the names derived from it begin with its name.
      const base = own ?? (isDerived(field) ? undefined : plain(field))
      const name = base === undefined ? undefined : `${base}${suffix}`
      return name !== undefined && known.some((candidate) => candidate.name === name) ? name : null
    },
  }
}

const plain = (name: string): string => name.replace(/\W/gu, '_')
