import { readFile, writeFile } from 'node:fs/promises'
import { ServiceError } from '@tain/contract'
import { generateTypes } from '../types/generate.ts'
import { Usage, type ExitCode, type Invocation, type Run } from './command.ts'
import { askedCaller } from './types-caller.ts'
import { differences } from './types-difference.ts'
import { findDescription } from './types-source.ts'

/** Lines of a difference that are shown. */
const MOST_SHOWN = 20

const textIn = (option: Invocation['options'][string]): string | undefined =>
  typeof option === 'string' ? option : undefined

/** Writes TypeScript for the schema as one caller may use it, or compares it with a file. */
export const generate: Run = async ({ options, settings, terminal }) => {
  const out = textIn(options['out'])
  const isCheck = options['check'] === true
  if (isCheck && out === undefined) throw new Usage('"--check" compares with a file: name it with "--out".')
  try {
    const { description, caller } = await findDescription(textIn(options['from']), askedCaller(options['as']), settings)
    const text = generateTypes(description, caller)
    if (out === undefined) {
      terminal.print(text)
      return 0
    }
    if (isCheck) return await check(out, text, terminal)
    await writeFile(out, text)
    terminal.tell(`${description.collections.length} collections, as ${caller} may use them → ${out}`)
    return 0
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    terminal.tell(error.message)
    return 2
  }
}

async function check(file: string, text: string, terminal: Invocation['terminal']): Promise<ExitCode> {
  const old = await readFile(file, 'utf8').catch(() => null)
  // Git may have changed the ends of lines.
  const found = old === null ? ['  There is no such file.'] : differences(old.replaceAll('\r\n', '\n'), text)
  if (found.length === 0) {
    terminal.tell(`${file} is up to date.`)
    return 0
  }
  terminal.tell(`${file} is not what the schema says:`)
  for (const line of found.slice(0, MOST_SHOWN)) terminal.tell(line)
  if (found.length > MOST_SHOWN) terminal.tell(`  … and ${found.length - MOST_SHOWN} lines more`)
  terminal.tell('The same command without "--check" writes it anew.')
  return 1
}
