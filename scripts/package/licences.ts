import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Licences that ask for nothing, so that packages come without their text. */
const FREE = new Set(['Unlicense', '0BSD', 'CC0-1.0'])

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string
}

/** The licences of the packages in these folders, which ask to be copied along with the code; each text once. */
export function licencesOf(folders: readonly string[]): string {
  const packages = new Map<string, string[]>()
  for (const folder of folders) {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
    const text = licenceIn(folder, manifest)
    packages.set(text, [...(packages.get(text) ?? []), `${manifest.name} ${manifest.version}`])
  }
  const parts = [...packages].map(([text, names]) => `${[...new Set(names)].sort().join('\n')}\n\n${text}\n`)
  return parts.join(`\n${'-'.repeat(80)}\n\n`)
}

function licenceIn(folder: string, { name, license = '' }: Manifest): string {
  const file = readdirSync(folder).find((each) => /^licen[cs]e(?:\.\w+)?$/iu.test(each))
  if (file !== undefined) return readFileSync(join(folder, file), 'utf8').trim()
  if (FREE.has(license)) return `Licence: ${license}`
  // The same text as that of this project.
  if (license === 'Apache-2.0') return readFileSync(join(import.meta.dirname, '../../LICENSE'), 'utf8').trim()
  throw new Error(`${name} has no file with its licence`)
}
