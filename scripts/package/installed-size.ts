import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

export interface Part {
  readonly name: string
  readonly bytes: number
}

/** The installed packages with the bytes of their files, largest first. */
export function installedParts(packages: string): readonly Part[] {
  const names = readdirSync(packages)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) =>
      name.startsWith('@') ? readdirSync(join(packages, name)).map((each) => `${name}/${each}`) : name,
    )
  return names
    .map((name) => ({ name, bytes: bytesIn(join(packages, name)) }))
    .toSorted((left, right) => right.bytes - left.bytes)
}

/** The bytes of all files in the folder. */
export const bytesIn = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => lstatSync(join(folder, path)))
    .reduce((sum, stats) => sum + (stats.isFile() ? stats.size : 0), 0)
