import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { exportFormats, isExportFormat, type ExportFormat } from '@tain/contract'
import { isPayload, type Payload } from '../query/mutation.ts'
import { Usage, type ExitCode, type Invocation, type Run } from './command.ts'
import { withCore } from './with-core.ts'

type Options = Invocation['options']

export const exportItems: Run = async (invocation) => {
  const { operands, options, terminal } = invocation
  const [collection = ''] = operands
  const [format, query] = [formatIn(options), queryIn(options)]
  const out = typeof options['out'] === 'string' ? options['out'] : null
  return withCore<ExitCode>(invocation, { onlyLooks: true }, async ({ operator }) => {
    const progress = terminal.progress(collection, null)
    const pieces = await operator.exportRows(collection, query, { format, onRows: progress.advance })
    const source = Readable.from(pieces, { objectMode: false })
    try {
      if (out === null) await pipeline(source, terminal.output, { end: false })
      else await pipeline(source, createWriteStream(out))
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException
      if (out !== null && fileErrors.has(code)) throw new Usage(`The file ${out} cannot be written (${code}).`)
      throw error
    }
    progress.end()
    return 0
  })
}

export const importItems: Run = async (invocation) => {
  const { operands, terminal } = invocation
  const [collection = '', file = ''] = operands
  const { size } = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw new Usage(`The file ${file} cannot be read (${error.code}).`)
  })
  return withCore<ExitCode>(invocation, { onlyLooks: false, hasExtensions: true }, async ({ operator }) => {
    const progress = terminal.progress(`${basename(file)}, bytes`, size)
    async function* content(): AsyncGenerator<Buffer> {
      let read = 0
      for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
        read += chunk.length
        progress.advance(read)
        yield chunk
      }
    }
    const rows = await operator.importRows(collection, { fileName: basename(file), content: content() })
    progress.end()
    terminal.tell(`${rows.toLocaleString('en')} items imported into ${collection}.`)
    return 0
  })
}

const fileErrors = new Set(['ENOENT', 'EACCES', 'EISDIR', 'ENOTDIR', 'ENOSPC', 'EROFS'])

function formatIn({ format, out }: Options): ExportFormat {
  const ending = typeof out === 'string' ? extname(out).slice(1).toLowerCase().replace('yml', 'yaml') : ''
  const wanted = typeof format === 'string' ? format : isExportFormat(ending) ? ending : 'json'
  if (isExportFormat(wanted)) return wanted
  throw new Usage(`The option "--format" has to be one of ${Object.keys(exportFormats).join(', ')}.`)
}

function queryIn({ query }: Options): Payload {
  if (typeof query !== 'string') return {}
  const parsed = parsedJson(query)
  if (!isPayload(parsed)) throw new Usage('The option "--query" has to be a JSON object, such as {"limit": 10}.')
  if (parsed['export'] !== undefined) throw new Usage('The format is given by the option "--format".')
  return parsed
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
