/** Statements of a write, by what they do. */
export const writeSteps = [
  'claim',
  'claimed',
  'read',
  'match',
  'find',
  'lock',
  'check',
  'leaving',
  'create',
  'single-statement-create',
  'advance',
  'update',
  'join',
  'largest',
  'remove',
  'delete',
  'record',
  'outbox',
  'answered',
] as const
export type WriteStep = (typeof writeSteps)[number]

/** Statements of a schema or metadata change. */
const schemaSteps = [
  'journal',
  'prepare',
  'take-back',
  'define',
  'put',
  'update',
  'remove',
  'bump',
  'clear-away',
] as const
export type SchemaStep = (typeof schemaSteps)[number]

/** Steps of bringing content in and of taking it away. */
const fileSteps = ['store', 'row', 'remove', 'piece', 'finish'] as const
export type FileStep = (typeof fileSteps)[number]

/** Steps from a committed change to its place in the log. */
const eventSteps = ['sequence', 'tail'] as const
export type EventStep = (typeof eventSteps)[number]

/** Steps of taking over a change from the log of the database. */
const outsideSteps = ['before-append', 'appended', 'confirmed'] as const

/** Steps of bringing changes to webhooks. */
export const webhookSteps = ['gather', 'take', 'send', 'end'] as const
export type WebhookStep = (typeof webhookSteps)[number]

export type Failpoint =
  | `write.${'begun' | 'before-commit' | 'committed'}`
  | `write.${'before' | 'after'}-${WriteStep}`
  | `schema.${'before-commit' | 'committed'}`
  | `schema.${'before' | 'after'}-${SchemaStep}`
  | `files.${'before' | 'after'}-${FileStep}`
  | `events.${'before' | 'after'}-${EventStep}`
  | `outside.${(typeof outsideSteps)[number]}`
  | `webhooks.${'before' | 'after'}-${WebhookStep}`

/** Every point of the program that can be made to fail; tests go through all of them. */
export const failpoints: readonly Failpoint[] = [
  'write.begun',
  ...writeSteps.flatMap((step) => [`write.before-${step}`, `write.after-${step}`] as const),
  'write.before-commit',
  'write.committed',
  ...schemaSteps.flatMap((step) => [`schema.before-${step}`, `schema.after-${step}`] as const),
  'schema.before-commit',
  'schema.committed',
  ...fileSteps.flatMap((step) => [`files.before-${step}`, `files.after-${step}`] as const),
  ...eventSteps.flatMap((step) => [`events.before-${step}`, `events.after-${step}`] as const),
  ...outsideSteps.map((step) => `outside.${step}` as const),
  ...webhookSteps.flatMap((step) => [`webhooks.before-${step}`, `webhooks.after-${step}`] as const),
]

/** The action at a failpoint, and the hit that triggers it; every hit if `count` is null. */
export interface Trap {
  readonly name: Failpoint | '*'
  readonly count: number | null
  readonly mode: 'crash' | 'throw' | 'note' | { readonly delay: number }
}

export interface Failpoints {
  hit(name: Failpoint): Promise<void>
}

const TRAP = /^(?<name>\*|[a-z.-]+)(?::(?<count>[1-9]\d*))?:(?:(?<word>crash|throw|note)|delay:(?<delay>\d+))$/u

/** Parses `name[:count]:mode`, with the modes crash, throw, note and delay:milliseconds; undefined if it is invalid. */
export function parseTrap(text: string): Trap | undefined {
  const { name, count, word, delay } = TRAP.exec(text)?.groups ?? {}
  const known = name === '*' ? name : failpoints.find((failpoint) => failpoint === name)
  if (known === undefined) return undefined
  const mode = word === 'crash' || word === 'throw' || word === 'note' ? word : { delay: Number(delay) }
  return { name: known, count: count === undefined ? null : Number(count), mode }
}

/** Returns null without traps, so that failpoints cost nothing outside tests. */
export function createFailpoints(
  traps: readonly Trap[],
  note: (name: Failpoint, count: number) => void,
): Failpoints | null {
  if (traps.length === 0) return null
  const counts = new Map<string, number>()
  const countUp = (name: string): number => {
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return count
  }
  return {
    async hit(name) {
      const count = countUp(name)
      const total = countUp('*')
      for (const trap of traps) {
        const reached = trap.name === '*' ? total : count
        if ((trap.name === '*' || trap.name === name) && (trap.count === null || trap.count === reached))
          await spring(trap, name, () => note(name, count))
      }
    },
  }
}

async function spring({ mode }: Trap, name: Failpoint, note: () => void): Promise<void> {
  if (mode === 'note') return note()
  if (mode === 'throw') throw new Error(`failpoint ${name}`)
  if (mode !== 'crash') return new Promise((resolve) => setTimeout(resolve, mode.delay))
  process.kill(process.pid, 'SIGKILL')
  // Never resolves: no code may run between the signal and its effect.
  return new Promise(() => undefined)
}

/** Runs one step between its two failpoints. */
export async function between<T>(
  points: Failpoints | null,
  before: Failpoint,
  after: Failpoint,
  work: () => Promise<T>,
): Promise<T> {
  if (points === null) return work()
  await points.hit(before)
  const result = await work()
  await points.hit(after)
  return result
}
