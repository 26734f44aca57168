import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'

/** A file of an archive. */
export interface ArchiveEntry {
  readonly path: string
  readonly type: string | null
  readonly modified: Date
  /** Called when its turn has come, so that one file is open at a time; null: its content is lost. */
  readonly open: () => Promise<Readable | null>
}

/** Contents that become much smaller. Pictures, films and archives are compressed already. */
const isDense = (type: string | null): boolean =>
  !/^(?:text\/|application\/(?:json|xml|javascript|sql|rtf|x-ndjson)|image\/(?:svg|bmp|tiff)|[^;]*\+(?:json|xml))/u.test(
    type ?? '',
  )

const LEVEL = 6

/** The types of the package promise less than it gives. */
function readable(stream: NodeJS.ReadableStream): Readable {
  if (!(stream instanceof Readable)) throw new Error('the archive is no stream')
  return stream
}

/**
 * A zip of files, made while it is read. A reader that goes away ends it. Content that is lost or breaks off breaks the archive
 * off: nobody takes it for a whole one.
 */
export function createArchive(entries: readonly ArchiveEntry[]): Readable {
  const zip = new ZipFile()
  const output = readable(zip.outputStream)
  let current: Readable | null = null

  const fail = (error: Error) => output.destroy(error)

  async function open(entry: ArchiveEntry): Promise<Readable> {
    const content = await entry.open()
    if (content === null) throw new Error('the content of a file is lost')
    content.once('error', fail)
    current = content
    if (output.destroyed) content.destroy()
    return content
  }

  output.once('close', () => current?.destroy())
  zip.once('error', fail)
  for (const entry of entries) {
    const compressionLevel = isDense(entry.type) ? 0 : LEVEL
    zip.addReadStreamLazy(entry.path, { mtime: entry.modified, compressionLevel }, (take) => {
      if (output.destroyed) return
      open(entry).then((content) => take(null, content), fail)
    })
  }
  zip.end()
  return output
}
