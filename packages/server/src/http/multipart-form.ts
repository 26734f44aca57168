import { invalidPayload } from '@tain/contract'

/** A part of a form. Its content has to be read before the next part. */
export interface FormPart {
  readonly name: string
  /** null: it is a text field. */
  readonly filename: string | null
  readonly type: string | null
  readonly content: AsyncGenerator<Buffer>
}

const MOST_HEADER = 16 * 1024
const MOST_OF_A_KIND = 100

const broken = (why: string) => invalidPayload(`The form is broken: ${why}`)

/** The boundary in a Content-Type header; null: it is no form. */
export function boundaryOf(header: string | undefined): string | null {
  if (header === undefined || !/^multipart\/form-data\s*(?:;|$)/iu.test(header)) return null
  const found = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/iu.exec(header)
  return found?.[1] ?? found?.[2] ?? ''
}

/** Bytes of a request, with a view of what lies ahead. */
interface Ahead {
  bytes: Buffer
  /** False: nothing more comes. */
  readonly more: () => Promise<boolean>
}

function readAhead(source: AsyncIterator<Buffer>): Ahead {
  const ahead: Ahead = {
    bytes: Buffer.alloc(0),
    async more() {
      const { value, done } = await source.next()
      if (done === true) return false
      ahead.bytes = ahead.bytes.length === 0 ? value : Buffer.concat([ahead.bytes, value])
      return true
    },
  }
  return ahead
}

/** The parts of a form while they arrive, in constant memory. */
export async function* formParts(source: AsyncIterator<Buffer>, boundary: string): AsyncGenerator<FormPart> {
  if (boundary === '') throw broken('its Content-Type names no boundary')
  const ahead = readAhead(source)
  const counts = { fields: 0, files: 0 }
  await skipTo(ahead, Buffer.from(`\r\n--${boundary}`))
  while (!(await isLast(ahead))) {
    const part = partOf(await headerOf(ahead))
    const kind = part.filename === null ? 'fields' : 'files'
    counts[kind] += 1
    if (counts[kind] > MOST_OF_A_KIND) throw invalidPayload(`A form may have at most ${MOST_OF_A_KIND} ${kind}`)
    const content = contentOf(ahead, Buffer.from(`\r\n--${boundary}`))
    yield { ...part, content }
    for await (const _ of content);
  }
}

async function skipTo(ahead: Ahead, mark: Buffer): Promise<void> {
  for (;;) {
    // Only at the beginning of a line is it a boundary.
    const at = ahead.bytes.subarray(0, mark.length - 2).equals(mark.subarray(2)) ? -2 : ahead.bytes.indexOf(mark)
    if (at > MOST_HEADER || (at === -1 && ahead.bytes.length > MOST_HEADER + mark.length))
      throw broken('its boundary is missing')
    if (at !== -1) return void (ahead.bytes = ahead.bytes.subarray(at + mark.length))
    if (!(await ahead.more())) throw broken('its boundary is missing')
  }
}

/** After a boundary: two hyphens end the form, a line end begins a part. */
async function isLast(ahead: Ahead): Promise<boolean> {
  for (;;) {
    const text = ahead.bytes.subarray(0, 128).toString('latin1')
    if (text.startsWith('--')) return true
    const end = /^[ \t]*\r\n/u.exec(text)
    if (end !== null) {
      ahead.bytes = ahead.bytes.subarray(end[0].length)
      return false
    }
    if (text.length >= 128 || !(await ahead.more())) throw broken('it ends in the middle')
  }
}

async function headerOf(ahead: Ahead): Promise<string> {
  const end = Buffer.from('\r\n\r\n')
  for (;;) {
    const at = ahead.bytes.indexOf(end)
    if (ahead.bytes.subarray(0, 2).equals(end.subarray(0, 2))) throw broken('a part has no header')
    if (at > MOST_HEADER || (at < 0 && ahead.bytes.length >= MOST_HEADER + end.length))
      throw broken(`the header of a part has more than ${MOST_HEADER} bytes`)
    if (at >= 0) {
      const header = ahead.bytes.subarray(0, at).toString('utf8')
      ahead.bytes = ahead.bytes.subarray(at + end.length)
      return header
    }
    if (!(await ahead.more())) throw broken('it ends in the middle')
  }
}

async function* contentOf(ahead: Ahead, delimiter: Buffer): AsyncGenerator<Buffer> {
  for (;;) {
    const at = ahead.bytes.indexOf(delimiter)
    if (at >= 0) {
      const last = ahead.bytes.subarray(0, at)
      ahead.bytes = ahead.bytes.subarray(at + delimiter.length)
      if (last.length > 0) yield last
      return
    }
    // What may be the beginning of a delimiter waits for the next bytes.
    const begin = ahead.bytes.indexOf(delimiter[0] ?? 0, Math.max(0, ahead.bytes.length - delimiter.length + 1))
    const safe = begin === -1 ? ahead.bytes.length : begin
    if (safe > 0) {
      const piece = ahead.bytes.subarray(0, safe)
      ahead.bytes = ahead.bytes.subarray(safe)
      yield piece
    }
    if (!(await ahead.more())) throw broken('it ends in the middle')
  }
}

/** A quoted value with escapes; or one whose last character is a backslash; or a plain one. Each takes linear time. */
const PARAMETER = /;\s*([\w!#$&+^`|~-]+\*?)\s*=\s*(?:"((?:[^"\\]|\\[^])*)"|"([^"]*)"|([^;\s"]*))/gu

function partOf(header: string): Omit<FormPart, 'content'> {
  const lines = header.split('\r\n')
  const valueOf = (name: string) =>
    lines.find((line) => line.toLowerCase().startsWith(`${name}:`))?.slice(name.length + 1) ?? null
  const disposition = valueOf('content-disposition')
  if (disposition === null || !/^\s*form-data\s*(?:;|$)/iu.test(disposition))
    throw broken('a part has no Content-Disposition of form data')
  const parameters = new Map<string, string>()
  for (const [, name = '', escaped, quoted, plain = ''] of disposition.matchAll(PARAMETER))
    parameters.set(name.toLowerCase(), escaped?.replaceAll(/\\(["\\])/gu, '$1') ?? quoted ?? plain)
  const name = parameters.get('name')
  if (name === undefined) throw broken('a part has no name')
  const filename = extended(parameters.get('filename*')) ?? parameters.get('filename') ?? null
  const type = valueOf('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''
  return { name, filename, type: type === '' ? null : type }
}

/** `UTF-8''name`, as RFC 8187 writes it. */
function extended(value: string | undefined): string | null {
  const encoded = /^utf-8'[^']*'(.*)$/iu.exec(value ?? '')?.[1]
  if (encoded === undefined) return null
  try {
    return decodeURIComponent(encoded)
  } catch {
    throw broken('a name is not encoded as RFC 8187 says')
  }
}
