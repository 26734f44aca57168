import { TextDecoder } from 'node:util'
/** Character sets of the server by the name that the platform has for them. */
const encodings: Readonly<Record<string, string>> = {
  utf8: 'utf-8',
  utf8mb3: 'utf-8',
  utf8mb4: 'utf-8',
  ascii: 'utf-8',
  latin1: 'windows-1252',
  latin2: 'iso-8859-2',
  latin5: 'windows-1254',
  latin7: 'iso-8859-13',
  greek: 'iso-8859-7',
  hebrew: 'iso-8859-8',
  cp1250: 'windows-1250',
  cp1251: 'windows-1251',
  cp1256: 'windows-1256',
  cp1257: 'windows-1257',
  cp866: 'ibm866',
  koi8r: 'koi8-r',
  koi8u: 'koi8-u',
  macroman: 'macintosh',
  tis620: 'windows-874',
  ucs2: 'utf-16be',
  utf16: 'utf-16be',
  utf16le: 'utf-16le',
  big5: 'big5',
  gb2312: 'gbk',
  gbk: 'gbk',
  euckr: 'euc-kr',
  sjis: 'shift_jis',
  cp932: 'shift_jis',
  ujis: 'euc-jp',
  eucjpms: 'euc-jp',
}

/** Bytes of a text as that text; undefined: the character set is not known here. */
export type Decode = (bytes: Buffer, collation: number) => string | undefined

/** `charsets` has the character set of each collation. */
export function createDecode(charsets: ReadonlyMap<number, string>): Decode {
  const decoders = new Map<number, TextDecoder | null>()
  return (bytes, collation) => {
    const charset = charsets.get(collation) ?? ''
    const encoding = encodings[charset]
    if (encoding === 'utf-8') return bytes.toString()
    let decoder = decoders.get(collation)
    if (decoder === undefined) {
      decoder = encoding === undefined ? null : new TextDecoder(encoding, { ignoreBOM: true })
      decoders.set(collation, decoder)
    }
    return decoder?.decode(bytes)
  }
}
