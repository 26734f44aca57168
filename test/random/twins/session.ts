import { type GraphNames, readNames } from '../graphql-names.ts'
import type { Model } from '../database/model.ts'
import { noReply, type Reply, type Request } from '../../lib/server.ts'
import { createRng, type Rng } from '../rng.ts'
import { graphRead } from '../reads/graphql-read.ts'
import { installRights } from '../rights/install.ts'
import { randomStage } from '../database/random-model.ts'
import { randomRead } from '../reads/random-read.ts'
import { randomRights, readsOnly } from '../rights/random-rights.ts'
import { requestOf } from '../reads/encoding.ts'
import { codeOf } from '../reads/case.ts'
import { type Rights, type EffectivePermissions, effectivePermissionsOf, type User } from '../rights/rights.ts'
import { type Theatre, withTheatre } from '../stage.ts'
import type { Protocol } from '../protocol.ts'
import { makeTwins } from './twin.ts'
import { graphWrite, randomTwinWrite, restWrite, type TwinWrite } from './write.ts'
import { createView, type View } from '../rights/view.ts'

export const STEPS = 150
const WRITE_SHARE = 0.15

export interface TwinFailure {
  readonly schema: number
  readonly step: number
  readonly request: Request
  readonly rights: Rights
  readonly user: User | null
  readonly replies: readonly [Reply, Reply]
  readonly one: Model
}

export interface TwinTally {
  reads: number
  writes: number
  /** Responses that contain data. */
  answered: number
  differences: number
  /** Pairs abandoned because a write hit one of the known exceptions. */
  excepted: number
}

/** A caller who can see some of the data, but not all. */
function randomCaller(
  rng: Rng,
  model: Model,
  rights: Rights,
  users: readonly User[],
): { user: User | null; effective: EffectivePermissions } | null {
  for (const user of rng.shuffle([null, ...users])) {
    const effective = effectivePermissionsOf(rights, user)
    if (effective.isAdmin || effective.isShutOut) continue
    const view = createView(model, rights, effective)
    if ([...model.tables.keys()].some((collection) => view.rows(collection, null).length > 0))
      return { user, effective }
  }
  return null
}

export interface TwinTask {
  readonly seed: number
  readonly schema: number
  readonly through: Protocol
  readonly isOver: () => boolean
}

/** Sends the same requests of one caller to two databases that differ only in data hidden from the caller. */
export async function runTwins(task: TwinTask, tally: TwinTally): Promise<TwinFailure | null> {
  const rng = createRng(task.seed, task.schema, 7)
  const { model, cast } = randomStage({ seed: task.seed, schema: task.schema, dialect: 'postgres' })
  const rights = randomRights(rng, model, cast, { ...readsOnly(0.85), actions: ['create', 'read', 'update', 'delete'] })
  const caller = randomCaller(rng, model, rights, cast.users)
  if (caller === null) return null
  const { one, other, differences } = makeTwins(rng, model, rights, caller.effective)
  if (differences === 0) return null
  tally.differences += differences
  const name = (letter: string) => `tain_twin_${process.pid}_${task.schema}_${letter}`
  return withTheatre(name('a'), one, (first) =>
    withTheatre(name('b'), other, async (second) => {
      for (const { url } of [first, second]) await installRights(url, model, rights)
      const views = [one, other].map((side) => createView(side, rights, caller.effective)) as [View, View]
      const names = task.through === 'rest' ? null : await readNames(first.server, model.tables.keys())
      return compareAll({ ...task, names }, rng, [first, second], views, rights, caller.user, tally)
    }),
  )
}

/** Returns null if the protocol cannot express the request. */
function spelt(
  rng: Rng,
  view: View,
  write: TwinWrite | null,
  user: User | null,
  names: GraphNames | null,
): Request | null {
  if (write === null) {
    const read = randomRead(rng, view)
    if (names === null) return requestOf(view.model, read, 'SEARCH', user)
    return graphRead(names, view, read, user)?.request ?? null
  }
  const request = names === null ? restWrite(view, write) : graphWrite(view, write, names)
  return request === null ? null : { ...request, token: user?.token ?? null }
}

async function compareAll(
  task: Pick<TwinTask, 'schema' | 'isOver'> & { readonly names: GraphNames | null },
  rng: Rng,
  theatres: readonly [Theatre, Theatre],
  views: readonly [View, View],
  rights: Rights,
  user: User | null,
  tally: TwinTally,
): Promise<TwinFailure | null> {
  for (let step = 0; step < STEPS && !task.isOver(); step++) {
    // The request may name a value that is hidden in only one of the databases.
    const view = rng.pick(views)
    const write = rng.chance(WRITE_SHARE) ? randomTwinWrite(rng, view) : null
    const request = spelt(rng, view, write, user, task.names)
    if (request === null) continue
    const [left, right] = (await Promise.all(theatres.map(({ server }) => server.send(request).catch(noReply)))) as [
      Reply,
      Reply,
    ]
    tally[write === null ? 'reads' : 'writes'] += 1
    if (left.status === 200 && codeOf(left) === 'none' && left.text.length > (task.names === null ? 12 : 20))
      tally.answered += 1
    const isSame =
      left.status === right.status && left.text === right.text && markOf(left) === markOf(right) && left.status !== 0
    if (isSame) continue
    // A unique constraint always reveals that a value is taken.
    if (write !== null && [left, right].some((reply) => codeOf(reply) === 'RECORD_NOT_UNIQUE')) {
      tally.excepted += 1
      return null
    }
    return { schema: task.schema, step, request, rights, user, replies: [left, right], one: views[0].model }
  }
  return null
}

/** Callers who can read every value of every row get the database's row version, which counts transactions. */
const markOf = ({ etag }: Reply): string | null => (etag !== null && /^"\d+"$/.test(etag) ? 'a counter' : etag)
