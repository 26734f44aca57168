import { forbidden, invalidPayload, assetParameters, ServiceError, type FileProcedureName } from '@tain/contract'
import type { Actor } from '../../access/actor.ts'
import { shownRows } from '../../engine/items/write-items.ts'
import { signedQuery } from '../../files/asset-link.ts'
import { authorizeFiles } from '../../files/authorize-files.ts'
import type { Files } from '../../files/files.ts'
import { openOutside, type OutsideLimits } from '../../files/import-url.ts'
import { outsideUrl } from '../../lib/outside-request.ts'
import type { Implementations, Procedure } from '../../procedure.ts'
import { queryKeyOf } from '../../query/keyed-query.ts'
import type { Payload } from '../../query/mutation.ts'
import type { AssetLinks } from '../../store/asset-links.ts'
import { exportItems, type ExportServices } from '../export/export-file.ts'

export interface FileServices extends ExportServices {
  readonly files: Files
  readonly outside: OutsideLimits
  /** Signs links to assets. */
  readonly linkKey: Buffer
  readonly generation: AssetLinks['generation']
  /** null: links begin with a slash. */
  readonly publicUrl: string | null
}

/** Procedures that bring, share and make files. */
export const createFileProcedures = (services: FileServices): Implementations<FileProcedureName> => ({
  importFile: importFile(services),
  getFileUrl: getFileUrl(services),
  exportItems: exportItems(services),
})

/** The members of a description, or nothing. */
export function descriptionIn(value: unknown, name: string): Payload {
  if (value === null || value === undefined) return {}
  if (typeof value !== 'object' || Array.isArray(value)) throw invalidPayload(`"${name}" has to be an object`)
  return value as Payload
}

const importFile =
  ({ engine, files: { library }, outside }: FileServices): Procedure<'importFile'> =>
  async (call) => {
    const { actor, origin } = call
    const { url, data } = call.input
    await authorizeFiles(engine, actor, 'create')
    const address = outsideUrl(url)
    if (address === null)
      throw invalidPayload('"url" has to be an address with http or https, without a user name and a password')
    const fields = descriptionIn(data, 'data')
    const { query, values } = call.selection()
    const read = { query, queryKey: queryKeyOf(query), values }
    const writer = { actor, origin, read, isDryRun: call.isDryRun }
    const found = await openOutside(address, outside)
    try {
      const { filename_download: wanted, ...others } = fields
      const claim = typeof wanted === 'string' ? { ...found.claim, name: wanted } : found.claim
      const description = { claim, fields: typeof wanted === 'string' ? others : fields }
      const file = await library.receive(found.content, description, writer)
      const reply = await library.create([file], writer)
      return { data: shownRows({ shows: 'one' }, reply)?.[0] ?? null, rowVersion: reply.rowVersion }
    } finally {
      found.close()
    }
  }

const HOUR = 3600

/** A link lasts as long as its maker may read the file, so it needs a maker. */
function makerOf({ user, isViewed = false }: Actor): string {
  if (isViewed)
    throw new ServiceError('UNPROCESSABLE_CONTENT', 'Links cannot be made with X-View-As. Send the request without it.')
  if (user === null) throw forbidden()
  return user
}

const getFileUrl =
  ({ files: { rows }, linkKey, generation, publicUrl }: FileServices): Procedure<'getFileUrl'> =>
  async ({ actor, input }) => {
    const { id, expires_in: seconds } = input
    const user = makerOf(actor)
    if ((await rows.opened(actor, id)) === null) throw forbidden()
    const expires = Math.floor(Date.now() / 1000) + (seconds ?? HOUR)
    const parameters = assetParameters.flatMap((name) => (input[name] === null ? [] : [[name, input[name]] as const]))
    const current = await generation(user)
    if (current === null) throw forbidden()
    const query = signedQuery({ id, user, expires, parameters }, current, linkKey)
    const url = `${publicUrl?.replace(/\/$/u, '') ?? ''}/assets/${encodeURIComponent(id)}?${query}`
    return { url, expires_on: new Date(expires * 1000).toISOString() }
  }
