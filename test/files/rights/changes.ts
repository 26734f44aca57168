import { randomOpen, randomPolicies } from './people.ts'
import { json, type Answer } from './service.ts'
import { someFile, tell, type Stage } from './stage.ts'
import type { Caller } from './world.ts'

/** Changes of rights between requests. Tells whose rights have changed, if it is somebody's in particular. */
export type Change = (stage: Stage) => Promise<Caller | undefined>

const must = (answer: Answer): void => {
  if (answer.status >= 300) throw new Error(`an administrator was refused: ${tell(answer)}`)
}

/** Other permissions for somebody. */
export const policies: Change = async ({ rng, world, store }) => {
  const person = rng.pick(world.people.slice(2))
  person.policies = randomPolicies(rng, world.folders)
  await store.policiesOf(person)
  return person
}

/** Somebody becomes an administrator, or is one no longer. */
export const admin: Change = async ({ rng, world, store }) => {
  const person = rng.pick(world.people.slice(1))
  person.isAdmin = !person.isAdmin && world.people.filter(({ isAdmin }) => isAdmin).length < 4
  await store.policiesOf(person)
  return person
}

export const status: Change = async ({ rng, world, store }) => {
  const suspended = world.people.filter(({ isActive }) => !isActive)
  const person = suspended.length > 1 ? rng.pick(suspended) : rng.pick(world.people.slice(2))
  person.isActive = !person.isActive
  await store.status(person)
  return person
}

export const open: Change = async ({ rng, world, store }) => {
  world.open = randomOpen(rng, world.folders)
  await store.open(world)
  return null
}

/** A file goes to another folder, or belongs to somebody else. */
export const move: Change = async (stage) => {
  const { rng, world, service, store } = stage
  const file = someFile(stage)
  if (file === null || file.isDeleted) return undefined
  if (rng.chance(0.5)) {
    const owner = rng.chance(0.1) ? null : rng.pick(world.people).id
    await store.owner(file.id, owner)
    file.row = { ...file.row, uploaded_by: owner }
    return undefined
  }
  const folder = rng.chance(0.2) ? null : rng.pick(world.folders).id
  must(
    await service.send({ method: 'PATCH', path: `/files/${file.id}`, token: service.adminToken, ...json({ folder }) }),
  )
  file.row = { ...file.row, folder }
  return undefined
}

export const logo: Change = async (stage) => {
  const file = stage.rng.chance(0.3) ? null : someFile(stage)
  if (file?.isDeleted === true) return undefined
  stage.world.logo = file?.id ?? null
  await stage.store.logo(stage.world.logo)
  return undefined
}
