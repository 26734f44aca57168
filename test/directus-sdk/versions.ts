import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** The package names of the promised versions: the newest major version, and the one before it. */
export const clients = ['@directus/sdk', 'directus-sdk-25'] as const

export type Client = (typeof clients)[number]

/** The version that is installed under this name. */
export function versionOf(client: Client): string {
  const entry = createRequire(import.meta.url).resolve(client)
  const root = entry.slice(0, entry.lastIndexOf(client) + client.length)
  return (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string }).version
}
