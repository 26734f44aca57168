import { extensionOf } from './download-name.ts'
import { needsSignature, signedTypeOf } from './signatures.ts'

/** The number of first bytes that decide about a type. */
export const HEAD_BYTES = 4096

const UNKNOWN = 'application/octet-stream'

/** Types by extension. The first extension of a type is the one that its objects get. */
const types: Readonly<Record<string, readonly string[]>> = {
  'image/jpeg': ['jpg', 'jpeg', 'jpe', 'jfif'],
  'image/png': ['png'],
  'image/gif': ['gif'],
  'image/webp': ['webp'],
  'image/avif': ['avif'],
  'image/heic': ['heic'],
  'image/heif': ['heif'],
  'image/tiff': ['tiff', 'tif'],
  'image/bmp': ['bmp'],
  'image/x-icon': ['ico'],
  'image/svg+xml': ['svg'],
  'application/pdf': ['pdf'],
  'application/zip': ['zip'],
  'application/gzip': ['gz', 'tgz'],
  'application/x-tar': ['tar'],
  'application/x-7z-compressed': ['7z'],
  'application/json': ['json'],
  'application/geo+json': ['geojson'],
  'application/xml': ['xml'],
  'application/xhtml+xml': ['xhtml'],
  'application/yaml': ['yaml', 'yml'],
  'application/sql': ['sql'],
  'application/rtf': ['rtf'],
  'application/wasm': ['wasm'],
  'application/epub+zip': ['epub'],
  'application/java-archive': ['jar'],
  'application/msword': ['doc'],
  'application/vnd.ms-excel': ['xls'],
  'application/vnd.ms-powerpoint': ['ppt'],
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': ['docx'],
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['xlsx'],
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': ['pptx'],
  'application/vnd.oasis.opendocument.text': ['odt'],
  'application/vnd.oasis.opendocument.spreadsheet': ['ods'],
  'application/vnd.oasis.opendocument.presentation': ['odp'],
  'text/plain': ['txt', 'text', 'log'],
  'text/csv': ['csv'],
  'text/tab-separated-values': ['tsv'],
  'text/html': ['html', 'htm'],
  'text/css': ['css'],
  'text/javascript': ['js', 'mjs'],
  'text/markdown': ['md', 'markdown'],
  'text/calendar': ['ics'],
  'text/vcard': ['vcf'],
  'text/vtt': ['vtt'],
  'audio/mpeg': ['mp3'],
  'audio/mp4': ['m4a'],
  'audio/ogg': ['ogg', 'oga', 'opus'],
  'audio/wav': ['wav'],
  'audio/flac': ['flac'],
  'audio/aac': ['aac'],
  'audio/midi': ['mid', 'midi'],
  'video/mp4': ['mp4', 'm4v'],
  'video/webm': ['webm'],
  'video/ogg': ['ogv'],
  'video/quicktime': ['mov'],
  'video/x-matroska': ['mkv'],
  'font/woff': ['woff'],
  'font/woff2': ['woff2'],
  'font/ttf': ['ttf'],
  'font/otf': ['otf'],
}

const byExtension = new Map(
  Object.entries(types).flatMap(([type, extensions]) => extensions.map((extension) => [extension, type] as const)),
)

/**
 * The type of a content, by its first bytes: a known signature wins, and a claim of a type that would have one is not
 * believed without it. Otherwise the claim counts, then the extension.
 */
export async function contentTypeOf(head: Buffer, claim: string | null, name: string): Promise<string> {
  const claimed = essenceOf(claim)
  const signed = await signedTypeOf(head.subarray(0, HEAD_BYTES), claimed ?? typeOfName(name))
  if (signed !== null) return signed
  const type = claimed ?? typeOfName(name)
  return type === null || needsSignature(type) ? UNKNOWN : type
}

/** `Text/HTML; charset=utf-8` → `text/html`; null: not a type at all. */
function essenceOf(claim: string | null): string | null {
  const essence = (claim ?? '').split(';')[0]!.trim().toLowerCase()
  return /^[\w!#$&^.+-]{1,60}\/[\w!#$&^.+-]{1,100}$/u.test(essence) ? essence : null
}

const typeOfName = (name: string): string | null => byExtension.get(extensionOf(name) ?? '') ?? null

/** The extension of objects of this type; null: none is known. */
export const extensionOfType = (type: string): string | null => {
  const known = Object.hasOwn(types, type) ? types[type] : undefined
  return known?.[0] ?? null
}

/** Whether a list of types, such as `image/*` or `text/plain`, contains this one. */
export function isAllowedType(type: string, allowList: readonly string[]): boolean {
  const essence = essenceOf(type) ?? UNKNOWN
  const group = `${essence.split('/')[0]!}/*`
  return allowList.some((entry) => ['*/*', '*', group, essence].includes(entry.trim().toLowerCase()))
}
