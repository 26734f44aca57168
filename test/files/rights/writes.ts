import { factsOf, randomUpload, titleFor } from './contents.ts'
import { createdBy, mayDelete, seenBy, unionOf, updatedBy, type Verdict } from './model.ts'
import type { Row } from './rules.ts'
import { bodyOf, dataOf, form, json, type Answer } from './service.ts'
import { codeOf, compareRow, differences, idOf, isOut, send, someFile, tell, type Stage, type Trial } from './stage.ts'
import { grantOf, uuidOf, WORDS, type Caller, type StoredFile } from './world.ts'
import { capital } from './people.ts'

const CODES: Readonly<Record<number, string>> = {
  400: 'FAILED_VALIDATION',
  401: 'INVALID_CREDENTIALS',
  403: 'FORBIDDEN',
}

function compareRefusal(answer: Answer, statuses: ReadonlySet<number>): string[] {
  if (!statuses.has(answer.status)) return [`status ${tell(answer)}, expected ${[...statuses].join(' or ')}`]
  return differences('code', codeOf(answer), CODES[answer.status])
}

/** The response of a write shows what the caller may read of the new row. */
function compareWritten({ world }: Stage, caller: Caller, answer: Answer, row: Row): string[] {
  const union = unionOf(world, caller, 'read')
  const isReader = caller?.isAdmin === true || grantOf(world, caller, 'read').length > 0
  const seen = isReader ? seenBy(world, caller, row, union) : null
  if (seen === null) return differences('status', answer.status, 204)
  if (answer.status !== 200) return [`status ${tell(answer)}, expected 200`]
  return compareRow(dataOf(answer), seen)
}

const verdictFor = (caller: Caller, verdict: () => Verdict): Verdict =>
  isOut(caller) ? { refused: new Set([401]) } : verdict()

function randomSent({ rng, world }: Stage, least: number): Row {
  const all: [string, string | null][] = [
    ['title', `${capital(rng.pick(WORDS))} ${rng.int(1, 9)}`],
    ['description', `words ${rng.int(1, 99)}`],
    ['folder', rng.chance(0.3) ? null : rng.pick(world.folders).id],
  ]
  return Object.fromEntries(rng.sample(all, least, 2))
}

export const patch: Trial = async (stage, caller) => {
  const { rng, world } = stage
  const file = someFile(stage)
  const name = rng.chance(0.2) ? { filename_download: `${rng.pick(WORDS)}_${rng.int(1, 999)}.txt` } : {}
  const sent: Row = { ...randomSent(stage, 1), ...name }
  const answer = await send(stage, caller, { method: 'PATCH', path: `/files/${idOf(file)}`, ...json(sent) })
  const verdict = verdictFor(caller, () => updatedBy(world, caller, file, { sent, filled: {} }))
  if ('refused' in verdict) return compareRefusal(answer, verdict.refused)
  file!.row = verdict.row
  return compareWritten(stage, caller, answer, verdict.row)
}

export const replace: Trial = async (stage, caller) => {
  const { world } = stage
  const file = someFile(stage)
  const upload = randomUpload(stage.rng)
  const fields = randomSent(stage, 0)
  const answer = await send(stage, caller, { method: 'PATCH', path: `/files/${idOf(file)}`, ...form(fields, upload) })
  const sent = { ...fields, filename_download: upload.name, type: upload.type }
  const verdict = verdictFor(caller, () => updatedBy(world, caller, file, { sent, filled: factsOf(upload) }))
  if ('refused' in verdict) return compareRefusal(answer, verdict.refused)
  file!.row = verdict.row
  file!.content = upload.content
  return compareWritten(stage, caller, answer, verdict.row)
}

export const upload: Trial = async (stage, caller) => {
  const { rng, world } = stage
  const sending = randomUpload(rng)
  const isWithId = rng.chance(0.2)
  const id = uuidOf(rng)
  const fields = { ...randomSent(stage, 0), ...(isWithId ? { id } : {}) }
  const answer = await send(stage, caller, { method: 'POST', path: '/files', ...form(fields, sending) })
  const sent = { ...fields, filename_download: sending.name, type: sending.type }
  const filled = {
    title: titleFor(sending.name),
    description: null,
    folder: null,
    uploaded_by: caller?.id ?? null,
    ...factsOf(sending),
  }
  const verdict = verdictFor(caller, () => createdBy(world, caller, { sent, filled }))
  if ('refused' in verdict) return compareRefusal(answer, verdict.refused)
  const made = await newest(stage, verdict.row)
  if (made === null) return [`no new row after ${tell(answer)}`]
  const row = { ...verdict.row, id: made }
  world.files.push({ id: made, row, content: sending.content, isDeleted: false })
  return compareWritten(stage, caller, answer, row)
}

/** The key of the row that is not known yet: responses do not always tell it. */
async function newest({ service, world }: Stage, row: Row): Promise<string | null> {
  const filter = encodeURIComponent(JSON.stringify({ checksum: { _eq: row['checksum'] } }))
  const path = `/files?fields=id&limit=-1&filter=${filter}`
  const answer = await service.send({ method: 'GET', path, token: service.adminToken })
  const ids = ((bodyOf(answer) as { data?: { id: string }[] }).data ?? []).map(({ id }) => id)
  const known = new Set(world.files.map(({ id }) => id))
  const fresh = ids.filter((id) => !known.has(id))
  return fresh.length === 1 && (row['id'] === undefined || row['id'] === fresh[0]) ? fresh[0]! : null
}

export const remove: Trial = async (stage, caller) => {
  const { rng, world } = stage
  const file = someFile(stage)
  // Otherwise nothing would be left soon.
  const others = world.files.filter(({ isDeleted }) => !isDeleted).length
  if (file !== null && others < 30 && mayDelete(world, caller, file) && !isOut(caller)) return []
  const isList = rng.chance(0.3)
  const answer = isList
    ? await send(stage, caller, { method: 'DELETE', path: '/files', ...json([idOf(file)]) })
    : await send(stage, caller, { method: 'DELETE', path: `/files/${idOf(file)}` })
  if (isOut(caller) || !mayDelete(world, caller, file))
    return compareRefusal(answer, new Set([isOut(caller) ? 401 : 403]))
  forget(stage, file!)
  return differences('status', answer.status, 204)
}

function forget({ world }: Stage, file: StoredFile): void {
  file.isDeleted = true
  if (world.logo === file.id) world.logo = null
  // A few of the deleted ones are enough to ask for.
  const gone = world.files.filter(({ isDeleted }) => isDeleted)
  if (gone.length > 10) world.files.splice(world.files.indexOf(gone[0]!), 1)
}

/** Nobody can import from this machine; whoever may not create is told that, and not what became of the address. */
export const bringIn: Trial = async (stage, caller) => {
  const url = 'http://127.0.0.1:9/secret.txt'
  const answer = await send(stage, caller, { method: 'POST', path: '/files/import', ...json({ url }) })
  const { world } = stage
  if (isOut(caller)) return differences('status', answer.status, 401)
  const isFree = caller?.isAdmin === true
  if (!isFree && grantOf(world, caller, 'create').length === 0) return compareRefusal(answer, new Set([403]))
  return differences('status', answer.status, 503)
}
