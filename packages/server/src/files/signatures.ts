import { fileTypeFromBuffer } from 'file-type'

/**
 * Types whose content begins with a signature. `others` are names of the same kind that a claim may use and that the
 * signature cannot tell apart; `aliases` are other names of the type.
 */
interface SignedType {
  readonly type: string
  readonly aliases?: readonly string[]
  readonly others?: readonly string[]
  readonly isIn: (head: Buffer) => boolean
}

const text = (head: Buffer, from: number, to: number): string => head.toString('latin1', from, to)
const begins = (start: string) => (head: Buffer) => text(head, 0, start.length) === start
const riff = (kind: string) => (head: Buffer) => text(head, 0, 4) === 'RIFF' && text(head, 8, 12) === kind
const media = (test: (brands: readonly string[]) => boolean) => (head: Buffer) => {
  const brands = brandsOf(head)
  return brands !== null && test(brands)
}

/** The major brand and the compatible ones of an ISO media file. */
function brandsOf(head: Buffer): readonly string[] | null {
  if (text(head, 4, 8) !== 'ftyp' || head.length < 12) return null
  const brands = [text(head, 8, 12)]
  for (let at = 16; at + 4 <= Math.min(head.readUInt32BE(0), head.length); at += 4) brands.push(text(head, at, at + 4))
  return brands
}

const isAvif = (brands: readonly string[]) =>
  ['avif', 'avis'].includes(brands[0]!) || (['mif1', 'msf1'].includes(brands[0]!) && brands.includes('avif'))
const isHeic = (brands: readonly string[]) => /^(?:hei[cmxs]|he[vc]{2}|hev[cmsx]|mif1|msf1)$/u.test(brands[0]!)

/** Two letters are too little to know a bitmap by: its header has a known length, too. */
const isBitmap = (head: Buffer) =>
  begins('BM')(head) && head.length >= 18 && [12, 40, 52, 56, 64, 108, 124].includes(head.readUInt32LE(14))

const isIcon = (head: Buffer) => begins('\0\0\u0001\0')(head) && head.length >= 10 && head[4]! > 0 && head[9] === 0

/** A tag, or a frame header of layer III with a bit rate and a sample rate that exist. */
const isMp3 = (head: Buffer) =>
  begins('ID3')(head) ||
  (head.length >= 3 &&
    head[0] === 0xff &&
    [0xfb, 0xfa, 0xf3, 0xf2, 0xe3, 0xe2].includes(head[1]!) &&
    head[2]! >> 4 !== 15 &&
    ((head[2]! >> 2) & 3) !== 3)

const isMatroska = (head: Buffer, kind: string) =>
  begins('\u001A\u0045\u00DF\u00A3')(head) && text(head, 0, 64).includes(kind)

const signed: readonly SignedType[] = [
  { type: 'image/png', aliases: ['image/x-png', 'image/apng'], isIn: begins('\u0089PNG\r\n\u001A\n') },
  { type: 'image/jpeg', aliases: ['image/jpg', 'image/pjpeg'], isIn: begins('\u00FF\u00D8\u00FF') },
  { type: 'image/gif', isIn: (head) => begins('GIF87a')(head) || begins('GIF89a')(head) },
  { type: 'image/webp', isIn: riff('WEBP') },
  { type: 'image/avif', isIn: media(isAvif) },
  { type: 'image/heic', others: ['image/heif'], isIn: media((brands) => !isAvif(brands) && isHeic(brands)) },
  {
    type: 'image/tiff',
    aliases: ['image/tif'],
    isIn: (head) => ['II*\0', 'MM\0*', 'II+\0', 'MM\0+'].includes(text(head, 0, 4)),
  },
  { type: 'image/bmp', aliases: ['image/x-ms-bmp', 'image/x-bmp'], isIn: isBitmap },
  { type: 'image/x-icon', others: ['image/vnd.microsoft.icon'], aliases: ['image/ico'], isIn: isIcon },
  { type: 'application/pdf', aliases: ['application/x-pdf'], isIn: begins('%PDF-') },
  { type: 'application/gzip', aliases: ['application/x-gzip'], isIn: begins('\u001F\u008B\u0008') },
  { type: 'audio/mpeg', aliases: ['audio/mp3', 'audio/x-mp3'], isIn: isMp3 },
  {
    type: 'audio/mp4',
    aliases: ['audio/x-m4a', 'audio/m4a'],
    isIn: media((brands) => /^M4[AB]\s$/u.test(brands[0]!)),
  },
  { type: 'video/quicktime', isIn: media((brands) => brands[0] === 'qt  ') },
  {
    type: 'video/mp4',
    aliases: ['video/x-m4v'],
    others: ['audio/mp4', 'video/3gpp', 'audio/3gpp', 'video/3gpp2', 'application/mp4'],
    isIn: media((brands) => !isAvif(brands) && !isHeic(brands)),
  },
  { type: 'video/webm', others: ['audio/webm'], isIn: (head) => isMatroska(head, 'webm') },
  { type: 'video/x-matroska', others: ['audio/x-matroska'], isIn: (head) => isMatroska(head, 'matroska') },
  { type: 'audio/ogg', others: ['video/ogg', 'application/ogg', 'audio/opus'], isIn: begins('OggS') },
  { type: 'audio/wav', aliases: ['audio/x-wav', 'audio/wave', 'audio/vnd.wave'], isIn: riff('WAVE') },
  { type: 'audio/flac', aliases: ['audio/x-flac'], isIn: begins('fLaC') },
  { type: 'font/woff', aliases: ['application/font-woff', 'application/x-font-woff'], isIn: begins('wOFF') },
  { type: 'font/woff2', aliases: ['application/font-woff2'], isIn: begins('wOF2') },
]

const ZIP = 'application/zip'
const zipAliases = ['application/x-zip-compressed', 'application/x-zip']
const isZip = (head: Buffer) => begins('PK\u0003\u0004')(head) || begins('PK\u0005\u0006')(head)

/** Documents that are archives: some say what they are only behind the first bytes. */
const isKindOfZip = (type: string) =>
  /^application\/(?:epub\+zip|java-archive|vnd\.(?:openxmlformats-officedocument|oasis\.opendocument|ms-(?:word|excel|powerpoint))\..+|vnd\.android\.package-archive)$/u.test(
    type,
  ) || zipAliases.includes(type)

/** The type that the first bytes prove, or null. Of kinds that the bytes cannot tell apart, the claim decides. */
export async function signedTypeOf(head: Buffer, claim: string | null): Promise<string | null> {
  if (isZip(head)) return kindOfZip(head, claim)
  const found = signed.find(({ isIn }) => isIn(head))
  if (found === undefined) return null
  return claim !== null && found.others?.includes(claim) ? claim : found.type
}

async function kindOfZip(head: Buffer, claim: string | null): Promise<string> {
  const found = await fileTypeFromBuffer(head).catch(() => undefined)
  if (found !== undefined && found.mime !== ZIP) return found.mime
  return claim !== null && isKindOfZip(claim) && !zipAliases.includes(claim) ? claim : ZIP
}

const needingSignature = new Set(
  [
    ZIP,
    ...zipAliases,
    ...signed.flatMap(({ type, aliases = [], others = [] }) => [type, ...aliases, ...others]),
  ].flat(),
)

/** Content of such a type begins with a signature. */
export const needsSignature = (type: string): boolean => needingSignature.has(type) || isKindOfZip(type)
