// npm run verify picture-speed
// How fast the service makes a variant of a photo, compared with the library that it uses, in the same run.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { createDatabase } from '../lib/databases.ts'
import { authorization, median, untilReady, withService, type Figure, type Service } from './service.ts'

const LEAST_SHARE = 0.8
const [WIDTH, HEIGHT] = [4000, 3000]

/** Twelve megapixels with gradients and noise, about as large as a photo. */
async function photo(): Promise<Buffer> {
  const pixels = Buffer.alloc(WIDTH * HEIGHT * 3)
  let state = 1
  for (let n = 0, at = 0; n < WIDTH * HEIGHT; n += 1, at += 3) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    const [x, y, noise] = [n % WIDTH, Math.floor(n / WIDTH), (state >> 16) & 31]
    pixels[at] = x / 16 + noise
    pixels[at + 1] = y / 12 + noise
    pixels[at + 2] = (x + y) / 28 + noise
  }
  return sharp(pixels, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
    .jpeg({ quality: 85 })
    .toBuffer()
}

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now()
  await work()
  return performance.now() - began
}

async function upload({ url }: Service, content: Buffer): Promise<string> {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(content)], { type: 'image/jpeg' }), 'photo.jpg')
  const answer = await fetch(`${url}/files`, { method: 'POST', headers: authorization, body: form })
  return ((await answer.json()) as { readonly data: { readonly id: string } }).data.id
}

async function variant({ url }: Service, id: string, query: string): Promise<Buffer> {
  const answer = await fetch(`${url}/assets/${id}?${query}`, { headers: authorization })
  if (answer.status !== 200) throw new Error(`${query} answered ${answer.status}: ${await answer.text()}`)
  return Buffer.from(await answer.arrayBuffer())
}

async function measure(service: Service, rounds: number): Promise<Figure[]> {
  const content = await photo()
  const id = await upload(service, content)
  const bare = (quality: number) => sharp(content).autoOrient().resize(800).webp({ quality }).toBuffer()
  // The first picture starts a process.
  const first = await timed(() => variant(service, id, 'width=800&format=webp&quality=70'))
  await bare(70)
  const pairs: { readonly own: number; readonly bare: number; readonly stored: number }[] = []
  for (let round = 0; round < rounds; round += 1) {
    // Another quality each time, so that the variant is not in the storage yet.
    const [quality, query] = [75 + round, `width=800&format=webp&quality=${75 + round}`]
    const own = await timed(() => variant(service, id, query))
    pairs.push({ own, bare: await timed(() => bare(quality)), stored: await timed(() => variant(service, id, query)) })
  }
  const made = await sharp(await variant(service, id, 'width=800&format=webp&quality=75')).metadata()
  if (made.width !== 800 || made.format !== 'webp') throw new Error('the variant is another one')
  const what = 'JPEG of 12 megapixels to WebP of 800 pixels'
  return [
    {
      what: `${what}: share of the library alone`,
      value: median(pairs.map((pair) => pair.bare / pair.own)),
      unit: '',
      bound: { atLeast: LEAST_SHARE },
    },
    { what: `${what}: made and stored`, value: median(pairs.map(({ own }) => own)), unit: 'ms' },
    { what: `${what}: the library alone`, value: median(pairs.map((pair) => pair.bare)), unit: 'ms' },
    { what: `${what}: from the storage`, value: median(pairs.map(({ stored }) => stored)), unit: 'ms' },
    { what: `${what}: the first one, with the start of a process`, value: first, unit: 'ms' },
  ]
}

export async function measurePictures(rounds: number): Promise<Figure[]> {
  const database = await createDatabase('postgres')
  const directory = await mkdtemp(join(tmpdir(), 'tain-pictures-'))
  try {
    const environment = { DATABASE_URL: database.url, STORAGE_LOCAL_ROOT: directory, LOG_LEVEL: 'warn' }
    return await withService(environment, async (service) => {
      await untilReady(service)
      return measure(service, rounds)
    })
  } finally {
    await rm(directory, { recursive: true, force: true })
    await database.drop()
  }
}
