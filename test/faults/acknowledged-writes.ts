// Rows that are written until they are acknowledged, while the database fails, and whether they are there afterwards.
import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { authorization, type Service } from '../measurements/service.ts'

const RATE = 25
export const agent = new Agent({ keepAlive: true, maxSockets: 100 })

export function send(
  { port }: Service,
  path: string,
  body: object,
  key: string,
): Promise<{ status: number; text: string }> {
  const headers = { ...authorization, 'content-type': 'application/json', 'idempotency-key': key }
  return new Promise((resolve) => {
    const sent = request({ agent, host: '127.0.0.1', port, path, method: 'POST', headers }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      answer.once('end', () => resolve({ status: answer.statusCode ?? 0, text }))
      answer.once('error', () => resolve({ status: 0, text: '' }))
    })
    sent.once('error', () => resolve({ status: 0, text: '' }))
    sent.end(JSON.stringify(body))
  })
}

export interface Written {
  readonly acknowledged: ReadonlySet<string>
  readonly statuses: ReadonlyMap<number, number>
  /** Milliseconds between two successes in a row, at most. */
  readonly gap: number
}

/** Writes rows at a rate; each is sent again until it is acknowledged. */
export async function writeFor(service: Service, seconds: () => boolean): Promise<Written> {
  const acknowledged = new Set<string>()
  const statuses = new Map<number, number>()
  const successes: number[] = [performance.now()]
  const under: Promise<void>[] = []
  const write = async () => {
    const ref = randomUUID()
    for (;;) {
      const { status } = await send(service, '/items/notes', { ref }, ref)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (status === 200) {
        acknowledged.add(ref)
        return void successes.push(performance.now())
      }
      await sleep(200)
    }
  }
  while (seconds()) {
    under.push(write())
    await sleep(1000 / RATE)
  }
  await Promise.all(under)
  const gap = successes.slice(1).reduce((most, at, index) => Math.max(most, at - successes[index]!), 0)
  return { acknowledged, statuses, gap }
}

export async function rowsIn(service: Service): Promise<readonly { readonly ref: string }[]> {
  for (;;) {
    const answer = await fetch(`${service.url}/items/notes?fields=ref&limit=-1`, { headers: authorization })
    if (answer.status === 200) return ((await answer.json()) as { data: { ref: string }[] }).data
    if (answer.status !== 503) throw new Error(`the rows could not be read: ${answer.status} ${await answer.text()}`)
    await sleep(200)
  }
}

/** How many acknowledged rows are not there, and how many are there twice. */
export async function wrongIn(service: Service, { acknowledged }: Written): Promise<number> {
  const times = new Map<string, number>()
  for (const { ref } of await rowsIn(service)) times.set(ref, (times.get(ref) ?? 0) + 1)
  const lost = [...acknowledged].filter((ref) => !times.has(ref)).length
  return lost + [...times.values()].filter((count) => count > 1).length
}
