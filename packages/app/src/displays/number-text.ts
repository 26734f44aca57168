const formats = new Map<string, Intl.NumberFormat>()

function formatOf(language: string, digits: number): Intl.NumberFormat {
  const name = `${language} ${digits}`
  const known = formats.get(name)
  if (known !== undefined) return known
  const made = new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits })
  formats.set(name, made)
  return made
}

const plain = /^-?\d+(?:\.(?<fraction>\d+))?$/u

/**
 * A number in groups of digits, with the digits it has: `1518.50` → 1,518.50. Strings are formatted as strings, never
 * by way of a float, so that no digit of a decimal is lost.
 */
export function numberText(value: unknown, language: string): string {
  const text = String(value)
  const match = plain.exec(text)
  if (match === null) return text
  const digits = match.groups?.['fraction']?.length ?? 0
  return digits > 100 ? text : formatOf(language, digits).format(text as Intl.StringNumericLiteral)
}
