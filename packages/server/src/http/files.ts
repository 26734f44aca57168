import { invalidPayload } from '@tain/contract'
import { files } from '@tain/contract/collections'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { authorizeFiles } from '../files/authorize-files.ts'
import type { Files } from '../files/files.ts'
import type { NewFile, Writer } from '../files/library.ts'
import type { NamedBy, Search } from './addressed-collection.ts'
import { actorOf, originOf, type HttpContext } from './context.ts'
import { announced } from './dry-run.ts'
import { readFileForm } from './file-form.ts'
import { arrivingIn, boundaryIn, receiveForms } from './form-file.ts'
import { keyFromUrl } from './key.ts'
import { sendReply, writeRoutes, type WriteHandler } from './writes.ts'

/** Writes of files: forms bring content, everything else is as with other items. */
export function fileRoutes(
  app: FastifyInstance,
  context: HttpContext,
  library: Files,
  namedBy: NamedBy,
  search: Search,
): void {
  void app.register(async (scope) => {
    receiveForms(scope)
    writeRoutes(scope, context, `/${files.path}`, namedBy, search, (write) =>
      receiving({ ...context, files: library }, write),
    )
  })
}

/** What is still taken from a client whose file is refused. */
const MOST_LEFT = 64 * 1024 ** 2

interface FileContext extends HttpContext {
  readonly files: Files
}

const receiving =
  (context: FileContext, write: WriteHandler): WriteHandler =>
  async (request, reply) => {
    const boundary = boundaryIn(request)
    if (boundary === null) return write(request, reply)
    const arriving = arrivingIn(request)
    try {
      return await receive(request, reply, context, { source: arriving.bytes, boundary })
    } catch (error) {
      await arriving.leave(MOST_LEFT)
      throw error
    }
  }

interface Form {
  readonly source: AsyncIterator<Buffer>
  readonly boundary: string
}

async function receive(
  request: FastifyRequest,
  reply: FastifyReply,
  context: FileContext,
  form: Form,
): Promise<FastifyReply> {
  const actor = await actorOf(request, context)
  const key = (request.params as { key?: string }).key === undefined ? null : keyFromUrl(request.raw.url ?? '')
  const { library } = context.files
  await authorizeFiles(context.engine, actor, key === null ? 'create' : 'update')
  const { query, queryKey, values } = context.queryOf(request)
  const writer: Writer = {
    actor,
    origin: originOf(request, context),
    read: { query, queryKey, values },
    isDryRun: announced(request, reply),
  }
  request.leaveFlight()
  if (key !== null) return receiveNext(key[0] ?? '', request, reply, context, { form, writer })
  if (request.method !== 'POST') throw invalidPayload('Content is replaced one file at a time: PATCH /files/{id}')
  const received = await receiveAll(form, writer, context)
  const write = await library.create(received, writer)
  return sendReply(reply, received.length === 1 ? 'one' : 'many', write)
}

/** Receives every file of a form, or none. */
async function receiveAll(
  { source, boundary }: Form,
  writer: Writer,
  { files: { library }, mostText }: FileContext,
): Promise<readonly NewFile[]> {
  const stored: NewFile[] = []
  try {
    const parts = await readFileForm(source, boundary, mostText, async (description, content) => {
      const file = await library.receive(content, description, writer)
      stored.push(file)
      return file
    })
    return parts.map(({ description, received }) => ({ ...received, ...description }))
  } catch (error) {
    await library.drop(stored)
    throw error
  }
}

interface Replacement {
  readonly form: Form
  readonly writer: Writer
}

async function receiveNext(
  id: string,
  request: FastifyRequest,
  reply: FastifyReply,
  { files: { library }, mostText }: FileContext,
  { form: { source, boundary }, writer }: Replacement,
): Promise<FastifyReply> {
  const header = request.headers['if-match']
  const ifMatch = header === undefined ? null : header.split(',').map((tag) => tag.trim())
  const stored: NewFile[] = []
  try {
    const parts = await readFileForm(source, boundary, mostText, async (description, content) => {
      if (stored.length > 0) throw invalidPayload('A file has one content')
      const file = await library.receiveFor(id, content, description, writer, ifMatch)
      stored.push(file)
      return file
    })
    const [file] = parts.map(({ description, received }) => ({ ...received, ...description }))
    if (file === undefined) throw invalidPayload('The form has no file')
    const write = await library.replace(file, writer, ifMatch)
    return sendReply(reply, 'one', write)
  } catch (error) {
    await library.drop(stored)
    throw error
  }
}
