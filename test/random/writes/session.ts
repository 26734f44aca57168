import { readNames } from '../graphql-names.ts'
import { predict, type WriteRequest } from './predict.ts'
import { randomRequest } from './request.ts'
import type { Schema } from './schema.ts'
import { resetRows, withSession } from './stage.ts'
import { shrink } from './shrink.ts'
import type { State } from './state.ts'
import { databaseUrl } from '../database/create.ts'
import type { Origin } from '../database/random-model.ts'
import { LEAST } from '../cases.ts'
import { createRng, type Rng } from '../rng.ts'
import type { Reply } from '../../lib/server.ts'
import { randomCast } from '../rights/cast.ts'
import { convert } from './convert.ts'
import { installRights } from '../rights/install.ts'
import { effectivePermissionsOf, type Rights } from '../rights/rights.ts'
import { smallerRights } from '../rights/shrink.ts'
import { createGuard } from './permission-guard.ts'
import { randomWriteRights } from './random-rights.ts'
import { type Difference, type Scene, type SignedRequest, step, type WriteTally } from './step.ts'

export const SEQUENCES = 60
const SHRINK_ATTEMPTS = 200
const ADMINISTRATOR_SHARE = 0.3

export interface WriteFailure {
  readonly schema: number
  readonly sequence: number
  readonly reason: string
  readonly rights: Rights
  readonly requests: readonly SignedRequest[]
  readonly reply: Reply
  readonly model: Schema
  readonly start: State
}

export interface WriteTask extends Origin {
  readonly sequence: number | null
  readonly shrinks: boolean
  readonly isOver: () => boolean
}

export async function runWrites(task: WriteTask, tally: WriteTally): Promise<WriteFailure | null> {
  return withSession(task, async (session) => {
    const cast = randomCast(createRng(task.seed, task.schema, 3), task.dialect)
    const names = await readNames(session.server, session.schema.tables.keys())
    const scene: Scene = { ...session, cast, names, tally, url: databaseUrl(task.dialect, session.database) }
    const end = task.sequence === null ? SEQUENCES : task.sequence + 1
    // Every database gets a minimum of writes, so that a slow start does not leave it untested.
    const least = tally.requests + LEAST
    const isEnough = (): boolean => task.isOver() && tally.requests >= least
    for (let number = task.sequence ?? 0; number < end && !isEnough(); number++) {
      const failure = await runSequence(scene, task, number)
      tally.sequences += 1
      if (failure !== null) return failure
    }
    return null
  })
}

async function runSequence(scene: Scene, task: WriteTask, sequence: number): Promise<WriteFailure | null> {
  const rng = createRng(task.seed, task.schema, sequence, 4)
  const { schema, start } = scene
  const rights = randomWriteRights(rng, schema, start, scene.cast)
  await installRights(scene.url, convert(schema, start).model, rights)
  let number = 0
  const fresh = (): number => (number += 1)
  // Five to ten writes of users, and those of the administrator.
  const length = rng.int(7, 14)
  const requests: SignedRequest[] = []
  let state = await resetRows(scene)
  for (let index = 0; index < length; index++) {
    const request = randomSigned(rng, scene, rights, state, fresh)
    requests.push(request)
    const { next, difference } = await step(scene, rights, state, request, index === 0)
    if (difference === null) {
      state = next
      continue
    }
    const smallest = task.shrinks
      ? await shrunk(scene, rights, requests, difference)
      : { ...difference, rights, requests }
    return { schema: task.schema, sequence, model: schema, start, ...smallest }
  }
  return null
}

/** For users, prefers a request that succeeds; rejections are frequent enough. */
function randomSigned(rng: Rng, scene: Scene, rights: Rights, state: State, fresh: () => number): SignedRequest {
  if (rng.chance(ADMINISTRATOR_SHARE)) {
    const protocol = rng.chance(0.7) ? 'rest' : 'graphql'
    return { ...randomRequest(rng, scene.schema, state, fresh), caller: 'administrator', protocol }
  }
  const users = [...scene.cast.users, ...(rng.chance(0.2) ? [null] : [])]
  for (let attempt = 0; ; attempt++) {
    const user = rng.pick(users)
    const request = { ...randomRequest(rng, scene.schema, state, fresh), caller: user, protocol: 'rest' as const }
    if (attempt === 5 || rng.chance(0.25)) return request
    const effective = effectivePermissionsOf(rights, user)
    const guard = createGuard(rights, effective, { checksRights: true, checksValidation: true, checksNames: true })
    if (!effective.isShutOut && predict(scene.schema, state, request, guard).kind === 'done') return request
  }
}

async function replay(scene: Scene, rights: Rights, requests: readonly SignedRequest[]): Promise<Difference | null> {
  await installRights(scene.url, convert(scene.schema, scene.start).model, rights)
  let state = await resetRows(scene)
  for (const [index, request] of requests.entries()) {
    const { next, difference } = await step(scene, rights, state, request, index === 0)
    if (difference !== null) return difference
    state = next
  }
  return null
}

type Smallest = Pick<WriteFailure, 'reason' | 'rights' | 'requests' | 'reply'>

async function shrunk(
  scene: Scene,
  rights: Rights,
  requests: readonly SignedRequest[],
  difference: Difference,
): Promise<Smallest> {
  const counted = { ...scene.tally }
  const fails = (some: readonly WriteRequest[]) => replay(scene, rights, some as readonly SignedRequest[])
  const smaller = await shrink(requests, difference, fails, SHRINK_ATTEMPTS)
  let best: Smallest = { ...smaller.found, rights, requests: smaller.requests as readonly SignedRequest[] }
  let left = SHRINK_ATTEMPTS
  const step = async (): Promise<boolean> => {
    for (const caller of new Set(best.requests.map((request) => request.caller))) {
      for (const fewer of smallerRights(best.rights, effectivePermissionsOf(best.rights, caller))) {
        if (left-- <= 0) return false
        const found = await replay(scene, fewer, best.requests)
        if (found === null) continue
        best = { requests: best.requests, ...found, rights: fewer }
        return true
      }
    }
    return false
  }
  while (await step());
  Object.assign(scene.tally, counted)
  return best
}
