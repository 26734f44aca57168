import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabase } from '../lib/databases.ts'
import { peakOf } from '../hostile/memory.ts'
import { authorization, hasEnded, untilReady, withService, type Service } from '../measurements/service.ts'
import { bombs, mutated, originals, type HostileFile } from './hostile-pictures.ts'

export interface PictureReport {
  readonly files: number
  readonly requests: number
  readonly statuses: Readonly<Record<string, number>>
  readonly failures: readonly string[]
  /** Megabytes. */
  readonly servicePeak: number
  /** Of all processes that decode, together. */
  readonly decodersPeak: number
  /** Milliseconds. */
  readonly slowest: number
  readonly slowestWhat: string
  /** Processes that a decoder took with it. */
  readonly crashes: number
  readonly late: number
}

export const pictureBounds = { service: 400, decoders: 2048, slowest: 25_000 }

const AT_ONCE = 4
const variants = ['width=32&format=webp', 'width=20&height=30', 'format=png&transforms=[["rotate",30],["blur",2]]']
const expected = new Set([200, 400, 422, 503])

/** Uploads hostile files to a service of its own and asks for their variants. */
export async function pictureCampaign(options: {
  readonly seed: number
  readonly mutations: number
  readonly onProgress?: (done: number) => void
}): Promise<PictureReport> {
  const database = await createDatabase('sqlite')
  const folder = await mkdtemp(join(tmpdir(), 'tain-pictures-'))
  const environment = { DATABASE_URL: database.url, STORAGE_LOCAL_ROOT: folder, LOG_LEVEL: 'warn', LOG_FORMAT: 'json' }
  try {
    return await withService(environment, async (service) => {
      await untilReady(service)
      return attack(service, options)
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
    await database.drop()
  }
}

async function attack(service: Service, { seed, mutations, onProgress }: Parameters<typeof pictureCampaign>[0]) {
  const [all, made] = [await originals(seed), await bombs(seed)]
  const statuses: Record<string, number> = {}
  const failures: string[] = []
  let [next, requests, slowest, slowestWhat, decodersPeak] = [0, 0, 0, '', 0]
  const files = made.length + mutations
  const timer = setInterval(() => (decodersPeak = Math.max(decodersPeak, decodersOf(service.pid))), 50)

  const ask = async (what: string, path: string, init: RequestInit = {}): Promise<string | null> => {
    const began = performance.now()
    const answer = await fetch(`${service.url}${path}`, { ...init, headers: authorization }).catch(() => null)
    const text = (await answer?.text().catch(() => null)) ?? null
    const milliseconds = performance.now() - began
    if (milliseconds > slowest) [slowest, slowestWhat] = [milliseconds, what]
    requests += 1
    const status = text === null ? 'closed' : String(answer?.status)
    statuses[status] = (statuses[status] ?? 0) + 1
    if (!expected.has(Number(status))) failures.push(`${what}: ${status} ${text?.slice(0, 200) ?? ''}`)
    else if (status !== '200' && /vips|libpng|libjpeg|sharp|gif:|\/tmp/iu.test(text ?? ''))
      failures.push(`${what}: tells ${text}`)
    return status === '200' ? text : null
  }

  const attempt = async (one: HostileFile, label: string): Promise<void> => {
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array(one.content)], { type: one.type }), one.name)
    const row = await ask(`upload of ${label}`, '/files', { method: 'POST', body: form })
    if (row === null) return void failures.push(`${label}: not uploaded`)
    const { id } = (JSON.parse(row) as { data: { id: string } }).data
    for (const query of ['', ...variants]) await ask(`${query} of ${label}`, `/assets/${id}?${query}`)
  }

  const work = async (): Promise<void> => {
    while (next < files && !hasEnded(service.child)) {
      const index = next
      next += 1
      const one = made[index] ?? mutated(all, seed, index)
      await attempt(one, `file ${index}, ${one.what}`)
      if (index % 200 === 199) onProgress?.(index + 1)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  clearInterval(timer)
  if (hasEnded(service.child)) failures.push(`the service is gone: ${service.log().slice(-2000)}`)
  await ask('ping', '/server/ping')
  const log = service.log()
  return {
    files,
    requests,
    statuses,
    failures,
    servicePeak: peakOf(service.pid),
    decodersPeak,
    slowest: Math.round(slowest),
    slowestWhat,
    crashes: log.split('a decoder of pictures ended').length - 1,
    late: log.split('variant of a picture given up').length - 1,
  }
}

/** Memory of the processes that the service has started, in megabytes. */
function decodersOf(pid: number): number {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
    const sizes = children.filter(Boolean).map((child) => {
      const found = /^VmRSS:\s+(\d+) kB/mu.exec(readFileSync(`/proc/${child}/status`, 'utf8'))
      return Number(found?.[1] ?? 0) / 1024
    })
    return Math.round(sizes.reduce((sum, size) => sum + size, 0))
  } catch {
    return 0
  }
}
