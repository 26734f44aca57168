const two = (number: number | bigint) => String(number).padStart(2, '0')

const dateText = (year: number, month: number, day: number) =>
  `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`

const clock = (packed: number) => `${two((packed >> 12) & 0x3_ff)}:${two((packed >> 6) & 0x3f)}:${two(packed & 0x3f)}`

/** Two digits are one byte. */
function fractionText(value: Buffer, from: number, digits: number): string {
  const size = (digits + 1) >> 1
  if (size === 0) return ''
  return `.${String(value.readUIntBE(from, size))
    .padStart(size * 2, '0')
    .slice(0, digits)}`
}

export function date(value: Buffer): string {
  const packed = value.readUIntLE(0, 3)
  return dateText(packed >> 9, (packed >> 5) & 15, packed & 31)
}

const DATE_OFFSET = 2 ** 39
const CLOCK = 2 ** 17

export function dateTime(value: Buffer, digits: number): string {
  const packed = value.readUIntBE(0, 5) - DATE_OFFSET
  const days = Math.floor(packed / CLOCK)
  const months = days >> 5
  const day = dateText(Math.floor(months / 13), months % 13, days & 31)
  return `${day} ${clock(packed % CLOCK)}${fractionText(value, 5, digits)}`
}

/** In UTC, the time zone of sessions. */
export function timestamp(value: Buffer, digits: number): string {
  const seconds = value.readUInt32BE()
  const fraction = fractionText(value, 4, digits)
  // The server has no other value for "no time".
  if (seconds === 0) return `0000-00-00 00:00:00${fraction}`
  return `${new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')}${fraction}`
}

/** Seconds and fraction are one number, so a negative time has both turned. */
export function time(value: Buffer, digits: number): string {
  const size = 3 + ((digits + 1) >> 1)
  const packed = value.readUIntBE(0, size) - 2 ** (size * 8 - 1)
  const rest = 2 ** ((size - 3) * 8)
  const most = Math.abs(packed)
  const fraction = String(most % rest)
    .padStart((size - 3) * 2, '0')
    .slice(0, digits)
  return `${packed < 0 ? '-' : ''}${clock(Math.floor(most / rest))}${digits === 0 ? '' : `.${fraction}`}`
}
