/** The data sets of record 2 that have a name here. Those in `repeated` may occur several times. */
const names: Readonly<Record<number, string>> = {
  5: 'ObjectName',
  10: 'Urgency',
  15: 'Category',
  20: 'SupplementalCategories',
  25: 'Keywords',
  40: 'SpecialInstructions',
  55: 'DateCreated',
  60: 'TimeCreated',
  80: 'Byline',
  85: 'BylineTitle',
  90: 'City',
  92: 'SubLocation',
  95: 'ProvinceState',
  100: 'CountryCode',
  101: 'CountryName',
  103: 'OriginalTransmissionReference',
  105: 'Headline',
  110: 'Credit',
  115: 'Source',
  116: 'CopyrightNotice',
  118: 'Contact',
  120: 'Caption',
  122: 'CaptionWriter',
}
const repeated = new Set([20, 25, 80, 85, 118, 122])
const MOST_VALUES = 100

/** Records of IPTC: 0x1C, record, data set, length, value. */
export function iptcGroup(bytes: Buffer): Readonly<Record<string, string | readonly string[]>> {
  const found = new Map<string, string | string[]>()
  const encoding = isUtf8(bytes) ? 'utf8' : 'latin1'
  for (let at = 0; at + 5 <= bytes.length && bytes[at] === 0x1c;) {
    const [record, set, length] = [bytes[at + 1], bytes[at + 2]!, bytes.readUInt16BE(at + 3)]
    const end = at + 5 + length
    const name = record === 2 ? names[set] : undefined
    if (name !== undefined && end <= bytes.length) add(found, name, set, bytes.toString(encoding, at + 5, end))
    at = end
  }
  return Object.fromEntries(found)
}

function add(found: Map<string, string | string[]>, name: string, set: number, value: string): void {
  const before = found.get(name)
  if (!repeated.has(set)) found.set(name, value)
  else if (!Array.isArray(before)) found.set(name, [value])
  else if (before.length < MOST_VALUES) before.push(value)
}

/** Data set 90 of record 1 names the character set; few writers do, and most of the others mean UTF-8, too. */
const isUtf8 = (bytes: Buffer): boolean => {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(textOf(bytes))
    return true
  } catch {
    return false
  }
}

/** All values, one after another, without the lengths between. */
function textOf(bytes: Buffer): Buffer {
  const values: Buffer[] = []
  for (let at = 0; at + 5 <= bytes.length && bytes[at] === 0x1c; at += 5 + bytes.readUInt16BE(at + 3))
    if (bytes[at + 1] === 2 && names[bytes[at + 2]!] !== undefined)
      values.push(bytes.subarray(at + 5, at + 5 + bytes.readUInt16BE(at + 3)), Buffer.from(' '))
  return Buffer.concat(values)
}
