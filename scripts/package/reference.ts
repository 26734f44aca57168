import { copyFileSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'

const FILES = ['page.html', 'page.css'] as const
const SCRIPT = 'page.js'

/** Builds the page at `/docs/api` into a folder, with one script. */
export async function buildReference(source: string, destination: string): Promise<void> {
  rmSync(destination, { recursive: true, force: true })
  const bundle = await rolldown({
    input: join(source, 'src/page.ts'),
    platform: 'browser',
    onwarn: (warning) => {
      throw new Error(warning.message)
    },
  })
  await bundle.write({ file: join(destination, SCRIPT), format: 'esm', minify: true })
  await bundle.close()
  for (const name of FILES) copyFileSync(join(source, name), join(destination, name))
  const size = [...FILES, SCRIPT].reduce((sum, name) => sum + gzipSync(readFileSync(join(destination, name))).length, 0)
  console.log(`reference: ${FILES.length + 1} files, with gzip ${(size / 1000).toFixed(1)} kB`)
}
