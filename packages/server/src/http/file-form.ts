import { invalidPayload } from '@tain/contract'
import { fieldValue } from '../files/field-value.ts'
import type { Description } from '../files/library.ts'
import { utf8Text } from '../lib/utf8.ts'
import { formParts, type FormPart } from './multipart-form.ts'

/** A file of a form: what describes it may also come after it, if it is the last one. */
export interface FormFile<T> {
  readonly description: Description
  readonly received: T
}

/**
 * Goes through a form. Fields describe the next file, those after the last file that one; `receive` gets each file with
 * what is known of it, and its result is kept.
 */
export async function readFileForm<T>(
  source: AsyncIterator<Buffer>,
  boundary: string,
  mostText: number,
  receive: (description: Description, content: AsyncIterable<Buffer>) => Promise<T>,
): Promise<readonly FormFile<T>[]> {
  const files: FormFile<T>[] = []
  let fields = noFields()
  for await (const part of formParts(source, boundary)) {
    if (part.filename === null) fields[part.name] = await valueOf(part, mostText)
    else {
      const description = describe(part, part.filename, fields)
      fields = noFields()
      files.push({ description, received: await receive(description, part.content) })
    }
  }
  const last = files.pop()
  if (last === undefined) throw invalidPayload('The form has no file')
  return [...files, { ...last, description: withFields(last.description, fields) }]
}

/** Without a prototype, a field may have any name. */
const noFields = () => Object.create(null) as Record<string, unknown>

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** A name and a type among the fields win over those of the part. */
function describe({ type }: FormPart, filename: string, fields: Readonly<Record<string, unknown>>): Description {
  const { filename_download: name, type: claimed, ...rest } = fields
  return { claim: { name: textOf(name) ?? filename, type: textOf(claimed) ?? type }, fields: rest }
}

function withFields({ claim, fields }: Description, more: Readonly<Record<string, unknown>>): Description {
  const { filename_download: name, type, ...rest } = more
  if (rest['id'] !== undefined || rest['storage'] !== undefined || type !== undefined)
    throw invalidPayload('"id", "storage" and "type" have to come before the file')
  return { claim: { ...claim, name: textOf(name) ?? claim.name }, fields: { ...fields, ...rest } }
}

async function valueOf({ name, content }: FormPart, most: number): Promise<unknown> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of content) {
    size += piece.length
    if (size > most) throw invalidPayload(`The field "${name}" is longer than ${most} bytes`)
    pieces.push(piece)
  }
  const text = utf8Text(Buffer.concat(pieces))
  if (text === null) throw invalidPayload(`The field "${name}" has to be text in UTF-8`)
  return fieldValue(name, text)
}
