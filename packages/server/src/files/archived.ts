import { forbidden } from '@tain/contract'
import { files as fileCollection, folders } from '@tain/contract/collections'
import type { SystemCollectionName } from '@tain/contract/collections'
import type { Actor } from '../access/actor.ts'
import type { Engine } from '../engine/engine.ts'
import { listRead } from '../engine/items/read-items.ts'
import { queryKeyOf } from '../query/keyed-query.ts'
import type { Payload } from '../query/mutation.ts'
import { parseQuery, type QueryLimits } from '../query/parse-query.ts'
import { archivePart, archivePaths, foldersBelow, type FolderRow } from './archive-names.ts'
import { extensionOf } from './download-name.ts'
import type { FileRow } from './file-rows.ts'
import type { Files } from './files.ts'

/** A file with its place in an archive. */
export interface Archived {
  readonly row: FileRow
  readonly path: string
}

export interface ArchiveServices {
  readonly engine: Engine
  readonly limits: QueryLimits
  readonly files: Pick<Files, 'rows'>
}

/** Keys in one statement. */
const BATCH = 500

const rowsFor = async (
  { engine, limits }: ArchiveServices,
  actor: Actor,
  collection: SystemCollectionName,
  wire: Payload,
): Promise<readonly Payload[]> => {
  const parsed = parseQuery(wire, { ...limits, limitDefault: -1, limitMax: null })
  const read = listRead({ collection, isSystem: true }, { ...parsed, queryKey: queryKeyOf(parsed.query) })
  return (await engine.list(actor, read)).rows.map((text) => JSON.parse(text) as Payload)
}

/** The fields that the caller may read, of these. */
function readable({ engine }: ArchiveServices, actor: Actor, name: SystemCollectionName, wanted: readonly string[]) {
  const collection = engine.schema().system.get(name)
  if (collection === undefined || !actor.may('read', collection)) throw forbidden()
  const fields = actor.fieldsFor(collection, 'read')
  return wanted.filter((field) => fields === 'all' || fields.has(field))
}

const batches = <T>(all: readonly T[]): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(all.length / BATCH) }, (_, at) => all.slice(at * BATCH, (at + 1) * BATCH))

/** What the caller may read of the files that a filter finds, with content. */
async function found(
  services: ArchiveServices,
  given: Actor,
  filter: Payload,
): Promise<readonly { readonly row: FileRow; readonly name: string }[]> {
  const actor = await services.engine.renew(given)
  const fields = readable(services, actor, fileCollection.name, ['id', 'filename_download'])
  if (!fields.includes('id')) throw forbidden()
  const names = new Map(
    (await rowsFor(services, actor, fileCollection.name, { fields, filter, sort: ['id'] })).map((row) => [
      String(row['id']),
      row['filename_download'],
    ]),
  )
  const rows: FileRow[] = []
  for (const keys of batches([...names.keys()])) rows.push(...(await services.files.rows.byIds(keys)))
  return rows.map((row) => ({ row, name: nameOf(row, names.get(row.id)) }))
}

function nameOf({ id, name, key }: FileRow, readableName: unknown): string {
  if (typeof readableName === 'string') return readableName
  const extension = extensionOf(key ?? name)
  return extension === null ? id : `${id}.${extension}`
}

/** All of the files, or FORBIDDEN. */
export async function archivedFiles(
  services: ArchiveServices,
  actor: Actor,
  ids: readonly string[],
): Promise<readonly Archived[]> {
  const all: { readonly row: FileRow; readonly name: string }[] = []
  for (const keys of batches(ids)) all.push(...(await found(services, actor, { id: { _in: keys } })))
  if (all.length < ids.length || all.some(({ row }) => row.key === null)) throw forbidden()
  const byId = new Map(all.map((each) => [each.row.id, each]))
  const inOrder = ids.flatMap((id) => byId.get(id) ?? [])
  const paths = archivePaths(inOrder.map(({ name }) => ({ folders: [], name })))
  return inOrder.map(({ row }, at) => ({ row, path: paths[at] ?? row.id }))
}

/** The files of a folder and of those below it, as far as the caller may read both. */
export async function archivedFolder(
  services: ArchiveServices,
  given: Actor,
  id: string,
): Promise<{ readonly name: string; readonly archived: readonly Archived[] }> {
  const actor = await services.engine.renew(given)
  const fields = readable(services, actor, folders.name, ['id', 'name', 'parent'])
  if (!fields.includes('id')) throw forbidden()
  const rows = (await rowsFor(services, actor, folders.name, { fields })).map(folderRow)
  const top = rows.find((row) => row.id === id.toLowerCase())
  if (top === undefined) throw forbidden()
  const places = foldersBelow(top.id, rows)
  const placed: { readonly row: FileRow; readonly name: string; readonly folders: readonly string[] }[] = []
  for (const keys of batches([...places.keys()]))
    for (const each of await found(services, actor, { folder: { _in: keys } }))
      if (each.row.key !== null) placed.push({ ...each, folders: places.get(each.row.folder ?? '') ?? [] })
  const paths = archivePaths(placed)
  return {
    name: archivePart(top.name),
    archived: placed.map(({ row }, at) => ({ row, path: paths[at] ?? row.id })),
  }
}

const folderRow = ({ id, name, parent }: Payload): FolderRow => ({
  id: String(id),
  name: typeof name === 'string' ? name : String(id),
  parent: typeof parent === 'string' ? parent : null,
})
