export interface Colour {
  readonly r: number
  readonly g: number
  readonly b: number
  readonly alpha: number
}

/** The basic names of CSS, and the common ones besides. */
const names: Readonly<Record<string, string>> = {
  black: '#000000',
  silver: '#c0c0c0',
  gray: '#808080',
  grey: '#808080',
  white: '#ffffff',
  maroon: '#800000',
  red: '#ff0000',
  purple: '#800080',
  fuchsia: '#ff00ff',
  magenta: '#ff00ff',
  green: '#008000',
  lime: '#00ff00',
  olive: '#808000',
  yellow: '#ffff00',
  orange: '#ffa500',
  navy: '#000080',
  blue: '#0000ff',
  teal: '#008080',
  aqua: '#00ffff',
  cyan: '#00ffff',
  transparent: '#00000000',
}

/** A colour as CSS writes it, or as `{r, g, b, alpha}`; null: neither. */
export function readColour(value: unknown): Colour | null {
  if (typeof value === 'string') return fromText(value.trim().toLowerCase())
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const { r = 0, g = 0, b = 0, alpha = 1, ...others } = value as Record<string, unknown>
  return Object.keys(others).length === 0 ? checked([r, g, b, alpha]) : null
}

function fromText(text: string): Colour | null {
  const hexadecimal = Object.hasOwn(names, text) ? names[text]! : text
  if (/^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/u.test(hexadecimal)) return fromHexadecimal(hexadecimal.slice(1))
  const parts = /^rgba?\(([\d\s.,]+)\)$/u.exec(text)?.[1]?.split(',')
  if (parts === undefined || parts.length < 3 || parts.length > 4) return null
  return checked([...parts.map((part) => (part.trim() === '' ? Number.NaN : Number(part))), 1].slice(0, 4))
}

function fromHexadecimal(digits: string): Colour | null {
  const long = digits.length <= 4 ? digits.replaceAll(/./gu, '$&$&') : digits
  const [r, g, b, alpha = 255] = (long.match(/../gu) ?? []).map((pair) => Number.parseInt(pair, 16))
  return checked([r, g, b, Math.round((alpha / 255) * 1000) / 1000])
}

function checked([r, g, b, alpha]: readonly unknown[]): Colour | null {
  const isByte = (part: unknown): part is number => typeof part === 'number' && part >= 0 && part <= 255
  if (!isByte(r) || !isByte(g) || !isByte(b) || !isByte(alpha) || alpha > 1) return null
  return { r: Math.round(r), g: Math.round(g), b: Math.round(b), alpha }
}
