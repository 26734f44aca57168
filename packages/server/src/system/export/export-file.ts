import { randomUUID } from 'node:crypto'
import { exportFormats, invalidPayload, isExportFormat, ServiceError, type ExportFormat } from '@tain/contract'
import { files as fileCollection, notifications } from '@tain/contract/collections'
import type { Actor } from '../../access/actor.ts'
import type { Engine } from '../../engine/engine.ts'
import { listRead } from '../../engine/items/read-items.ts'
import { targetLimits } from '../../engine/items/write-items.ts'
import type { Read } from '../../engine/read.ts'
import { authorizeFiles } from '../../files/authorize-files.ts'
import type { Files } from '../../files/files.ts'
import type { Description, Writer } from '../../files/library.ts'
import { createConcurrencyLimit } from '../../lib/concurrency-limit.ts'
import type { Observe } from '../../observe.ts'
import type { Procedure } from '../../procedure.ts'
import { queryKeyOf } from '../../query/keyed-query.ts'
import type { Payload } from '../../query/mutation.ts'
import { parseQuery, type QueryLimits } from '../../query/parse-query.ts'
import { findCollection } from '../../schema/schema.ts'
import type { Operator } from '../operator.ts'
import { userOf } from '../procedures/self.ts'
import { exportPieces } from './export.ts'

export interface ExportServices {
  readonly engine: Engine
  readonly files: Files
  readonly limits: QueryLimits
  /** Writes the notifications. */
  readonly operator: Pick<Operator, 'create'>
  readonly observe: Observe
}

/** An export that was accepted. */
interface Order {
  readonly user: string
  readonly collection: string
  readonly read: Read
  readonly format: ExportFormat
  readonly description: Description
  readonly writer: Writer
}

/** Each holds a connection to the database while it runs. */
const AT_ONCE = 2
const WAITING = 50

const busy = () =>
  new ServiceError('SERVICE_UNAVAILABLE', 'Too many exports are waiting. Try again later.', { service: 'export' })

/** What can be refused is refused at once; the rows are read and written afterwards. */
export function exportItems(services: ExportServices): Procedure<'exportItems'> {
  const inTurn = createConcurrencyLimit(AT_ONCE, WAITING, busy)
  let accepted = 0
  return async (call) => {
    const order = await orderOf(call.actor, call.input, call.origin, services)
    if (accepted >= AT_ONCE + WAITING) throw busy()
    accepted += 1
    void inTurn(() => fulfil(order, services)).finally(() => (accepted -= 1))
  }
}

const bare = (type: string) => type.split(';')[0] ?? type

function fileName(collection: string, format: ExportFormat, now: Date): string {
  const time = now
    .toISOString()
    .replaceAll(/[-:]|\.\d+Z/gu, '')
    .replace('T', '-')
  return `export-${collection}-${time}.${exportFormats[format].extension}`
}

const objectIn = (value: unknown, name: string): Payload => {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidPayload(`"${name}" has to be an object`)
  return value as Payload
}

type Input = Parameters<Procedure<'exportItems'>>[0]['input']

async function orderOf(
  actor: Actor,
  { collection, query, format, file }: Input,
  origin: Writer['origin'],
  { engine, files, limits }: ExportServices,
): Promise<Order> {
  const user = userOf(actor)
  const wanted = objectIn(query, 'query')
  if (typeof format !== 'string' || !isExportFormat(format))
    throw invalidPayload(`"format" has to be one of ${Object.keys(exportFormats).join(', ')}`)
  const fields = file === null || file === undefined ? {} : objectIn(file, 'file')
  await authorizeFiles(engine, actor, 'create')
  const read = await checkedRead(actor, collection, wanted, engine, limits)
  const { filename_download: given, ...others } = fields
  const type = bare(exportFormats[format].type)
  const name = typeof given === 'string' ? given : fileName(collection, format, new Date())
  const description = { claim: { name, type }, fields: typeof given === 'string' ? others : fields }
  const writer = { actor, origin, read: null, isDryRun: false }
  files.contents.checkType(type)
  await files.library.checkCreate({ ...description, id: randomUUID() }, type, writer)
  return { user, collection, read, format, description, writer }
}

/** Reads one row, so that whatever the query asks too much is refused now. */
async function checkedRead(
  actor: Actor,
  collection: string,
  wire: Payload,
  engine: Engine,
  limits: QueryLimits,
): Promise<Read> {
  const { export: _, ...wanted } = wire
  const isSystem = findCollection(engine.schema(), collection, false) === undefined
  const readOf = (query: Payload) => {
    const parsed = parseQuery(query, targetLimits(limits))
    return listRead({ collection, isSystem }, { ...parsed, queryKey: queryKeyOf(parsed.query) })
  }
  const read = readOf(wanted)
  await engine.list(actor, wanted['aggregate'] === undefined ? readOf({ ...wanted, limit: 1 }) : read)
  return read
}

async function* bytesOf(pieces: AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const piece of pieces) yield Buffer.from(piece)
}

/** With the rights that the caller has by then. */
async function fulfil(order: Order, services: ExportServices): Promise<void> {
  const { collection, read, format, description } = order
  const { engine, files, observe } = services
  try {
    const actor = await engine.renew(order.writer.actor)
    const writer = { ...order.writer, actor }
    const pieces = await exportPieces(await engine.stream(actor, read), format)
    const file = await files.library.receive(bytesOf(pieces), description, writer)
    await files.library.create([file], writer)
    await notify(order, services, { subject: `Your export of "${collection}" is ready`, item: file.id })
  } catch (error) {
    observe({ kind: 'export-failed', collection, error })
    const message = error instanceof ServiceError ? error.message : 'Try again later.'
    await notify(order, services, { subject: `Your export of "${collection}" has failed`, message }).catch(
      (failure: unknown) => observe({ kind: 'export-failed', collection, error: failure }),
    )
  }
}

async function notify({ user }: Order, { operator }: ExportServices, content: Payload): Promise<void> {
  const about = content['item'] === undefined ? {} : { collection: fileCollection.name }
  await operator.create(notifications.name, { recipient: user, ...about, ...content }, ['id'])
}
