import { forbidden, ServiceError } from '@tain/contract'
import { files, settings } from '@tain/contract/collections'
import { administrator, type Actor } from '../access/actor.ts'
import type { Engine } from '../engine/engine.ts'
import { itemRead, listRead } from '../engine/items/read-items.ts'
import { isUuid } from '../lib/uuid.ts'
import { queryKeyOf } from '../query/keyed-query.ts'
import type { Payload } from '../query/mutation.ts'
import { parseQuery, type QueryLimits } from '../query/parse-query.ts'
import type { FileObject } from './file-object.ts'

/** What is known of a file, as the service itself sees it. */
export interface FileRow extends FileObject {
  readonly name: string
  readonly type: string | null
  readonly size: number | null
  readonly checksum: string | null
  readonly folder: string | null
  readonly width: number | null
  readonly height: number | null
  readonly focalPoint: { readonly x: number; readonly y: number } | null
  /** When the content came. */
  readonly modified: Date
}

/** How a permission opens a row. */
export interface OpenedFile {
  /** null: the caller may not read the name. */
  readonly name: string | null
  /** It depends on the current time. */
  readonly isOfNow: boolean
}

/** A file that a caller may read. */
export interface ReadableFile extends OpenedFile {
  readonly row: FileRow
  /** It is open to everybody, because the settings of the project name it. */
  readonly isOfProject: boolean
}

export interface FileRows {
  /** Throws FORBIDDEN, in the same words for a missing file and a closed one. */
  readonly readable: (actor: Actor, id: string) => Promise<ReadableFile>
  /** How the caller may read the row; null: not at all. */
  readonly opened: (actor: Actor, id: string) => Promise<OpenedFile | null>
  readonly byId: (id: string) => Promise<FileRow | null>
  /** Throws FORBIDDEN if there is none. */
  readonly existing: (id: string) => Promise<FileRow>
  readonly byIds: (ids: readonly string[]) => Promise<readonly FileRow[]>
  /** All rows, a page at a time, in the order of their keys. */
  readonly pages: (storage?: string) => AsyncGenerator<readonly FileRow[]>
  readonly count: (storage?: string) => Promise<number>
  /** Says that the content of a row lies in another storage now. False: the row has changed meanwhile. */
  readonly relocate: (row: FileRow, storage: string) => Promise<boolean>
  /** Which of the objects belong to a row. */
  readonly kept: (objects: readonly FileObject[]) => Promise<ReadonlySet<string>>
}

const columns = [
  'id',
  'storage',
  'filename_disk',
  'filename_download',
  'type',
  'filesize',
  'checksum',
  'folder',
  'width',
  'height',
  'focal_point_x',
  'focal_point_y',
  'uploaded_on',
  'created_on',
] as const satisfies readonly (keyof typeof files.columns)[]

/** Settings that open a file to everybody, as an asset. */
const openBy = ['project_logo', 'public_foreground', 'public_background', 'public_favicon'] as const

const address = { collection: files.name, isSystem: true } as const

type QueryOf = ReturnType<typeof createQueryOf>

const createQueryOf = (limits: QueryLimits) => (wire: Payload) => {
  const parsed = parseQuery(wire, { ...limits, limitDefault: -1, limitMax: null })
  return { ...parsed, queryKey: queryKeyOf(parsed.query) }
}

/** How a caller may read a file. */
function createOpenedFor(engine: Engine, queryOf: QueryOf): FileRows['opened'] {
  /** The name of a row, or none of its fields; null: the row is closed for who asks so. */
  const readFor = async (actor: Actor, id: string, isNamed: boolean): Promise<OpenedFile | null> => {
    const prepared = queryOf({ fields: ['filename_download'] })
    const query = isNamed ? prepared.query : { ...prepared.query, select: [] }
    try {
      const read = itemRead(address, { ...prepared, query, queryKey: queryKeyOf(query) }, () => [id])
      const { data, isOfNow } = await engine.item(actor, read)
      return { name: text((JSON.parse(data) as Payload)['filename_download']), isOfNow }
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'FORBIDDEN') return null
      throw error
    }
  }

  const openedUnder = async (actor: Actor, id: string): Promise<OpenedFile | null> => {
    const collection = engine.schema().system.get(files.name)
    if (collection === undefined || !actor.may('read', collection)) return null
    const fields = actor.fieldsFor(collection, 'read')
    const isNamed = fields === 'all' || fields.has('filename_download')
    // A permission without the name may open the row all the same.
    return (isNamed ? await readFor(actor, id, true) : null) ?? readFor(actor, id, false)
  }

  return async (given, id) => {
    const opened = await openedUnder(given, id)
    if (typeof opened?.name === 'string') return opened
    // What is closed must not be so by old permissions.
    const newest = await engine.renew(given)
    return newest.permissionVersion === given.permissionVersion ? opened : openedUnder(newest, id)
  }
}

export function createFileRows(engine: Engine, limits: QueryLimits): FileRows {
  const queryOf = createQueryOf(limits)
  const opened = createOpenedFor(engine, queryOf)

  const select: Select = async (filter, page = {}) => {
    const query = queryOf({ fields: columns, filter, ...page })
    const { rows } = await engine.list(administrator, listRead(address, query))
    return rows.map((row) => fileRow(JSON.parse(row) as Payload))
  }

  const byId = async (id: string) => (isUuid(id) ? ((await select({ id: { _eq: id } }))[0] ?? null) : null)

  /** Administrators know every name, as long as they still are administrators. */
  const openedOrKnown = async (given: Actor, id: string, row: FileRow | null): Promise<OpenedFile | null> => {
    const actor = given.isAdmin ? await engine.renew(given) : given
    if (!actor.isAdmin) return opened(actor, id)
    return row === null ? null : { name: row.name, isOfNow: false }
  }

  const isOfProject = async (id: string): Promise<boolean> => {
    const read = listRead({ collection: settings.name, isSystem: true }, queryOf({ fields: openBy, limit: 1 }))
    const { rows } = await engine.list(administrator, read)
    const [row] = rows.map((text) => JSON.parse(text) as Payload)
    return openBy.some((name) => row?.[name] === id)
  }

  return {
    byId,
    opened,
    async existing(id) {
      const row = await byId(id)
      if (row === null) throw forbidden()
      return row
    },
    byIds: (ids) => select({ id: { _in: ids.filter(isUuid) } }),
    async readable(actor, id) {
      if (!isUuid(id)) throw forbidden()
      // One statement at a time: the pool queues as many as there may be requests.
      const row = await byId(id)
      const found = await openedOrKnown(actor, id, row)
      if (row !== null && found !== null) return { row, ...found, isOfProject: false }
      // Asked for missing files too, so that they take as long as closed ones.
      if (!(await isOfProject(id.toLowerCase())) || row === null) throw forbidden()
      return { row, name: null, isOfNow: false, isOfProject: true }
    },
    ...createRelocation(engine, queryOf, select),
    async kept(objects) {
      const rows = await select({ id: { _in: objects.map(({ id }) => id) } })
      return new Set(rows.flatMap(({ key }) => key ?? []))
    },
  }
}

const PAGE = 500

type Select = (filter: Payload, page?: Payload) => Promise<readonly FileRow[]>

const service = { ip: null, userAgent: 'tain' } as const

/** What commands need: to go through all rows, and to say that their content has moved. */
function createRelocation(
  engine: Engine,
  queryOf: QueryOf,
  select: Select,
): Pick<FileRows, 'pages' | 'count' | 'relocate'> {
  const within = (storage?: string): Payload => (storage === undefined ? {} : { storage: { _eq: storage } })
  return {
    async *pages(storage) {
      let last: string | null = null
      for (;;) {
        const later: Payload = last === null ? {} : { id: { _gt: last } }
        const rows: readonly FileRow[] = await select({ ...within(storage), ...later }, { sort: ['id'], limit: PAGE })
        if (rows.length > 0) yield rows
        if (rows.length < PAGE) return
        last = rows.at(-1)?.id ?? null
      }
    },
    async count(storage) {
      const query = queryOf({ aggregate: { count: ['id'] }, filter: within(storage) })
      const [row = '{}'] = (await engine.list(administrator, listRead(address, query))).rows
      return Number((JSON.parse(row) as { readonly count?: { readonly id?: unknown } }).count?.id ?? 0)
    },
    async relocate({ id, storage: from, key }, storage) {
      const read = itemRead(address, queryOf({ fields: ['storage', 'filename_disk'] }), () => [id])
      const { data, rowVersion } = await engine.item(administrator, read)
      const found = JSON.parse(data) as Payload
      if (found['storage'] !== from || found['filename_disk'] !== key) return false
      const target = { kind: 'parts', keys: [[id]] } as const
      const mutation = { ...address, kind: 'update', target, data: {}, filled: { values: { storage } } } as const
      const write = { mutation, read: null, ifMatch: [`"${rowVersion}"`], origin: service }
      try {
        await engine.write(administrator, [write], { isDryRun: false, claim: null })
        return true
      } catch (error) {
        if (error instanceof ServiceError && ['PRECONDITION_FAILED', 'FORBIDDEN'].includes(error.code)) return false
        throw error
      }
    },
  }
}

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null)
const number = (value: unknown): number | null => (value === null || value === undefined ? null : Number(value))

function fileRow(row: Payload): FileRow {
  const [x, y] = [number(row['focal_point_x']), number(row['focal_point_y'])]
  return {
    id: String(row['id']),
    storage: String(row['storage']),
    key: text(row['filename_disk']),
    name: String(row['filename_download']),
    type: text(row['type']),
    size: number(row['filesize']),
    checksum: text(row['checksum']),
    folder: text(row['folder']),
    width: number(row['width']),
    height: number(row['height']),
    focalPoint: x === null || y === null ? null : { x, y },
    modified: new Date(text(row['uploaded_on']) ?? text(row['created_on']) ?? 0),
  }
}
