import type { Rng } from '../../random/rng.ts'
import type { Store } from './install.ts'
import type { Seen } from './model.ts'
import { bodyOf, type Answer, type Ask, type Service } from './service.ts'
import type { Caller, StoredFile, World } from './world.ts'

/** What a trial has at hand. */
export interface Stage {
  readonly rng: Rng
  readonly world: World
  readonly service: Service
  readonly store: Store
}

/** One request, compared with the model. Returns what differs. */
export type Trial = (stage: Stage, caller: Caller) => Promise<readonly string[]>

export const send = ({ service }: Stage, caller: Caller, ask: Omit<Ask, 'token'>): Promise<Answer> =>
  service.send({ ...ask, token: caller?.token ?? null })

/** Whoever is suspended is told so, and nothing else. */
export const isOut = (caller: Caller): boolean => caller !== null && !caller.isActive
const OUT = 401

export const tell = (answer: Answer): string => `${answer.status} ${answer.bytes.toString('latin1').slice(0, 300)}`

/** Null: no such file. Deleted ones and ones that never were are asked for too. */
export const someFile = ({ rng, world }: Stage): StoredFile | null => (rng.chance(0.03) ? null : rng.pick(world.files))

export const idOf = (file: StoredFile | null): string => file?.id ?? 'ffffffff-ffff-4fff-afff-ffffffffffff'

/** Every refusal of a file has these words, whether it exists or not. */
const CLOSED = /^\{"errors":\[\{"message":"[^"]+","extensions":\{"code":"FORBIDDEN"\}\}\]\}$/u

let words: string | null = null

/** A refusal tells nothing but that it is one. */
export function refusal(answer: Answer, caller: Caller, isHead = false, hasGrant = true): string[] {
  const status = isOut(caller) ? OUT : 403
  if (answer.status !== status) return [`status ${tell(answer)}, expected ${status}`]
  if (isHead) return answer.bytes.length === 0 ? [] : ['HEAD has a body']
  if (isOut(caller) || !hasGrant) return []
  const text = answer.bytes.toString()
  words ??= text
  const leaks = ['etag', 'content-disposition', 'last-modified', 'repr-digest', 'content-range'].filter(
    (name) => answer.headers[name] !== undefined,
  )
  return [
    ...(CLOSED.test(text) ? [] : [`not the words of a refusal: ${text}`]),
    ...(text === words ? [] : [`other words than for another closed file: ${text}`]),
    ...leaks.map((name) => `a refusal with ${name}`),
  ]
}

export const differences = (what: string, found: unknown, expected: unknown): string[] => {
  const [a, b] = [JSON.stringify(found), JSON.stringify(expected)]
  return a === b ? [] : [`${what}: ${a}, expected ${b}`]
}

/** Compares a row of a response with what the caller may see of it. */
export function compareRow(found: unknown, seen: Seen): string[] {
  if (typeof found !== 'object' || found === null || seen === null) return differences('row', found, seen)
  const row = found as Record<string, unknown>
  const names = differences('fields', Object.keys(row).toSorted(), Object.keys(seen).toSorted())
  const values = Object.entries(seen).flatMap(([name, value]) =>
    value === undefined ? [] : differences(name, plain(name, row[name]), value),
  )
  return [...names, ...values]
}

/** Large numbers are text on the wire. */
const plain = (name: string, value: unknown) =>
  name === 'filesize' && typeof value === 'string' ? Number(value) : value

export const codeOf = (answer: Answer): string | undefined =>
  (bodyOf(answer) as { errors?: { extensions?: { code?: string } }[] } | undefined)?.errors?.[0]?.extensions?.code
