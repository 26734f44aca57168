/** A QR code of ISO/IEC 18004: bytes, error correction level M, versions 1 to 13. `true` is dark. */
export type QrMatrix = readonly (readonly boolean[])[]

interface Version {
  readonly codewords: number
  readonly blocks: number
  /** Codewords for error correction in each block. */
  readonly correction: number
}

/** Level M, from version 1 on. */
const versions: readonly Version[] = [
  { codewords: 26, blocks: 1, correction: 10 },
  { codewords: 44, blocks: 1, correction: 16 },
  { codewords: 70, blocks: 1, correction: 26 },
  { codewords: 100, blocks: 2, correction: 18 },
  { codewords: 134, blocks: 2, correction: 24 },
  { codewords: 172, blocks: 4, correction: 16 },
  { codewords: 196, blocks: 4, correction: 18 },
  { codewords: 242, blocks: 4, correction: 22 },
  { codewords: 292, blocks: 5, correction: 22 },
  { codewords: 346, blocks: 5, correction: 26 },
  { codewords: 404, blocks: 5, correction: 30 },
  { codewords: 466, blocks: 8, correction: 22 },
  { codewords: 532, blocks: 9, correction: 22 },
]

const BYTE_MODE = 0b0100
const PADDING = [0xec, 0x11] as const

/** Null: the text is too long. */
export function qrMatrix(text: string): QrMatrix | null {
  const bytes = [...new TextEncoder().encode(text)]
  const at = versions.findIndex((each, index) => bytes.length * 8 <= dataBits(each, index + 1))
  const version = versions[at]
  if (version === undefined) return null
  const codewords = interleaved(dataCodewords(bytes, version, at + 1), version)
  const drawn = Array.from({ length: 8 }, (_, mask) => draw(at + 1, codewords, mask))
  return drawn.reduce((best, next) => (penalty(next) < penalty(best) ? next : best))
}

const capacity = ({ codewords, blocks, correction }: Version): number => codewords - blocks * correction
const countBits = (number: number): number => (number < 10 ? 8 : 16)
const dataBits = (version: Version, number: number): number => capacity(version) * 8 - 4 - countBits(number)

function dataCodewords(bytes: readonly number[], version: Version, number: number): readonly number[] {
  const bits = [
    ...binary(BYTE_MODE, 4),
    ...binary(bytes.length, countBits(number)),
    ...bytes.flatMap((byte) => binary(byte, 8)),
  ]
  const all = capacity(version) * 8
  for (let end = Math.min(4, all - bits.length); end > 0; end -= 1) bits.push(0)
  while (bits.length % 8 > 0) bits.push(0)
  const words = Array.from({ length: bits.length / 8 }, (_, index) =>
    bits.slice(index * 8, index * 8 + 8).reduce((word, bit) => word * 2 + bit, 0),
  )
  for (let pad = 0; words.length < capacity(version); pad += 1) words.push(PADDING[pad % 2] ?? 0)
  return words
}

const binary = (value: number, length: number): number[] =>
  Array.from({ length }, (_, index) => (value >> (length - 1 - index)) & 1)

/** Blocks side by side: the first codeword of each, the second of each, and so on; then the same for the correction. */
function interleaved(data: readonly number[], version: Version): readonly number[] {
  const short = Math.floor(data.length / version.blocks)
  const longer = data.length % version.blocks
  let from = 0
  const blocks = Array.from({ length: version.blocks }, (_, index) => {
    const to = from + short + (index >= version.blocks - longer ? 1 : 0)
    const block = data.slice(from, to)
    from = to
    return block
  })
  return [...columns(blocks), ...columns(blocks.map((block) => correctionOf(block, version.correction)))]
}

const columns = (rows: readonly (readonly number[])[]): readonly number[] =>
  Array.from({ length: Math.max(...rows.map(({ length }) => length)) }, (_, index) =>
    rows.flatMap((row) => row[index] ?? []),
  ).flat()

/** Multiplication in GF(256) with the polynomial x^8 + x^4 + x^3 + x^2 + 1. */
export function multiplied(left: number, right: number): number {
  let product = 0
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >> 7) * 0x11d)
    product ^= ((right >> bit) & 1) * left
  }
  return product
}

/** The Reed-Solomon codewords of a block. */
export function correctionOf(block: readonly number[], length: number): readonly number[] {
  const divisor = divisorOf(length)
  const rest = Array.from({ length }, () => 0)
  for (const word of block) {
    const factor = word ^ (rest.shift() ?? 0)
    rest.push(0)
    divisor.forEach((each, index) => (rest[index] = (rest[index] ?? 0) ^ multiplied(each, factor)))
  }
  return rest
}

function divisorOf(degree: number): readonly number[] {
  let result = [...Array.from({ length: degree - 1 }, () => 0), 1]
  let root = 1
  for (let step = 0; step < degree; step += 1) {
    result = result.map((each, index) => multiplied(each, root) ^ (result[index + 1] ?? 0))
    root = multiplied(root, 2)
  }
  return result
}

const masks: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
]

export const isMasked = (mask: number, x: number, y: number): boolean => masks[mask]?.(x, y) === true

const centresOf = (number: number): readonly number[] => {
  if (number === 1) return []
  return number < 7 ? [6, 4 * number + 10] : [6, 2 * number + 8, 4 * number + 10]
}

function draw(number: number, codewords: readonly number[], mask: number): QrMatrix {
  const size = 17 + 4 * number
  const fixed = fixedModules(number, mask)
  const cells = Array.from({ length: size }, (_, y) =>
    Array.from({ length: size }, (__, x) => fixed.get(y * size + x) === true),
  )
  path(size, fixed).forEach(({ x, y }, index) => {
    const bit = ((codewords[index >> 3] ?? 0) >> (7 - (index & 7))) & 1
    const row = cells[y]
    if (row !== undefined) row[x] = (bit === 1) !== isMasked(mask, x, y)
  })
  return cells
}

/** Where data lies: in pairs of columns from the end, upwards and downwards by turns. */
export function path(
  size: number,
  fixed: ReadonlyMap<number, boolean>,
): readonly { readonly x: number; readonly y: number }[] {
  const places: { readonly x: number; readonly y: number }[] = []
  let isUp = true
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5
    for (let step = 0; step < size; step += 1)
      for (const x of [right, right - 1]) {
        const y = isUp ? size - 1 - step : step
        if (!fixed.has(y * size + x)) places.push({ x, y })
      }
    isUp = !isUp
  }
  return places
}

/** The modules that hold no data, by row × size + column. */
export function fixedModules(number: number, mask: number): ReadonlyMap<number, boolean> {
  const size = 17 + 4 * number
  const modules = new Map<number, boolean>()
  const set = (x: number, y: number, isDark: boolean) => {
    if (x >= 0 && y >= 0 && x < size && y < size) modules.set(y * size + x, isDark)
  }
  for (let at = 0; at < size; at += 1) {
    set(6, at, at % 2 === 0)
    set(at, 6, at % 2 === 0)
  }
  const square = (centreX: number, centreY: number, radius: number, isDark: (ring: number) => boolean) => {
    for (let y = -radius; y <= radius; y += 1)
      for (let x = -radius; x <= radius; x += 1)
        set(centreX + x, centreY + y, isDark(Math.max(Math.abs(x), Math.abs(y))))
  }
  for (const [x, y] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const)
    square(x, y, 4, (ring) => ring !== 2 && ring !== 4)
  const centres = centresOf(number)
  const last = centres.at(-1)
  for (const x of centres)
    for (const y of centres)
      if (!((x === 6 && (y === 6 || y === last)) || (x === last && y === 6))) square(x, y, 2, (ring) => ring !== 1)
  drawFormat(set, size, mask)
  if (number >= 7) drawVersion(set, size, number)
  return modules
}

type Set = (x: number, y: number, isDark: boolean) => void

const remainder = (value: number, generator: number, degree: number): number => {
  let rest = value
  for (let step = 0; step < degree; step += 1) rest = (rest << 1) ^ ((rest >> (degree - 1)) * generator)
  return rest
}

/** The fifteen bits that name level M and the mask. */
export const formatBits = (mask: number): number => ((mask << 10) | remainder(mask, 0x537, 10)) ^ 0x5412

function drawFormat(set: Set, size: number, mask: number): void {
  const bits = formatBits(mask)
  const bit = (index: number) => ((bits >> index) & 1) === 1
  for (let index = 0; index < 15; index += 1) {
    if (index < 6) set(8, index, bit(index))
    else if (index < 8) set(8, index + 1, bit(index))
    else if (index === 8) set(7, 8, bit(index))
    else set(14 - index, 8, bit(index))
    if (index < 8) set(size - 1 - index, 8, bit(index))
    else set(8, size - 15 + index, bit(index))
  }
  set(8, size - 8, true)
}

/** The eighteen bits that name the version. */
export const versionBits = (number: number): number => (number << 12) | remainder(number, 0x1f25, 12)

function drawVersion(set: Set, size: number, number: number): void {
  const bits = versionBits(number)
  for (let index = 0; index < 18; index += 1) {
    const isDark = ((bits >> index) & 1) === 1
    const [a, b] = [size - 11 + (index % 3), Math.floor(index / 3)]
    set(a, b, isDark)
    set(b, a, isDark)
  }
}

/** How hard a drawing is to read: long runs, blocks, look-alikes of the corners, too much of one colour. */
function penalty(cells: QrMatrix): number {
  const size = cells.length
  const rows = cells.map((row) => row.map((cell) => (cell ? '1' : '0')).join(''))
  const turned = rows.map((_, x) => rows.map((row) => row[x] ?? '').join(''))
  let sum = 0
  for (const line of [...rows, ...turned]) {
    for (const [run] of line.matchAll(/0{5,}|1{5,}/gu)) sum += run.length - 2
    sum += 40 * [...line.matchAll(/(?=10111010000|00001011101)/gu)].length
  }
  for (let y = 1; y < size; y += 1)
    for (let x = 1; x < size; x += 1) {
      const cell = cells[y]?.[x]
      if (cell === cells[y - 1]?.[x] && cell === cells[y]?.[x - 1] && cell === cells[y - 1]?.[x - 1]) sum += 3
    }
  const dark = rows.join('').replaceAll('0', '').length
  return sum + 10 * Math.floor(Math.abs((dark * 20) / (size * size) - 10))
}
