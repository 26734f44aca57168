import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A folder of extensions, by the names of their files. */
export interface ExtensionFolder {
  readonly path: string
  readonly write: (files: Readonly<Record<string, string>>) => Promise<void>
  readonly remove: () => Promise<void>
}

export async function extensionFolder(files: Readonly<Record<string, string>>): Promise<ExtensionFolder> {
  const path = await mkdtemp(join(tmpdir(), 'tain-extensions-'))
  const write: ExtensionFolder['write'] = async (given) => {
    for (const [name, text] of Object.entries(given)) {
      await mkdir(dirname(join(path, name)), { recursive: true })
      await writeFile(join(path, name), text)
    }
  }
  await write(files)
  return { path, write, remove: () => rm(path, { recursive: true, force: true }) }
}

/** The text of an extension whose code is `body`. */
export const extensionText = (body: string): string =>
  `import { defineExtension } from 'tain/extensions'\n\nexport const extension = defineExtension((api) => {\n${body}\n})\n`
