import { invalidPayload } from '@tain/contract'
import { utf8Text } from '../../lib/utf8.ts'
import { fieldValue } from '../field-value.ts'
import type { UploadWish } from './target.ts'

const MOST_KEYS = 100

/** The header `Upload-Metadata`: keys with their values in base64, separated by commas. */
export function parseMetadata(header: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  for (const entry of header.split(',')) {
    const [key = '', encoded = '', ...rest] = entry.trim().split(' ')
    if (key === '' && values.size === 0 && header.trim() === '') break
    if (!/^[\w.-]+$/u.test(key) || rest.length > 0 || values.size === MOST_KEYS)
      throw invalidPayload('Upload-Metadata has to be a list of keys with values in base64')
    if (values.has(key)) throw invalidPayload(`Upload-Metadata has the key ${key} twice`)
    const value = /^[A-Za-z\d+/]*={0,2}$/u.test(encoded) ? utf8Text(Buffer.from(encoded, 'base64')) : null
    if (value === null) throw invalidPayload(`The value of ${key} in Upload-Metadata has to be text in base64`)
    values.set(key, value)
  }
  return values
}

/** The metadata describes the file like a form; `id` names one that gets new content. */
export function wishIn(metadata: ReadonlyMap<string, string>): UploadWish {
  const { id, filename_download: name, type, ...rest } = Object.fromEntries(metadata)
  if (name === undefined || name === '') throw invalidPayload('Upload-Metadata has to have filename_download')
  const fields = Object.fromEntries(Object.entries(rest).map(([key, text]) => [key, fieldValue(key, text)]))
  return { replaced: id ?? null, claim: { name, type: type === undefined || type === '' ? null : type }, fields }
}

export interface Checksum {
  readonly algorithm: string
  readonly digest: Buffer
}

export const checksumAlgorithms = ['sha1', 'sha256'] as const

/** The header `Upload-Checksum`: an algorithm and a digest in base64. */
export function parseChecksum(header: string | undefined): Checksum | null {
  if (header === undefined) return null
  const [algorithm = '', encoded = ''] = header.trim().split(' ')
  if (!checksumAlgorithms.some((known) => known === algorithm))
    throw invalidPayload(`Upload-Checksum has to begin with ${checksumAlgorithms.join(' or ')}`)
  return { algorithm, digest: Buffer.from(encoded, 'base64') }
}

/** A header that is a whole number, such as `Upload-Offset`. */
export function parseCount(name: string, header: string | undefined): number {
  const count = /^\d{1,15}$/u.test(header ?? '') ? Number(header) : Number.NaN
  if (Number.isNaN(count)) throw invalidPayload(`The header ${name} has to be a whole number`)
  return count
}
