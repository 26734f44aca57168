import { randomBytes } from 'node:crypto'
import { extensionOfType } from './content-type.ts'
import { cleanName, extensionOf } from './download-name.ts'

/** With the extension of the name, else that of the type. */
export function extended(stem: string, name: string, type: string): string {
  const extension = extensionOf(cleanName(name) ?? '') ?? extensionOfType(type)
  return extension === null ? stem : `${stem}.${extension}`
}

/** A key without its extension. */
export const stemOf = (key: string): string => key.replace(/\.[a-z\d]+$/u, '')

/** The key of the first content of a file. Nothing of it but the extension comes from a caller. */
export const firstKey = (id: string, name: string, type: string): string => extended(id, name, type)

/** New content has a key of its own, so that the row changes from one content to the other at its commit. */
export const nextKey = (id: string, name: string, type: string): string =>
  extended(`${id}-${randomBytes(4).toString('hex')}`, name, type)

/** How the keys of all variants of a file begin. */
export const variantPrefix = (id: string): string => `${id}__`
