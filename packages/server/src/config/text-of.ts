import { readFileSync } from 'node:fs'

/** The value itself, or the content of the file that NAME_FILE names; null if it cannot be read. */
export function textOf(
  name: string,
  environment: Readonly<Record<string, string | undefined>>,
  problems: string[],
): string | null {
  const text = environment[name]?.trim() ?? ''
  const file = environment[`${name}_FILE`]?.trim() ?? ''
  if (file === '') return text
  if (text !== '') {
    problems.push(`${name} and ${name}_FILE are both set; leave one out`)
    return null
  }
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    problems.push(`${name}_FILE names a file that cannot be read`)
    return null
  }
}
