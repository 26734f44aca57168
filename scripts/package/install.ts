import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { npm } from './npm.ts'
import type { Tarball } from './pack.ts'

/** Installs the packages in a new folder, as their users do. */
export function install(folder: string, tarballs: readonly Tarball[]): void {
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
  // The contract of this version may be unpublished, so all are installed together.
  npm(['install', '--prefer-offline', '--no-audit', '--no-fund', ...tarballs.map(({ file }) => file)], folder)
}
