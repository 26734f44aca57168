import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import sharp from 'sharp'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import type { Observation } from '../../observe.ts'
import { createMaker, Unavailable, type Maker, type MakerOptions } from './maker.ts'
import { Refusal } from './refusal.ts'

const folder = mkdtempSync(join(tmpdir(), 'maker-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A process that acts by the first letter of its content, as decoders do with hostile files. */
const frames = new URL('./frames.ts', import.meta.url).href
const program = join(folder, 'fake.ts')
writeFileSync(
  program,
  `import { headOf, messages } from '${frames}'
for await (const { body } of messages(process.stdin)) {
  const word = body.toString().split(' ')[0]
  if (word === 'crash') process.abort()
  if (word === 'exit') process.exit(3)
  if (word === 'hang') for (;;);
  if (word === 'large') process.stdout.write(headOf({ rss: 1e12 }, 5))
  if (word === 'large') process.stdout.write('large')
  if (word === 'slow') await new Promise((resolve) => setTimeout(resolve, 300))
  const text = JSON.stringify({ pid: process.pid, environment: Object.keys(process.env) })
  if (word !== 'large') process.stdout.write(headOf({}, text.length) + text)
}`,
)

const makers: Maker[] = []
const seen: Observation[] = []
afterEach(() => {
  for (const maker of makers.splice(0)) maker.close()
  seen.length = 0
})

function maker(options: Partial<MakerOptions> = {}) {
  const made = createMaker({
    atOnce: 4,
    timeout: 5000,
    observe: (observation) => seen.push(observation),
    program: pathToFileURL(program),
    processes: 1,
    ...options,
  })
  makers.push(made)
  return made
}

const order = { variant: { resize: null, steps: [], format: 'png', quality: null }, mostPixels: 6000 } as const
const ask = async (one: Maker, words: string) => {
  const content = Buffer.from(words)
  return (await one.make(order, async () => Readable.from([content]), content.length)).toString()
}
const answer = async (one: Maker, words: string) =>
  JSON.parse(await ask(one, words)) as { pid: number; environment: string[] }
const failure = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  )

describe('a process that makes pictures', () => {
  test('is used again, and knows nothing of the service', async () => {
    const one = maker()
    const [first, second] = [await answer(one, 'a'), await answer(one, 'b')]
    expect(second.pid).toBe(first.pid)
    expect(first.pid).not.toBe(process.pid)
    expect(first.environment.filter((name) => !name.startsWith('MALLOC_'))).toEqual([])
  })

  test.each(['crash', 'exit'])('may %s: the picture cannot be read, and the next one is made', async (word) => {
    const one = maker()
    const error = await failure(ask(one, word))
    expect(error).toBeInstanceOf(Refusal)
    expect(error).toMatchObject({ kind: 'unreadable' })
    expect((await answer(one, 'a')).pid).toBeGreaterThan(0)
    expect(seen.map(({ kind }) => kind)).toEqual(['picture-crashed', 'picture-made'])
  })

  test('may hang: it is killed when the time is over', async () => {
    const one = maker({ timeout: 1500 })
    const { pid } = await answer(one, 'a')
    expect(await failure(ask(one, 'hang'))).toBeInstanceOf(Unavailable)
    expect((await answer(one, 'a')).pid).not.toBe(pid)
    expect(seen.map(({ kind }) => kind)).toEqual(['picture-made', 'picture-late', 'picture-made'])
  })

  test('is replaced when it keeps too much memory', async () => {
    const one = maker()
    const { pid } = await answer(one, 'a')
    expect(await ask(one, 'large')).toBe('large')
    expect((await answer(one, 'a')).pid).not.toBe(pid)
  })

  test('is replaced when the content breaks off, or has another length', async () => {
    const one = maker()
    const breaking = new Readable({
      read() {
        this.destroy(new Error('gone'))
      },
    })
    expect(await failure(one.make(order, async () => breaking, 5))).toMatchObject({ message: 'gone' })
    expect(await failure(one.make(order, async () => Readable.from([Buffer.from('abc')]), 5))).toBeInstanceOf(Error)
    expect((await answer(one, 'a')).pid).toBeGreaterThan(0)
  })

  test('ends with the service', async () => {
    const one = maker()
    const { pid } = await answer(one, 'a')
    one.close()
    await expect.poll(() => isAlive(pid)).toBe(false)
  })
})

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('many wishes', () => {
  test('wait for their turn, up to a number, and no process is started for each', async () => {
    const one = maker({ processes: 2 })
    const results = await Promise.allSettled(Array.from({ length: 12 }, () => answer(one, 'slow')))
    const made = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.pid] : []))
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []))
    expect([made.length, new Set(made).size]).toEqual([8, 2])
    expect(refused.every((reason) => reason instanceof Unavailable)).toBe(true)
    expect((await answer(one, 'a')).pid).toBeGreaterThan(0)
  })

  test('do not wait forever', async () => {
    const one = maker({ timeout: 1000 })
    await answer(one, 'a')
    const [first, second] = await Promise.all([failure(ask(one, 'hang')), failure(ask(one, 'slow'))])
    expect(first).toBeInstanceOf(Unavailable)
    // It had its turn when the first was killed, or was refused just before.
    expect(second === null || second instanceof Unavailable).toBe(true)
    expect((await answer(one, 'a')).pid).toBeGreaterThan(0)
  })
})

test('the real program makes pictures, and refuses in its own words', async () => {
  const one = createMaker({ atOnce: 2, timeout: 20_000, observe: () => {} })
  makers.push(one)
  const picture = await sharp({ create: { width: 30, height: 20, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const make = (content: Buffer, mostPixels = 6000) =>
    one.make(
      { ...order, variant: { ...order.variant, format: 'webp' }, mostPixels },
      async () => Readable.from([content]),
      content.length,
    )
  expect(await sharp(await make(picture)).metadata()).toMatchObject({ format: 'webp', width: 30, height: 20 })
  expect(await failure(make(picture, 10))).toMatchObject({ kind: 'too-large' })
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
  for (const content of [picture.subarray(0, 50), Buffer.from('words'), svg])
    expect(await failure(make(content))).toMatchObject({ kind: 'unreadable' })
})
