// `tain dev`: the service of one's own machine, which follows the file of its settings.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../lib/free-port.ts'
import { until } from '../lib/service.ts'
import { launch } from './run.ts'

const SECONDS = 100

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tain-dev-'))
})
afterAll(() => rm(folder, { recursive: true }))

const answers = (port: number, headers: Record<string, string> = {}) =>
  fetch(`http://127.0.0.1:${port}/server/ping`, { headers }).catch(() => null)

test(
  'the service starts again when .env changes, waits for a correction, and ends with Ctrl-C',
  async () => {
    const [first, second] = [await freePort(), await freePort()]
    const write = (port: number | string) =>
      writeFile(join(folder, '.env'), `DATABASE_URL=sqlite:./my.db\nPORT=${port}\nLOG_FORMAT=json\n`)
    await write(first)
    const { child, texts, closed } = launch(['dev'], { cwd: folder })
    const told = (text: string, count = 1) =>
      until(() => texts.error.split(text).length > count, SECONDS, `${text}: ${texts.error}`)
    try {
      await until(async () => (await answers(first)) !== null, SECONDS, 'the first start')
      const page = await answers(first, { origin: 'http://localhost:5173' })
      expect(page?.headers.get('access-control-allow-origin')).toBe('http://localhost:5173')
      await write(second)
      await until(async () => (await answers(second)) !== null, SECONDS, 'the second start')
      expect(await answers(first)).toBeNull()
      // The file decides over what suits development.
      expect(texts.out).toContain('"msg":"listening"')

      await write('eighty')
      await told('PORT has to be a whole number')
      await told('The service has ended.')
      await write(first)
      await until(async () => (await answers(first)) !== null, SECONDS, 'the third start')
    } finally {
      child.kill('SIGINT')
    }
    await closed
    expect(child.exitCode).toBe(0)
    expect(await answers(first)).toBeNull()
  },
  SECONDS * 4000,
)
