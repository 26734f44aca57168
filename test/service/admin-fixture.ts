import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

export const PAGE = `<!doctype html>
<html><head><base href="/admin/" /><title>Tain</title><script src="./begin.js"></script></head>
<body>${'<!-- a page above the least size that is compressed -->'.repeat(30)}</body></html>
`
export const THEME = 'document.documentElement.dataset.theme = "dark"\n'
export const SCRIPT = `export const rows = [${'"a row of the grid", '.repeat(200)}]\n`
export const FONT = Buffer.from([0x77, 0x4f, 0x46, 0x32, 0, 1, 2, 3])

export interface AdminFixture {
  readonly folder: string
  remove(): Promise<void>
}

/** A small app in the form in which the build stores it: what shrinks is there compressed only. */
export async function createAdminFixture(): Promise<AdminFixture> {
  const folder = await mkdtemp(join(tmpdir(), 'tain-admin-'))
  await mkdir(join(folder, 'assets'))
  const files = {
    'index.html': PAGE,
    'begin.js': THEME,
    'assets/index-3fK2.js.br': brotliCompressSync(SCRIPT),
    'assets/index-3fK2.js.gz': gzipSync(SCRIPT),
    'assets/inter-9aZ1.woff2': FONT,
  }
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content)
  return { folder, remove: () => rm(folder, { recursive: true }) }
}
