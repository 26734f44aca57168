import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'

const MOST_BYTES = 8 * 1024

/** What a program that contains these lines loads. */
async function bundled(lines: string): Promise<string> {
  const bundle = await rolldown({
    input: 'program',
    platform: 'browser',
    plugins: [
      {
        name: 'program',
        resolveId: (id) => (id === 'program' ? id : id.startsWith('./') ? join(import.meta.dirname, id) : null),
        load: (id) => (id === 'program' ? lines : null),
      },
    ],
  })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  await bundle.close()
  return output[0].code
}

test('the core has at most 8 KB, compressed', async () => {
  const code = await bundled(`import { createClient } from './index.ts'; globalThis.tain = createClient`)
  const bytes = gzipSync(code, { level: 9 }).length
  console.log(`the core of the SDK: ${bytes} bytes, compressed`)
  expect(code).toContain('idempotency-key')
  expect(bytes).toBeLessThanOrEqual(MOST_BYTES)
})

test('realtime is no part of the core, and has at most 3 KB, compressed', async () => {
  const core = await bundled(`import { createClient } from './index.ts'; globalThis.tain = createClient`)
  const code = await bundled(`import { realtime } from './realtime.ts'; globalThis.realtime = realtime`)
  expect(core).not.toContain('unsubscribe')
  expect(code).toContain('unsubscribe')
  expect(gzipSync(code, { level: 9 }).length).toBeLessThanOrEqual(3 * 1024)
})

test('procedures that are not used cost nothing', async () => {
  const code = await bundled(`import { serverPing } from './procedures.ts'; globalThis.ping = serverPing`)
  expect(code).toContain('/server/ping')
  expect(code.length).toBeLessThan(300)
})
