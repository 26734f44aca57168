const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', Z: '\u001A', '0': '\0' }

/** Converts a literal of the server, in which backslashes escape, to standard SQL. */
const standard = (body: string): string => {
  const text = body.replaceAll(/''|\\([^])/gu, (_, escaped?: string) =>
    escaped === undefined ? "'" : (escapes[escaped] ?? escaped),
  )
  return `'${text.replaceAll("'", "''")}'`
}

/** The few expressions that fields are created with have one name for all databases. */
const expressions: readonly (readonly [RegExp, string])[] = [
  [/^(?:current_timestamp(?:\(\d?\))?|curdate\(\)|curtime\(\d?\))$/iu, 'CURRENT_TIMESTAMP'],
  [/^uuid\(\)$/iu, 'gen_random_uuid()'],
]

/** The server prints a missing default as NULL, and texts as literals. */
export function defaultOf(printed: string | null | undefined, baseType: string): string | null {
  if (printed === null || printed === undefined || printed === 'NULL') return null
  if (baseType === 'bool' && /^[01]$/u.test(printed)) return printed === '1' ? 'true' : 'false'
  const bytes = /^x'((?:[0-9a-f]{2})*)'$/iu.exec(printed)
  if (bytes !== null) return `'\\x${(bytes[1] ?? '').toLowerCase()}'`
  const quoted = /^'((?:[^'\\]|''|\\[^])*)'$/u.exec(printed)
  if (quoted !== null) return standard(quoted[1] ?? '')
  return expressions.find(([pattern]) => pattern.test(printed))?.[1] ?? printed
}

/** Quotes a default that the catalogue prints without quotes, as other servers print it. */
export const quotedDefault = (printed: string | null | undefined, isBare: boolean): string | null =>
  printed === null || printed === undefined || isBare ? (printed ?? null) : `'${printed.replaceAll(/['\\]/gu, '\\$&')}'`
