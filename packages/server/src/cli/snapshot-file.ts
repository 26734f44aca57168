import { readFile } from 'node:fs/promises'
import { readText, type Format } from '../system/snapshot/text.ts'
import { Usage } from './command.ts'

export const formatOf = (file: string): Format => (/\.ya?ml$/iu.test(file) ? 'yaml' : 'json')

export const snapshotIn = async (file: string): Promise<unknown> => {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new Usage(`The file cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  })
  return readText(text, formatOf(file))
}
