import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRng, type Rng } from '../../random/rng.ts'
import { archive } from './archives.ts'
import * as changes from './changes.ts'
import type { Change } from './changes.ts'
import { factsOf, randomUpload, titleFor } from './contents.ts'
import { openStore, withDatabase, type Store } from './install.ts'
import { makeLink, openLink } from './links.ts'
import { randomOpen, randomPeople } from './people.ts'
import * as reads from './reads.ts'
import { dataOf, form, json, startService, type Service } from './service.ts'
import { spell, type Permission } from './rules.ts'
import type { Stage, Trial } from './stage.ts'
import { tokenOf, type Folder, type World } from './world.ts'
import * as writes from './writes.ts'

export interface Options {
  readonly seed: number
  readonly requests: number
  readonly seconds: number
  /** Stops after so many differences. */
  readonly enough: number
}

export interface Result {
  readonly requests: number
  /** Of each kind, how often the caller was let in and refused. */
  readonly tally: Readonly<Record<string, number>>
  readonly differences: readonly string[]
}

const TRIALS: readonly (readonly [number, string, Trial])[] = [
  [14, 'row', reads.row],
  [8, 'list', reads.list],
  [30, 'asset', reads.asset],
  [10, 'patch', writes.patch],
  [7, 'replace', writes.replace],
  [7, 'upload', writes.upload],
  [6, 'remove', writes.remove],
  [1, 'import', writes.bringIn],
  [6, 'variant', reads.variant],
  [4, 'archive', archive],
  [4, 'link', makeLink],
  [8, 'linked', openLink],
]

const CHANGES: readonly (readonly [number, Change])[] = [
  [5, changes.policies],
  [2, changes.status],
  [2, changes.admin],
  [2, changes.open],
  [4, changes.move],
  [1, changes.logo],
]

const PEOPLE = 20
const FILES = 60

export async function compareFileRights(options: Options): Promise<Result> {
  const root = await mkdtemp(join(tmpdir(), 'tain-file-rights-'))
  try {
    return await withDatabase(async (url) => {
      const service = await startService(url, root, tokenOf())
      const store = await openStore(url)
      try {
        return await play(options, service, store, root)
      } finally {
        await store.close()
        await service.stop()
      }
    })
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

async function play(options: Options, service: Service, store: Store, root: string): Promise<Result> {
  const rng = createRng(options.seed)
  const world = await build(rng, service, store)
  const stage: Stage = { rng, world, service, store }
  const tally: Record<string, number> = {}
  const found: string[] = []
  const end = Date.now() + options.seconds * 1000
  let requests = 0
  while (requests < options.requests && Date.now() < end && found.length < options.enough) {
    const concerned = rng.chance(0.06) ? await rng.weighted(CHANGES)(stage) : undefined
    const somebody = rng.chance(0.1) ? null : rng.pick(world.people)
    // The next request already has the new rights.
    const caller = concerned !== undefined && rng.chance(0.8) ? concerned : somebody
    const [, name, trial] = rng.weighted(TRIALS.map((entry) => [entry[0], entry] as const))
    const differences = await trial(stage, caller)
    requests += 1
    tally[name] = (tally[name] ?? 0) + 1
    if (differences.length > 0) found.push(`request ${requests}, ${name}: ${differences.join('; ')}; by ${who(caller)}`)
  }
  return { requests, tally, differences: [...found, ...(await objectsLeft(world, root))] }
}

const brief = ({ action, fields, rule, validation, presets }: Permission) => [
  action,
  fields.join(),
  rule === null ? null : spell(rule),
  validation === null ? null : spell(validation),
  presets,
]

const who = (caller: World['people'][number] | null): string =>
  caller === null ? 'the public' : `${caller.id} ${JSON.stringify(caller.policies.map((policy) => policy.map(brief)))}`

/** The storage holds the content of the rows, and nothing of what was refused. */
async function objectsLeft(world: World, root: string): Promise<string[]> {
  const expected = world.files
    .filter(({ isDeleted }) => !isDeleted)
    .map(({ id }) => id)
    .toSorted()
  for (let tries = 0; ; tries += 1) {
    const names = (await readdir(root)).filter((name) => name !== '.part' && !name.includes('__'))
    const found = names.map((name) => name.slice(0, 36)).toSorted()
    if (found.join() === expected.join()) return []
    // What deleted rows leave is removed in the background.
    if (tries === 50) return [`${found.length} objects of ${expected.length} files`]
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

async function build(rng: Rng, service: Service, store: Store): Promise<World> {
  const folders: Folder[] = []
  for (let index = 0; index < 6; index += 1) {
    const parent = index < 2 ? null : rng.pick(folders).id
    const name = `Folder ${index}`
    const answer = await service.send({
      method: 'POST',
      path: '/folders',
      token: service.adminToken,
      ...json({ name, parent }),
    })
    folders.push({ id: (dataOf(answer) as { id: string }).id, name })
  }
  const people = randomPeople(rng, folders, PEOPLE)
  const world: World = { people, folders, files: [], links: [], open: randomOpen(rng, folders), logo: null }
  await store.people(world)
  await store.open(world)
  for (let index = 0; index < FILES; index += 1) await addFile(rng, service, store, world)
  return world
}

async function addFile(rng: Rng, service: Service, store: Store, world: World): Promise<void> {
  const upload = randomUpload(rng)
  const folder = rng.chance(0.2) ? null : rng.pick(world.folders).id
  const owner = rng.pick(world.people).id
  const answer = await service.send({
    method: 'POST',
    path: '/files',
    token: service.adminToken,
    ...form({ folder }, upload),
  })
  const { id } = dataOf(answer) as { id: string }
  await store.owner(id, owner)
  const facts = { ...factsOf(upload), filename_download: upload.name, type: upload.type, title: titleFor(upload.name) }
  const row = { id, folder, uploaded_by: owner, description: null, ...facts }
  world.files.push({ id, row, content: upload.content, isDeleted: false })
}

export const printResult = (seed: number, { requests, tally, differences }: Result): string =>
  [
    ...differences,
    `seed ${seed}: ${requests} requests (${Object.entries(tally)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ')}), ${differences.length === 0 ? 'no difference' : `${differences.length} FAILED`}`,
  ].join('\n')
