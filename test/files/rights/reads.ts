import { mayRead, opened, seenBy, unionOf, type Opened } from './model.ts'
import { isMet, spell, type Row, type Rule } from './rules.ts'
import { dataOf, type Answer } from './service.ts'
import { compareRow, differences, idOf, isOut, refusal, send, someFile, tell, type Stage, type Trial } from './stage.ts'
import { capital } from './people.ts'
import { KNOWN, sightOf, TYPES, WORDS, type Caller, type StoredFile } from './world.ts'

/** Null: the request names none, which means all. */
const someFields = ({ rng }: Stage): readonly string[] | null => (rng.chance(0.5) ? null : rng.sample(KNOWN, 1, 4))

export const row: Trial = async (stage, caller) => {
  const { world } = stage
  const file = someFile(stage)
  const fields = someFields(stage)
  const query = fields === null ? '' : `?fields=${fields.join(',')}`
  const answer = await send(stage, caller, { method: 'GET', path: `/files/${idOf(file)}${query}` })
  const union = unionOf(world, caller, 'read')
  const isNamed = (fields ?? []).every((name) => union.includes(name))
  const isOpen = !isOut(caller) && mayRead(world, caller) && isNamed && file !== null && !file.isDeleted
  const seen = isOpen ? seenBy(world, caller, file.row, fields ?? union) : null
  if (seen === null)
    return isNamed
      ? refusal(answer, caller, false, mayRead(world, caller))
      : differences('status', answer.status, isOut(caller) ? 401 : 403)
  if (answer.status !== 200) return [`status ${tell(answer)}, expected 200`]
  return compareRow(dataOf(answer), seen)
}

function someFilter({ rng, world }: Stage): Rule | null {
  const test = (field: string, op: '_eq' | '_starts_with' | '_null', value: string | true): Rule => ({
    kind: 'test',
    field,
    op,
    value,
  })
  return rng.weighted<() => Rule | null>([
    [2, () => null],
    [1, () => test('title', '_starts_with', capital(rng.pick(WORDS)))],
    [1, () => test('type', '_eq', rng.pick(TYPES))],
    [1, () => test('folder', '_null', true)],
    [1, () => test('folder', '_eq', rng.pick(world.folders).id)],
    [1, () => test('filename_download', '_starts_with', rng.pick(WORDS))],
    [1, () => test('checksum', '_starts_with', rng.pick(['0', 'a', '7']))],
  ])()
}

export const list: Trial = async (stage, caller) => {
  const { world } = stage
  const fields = someFields(stage)
  const filter = someFilter(stage)
  const parameters = new URLSearchParams({ limit: '-1' })
  if (fields !== null) parameters.set('fields', fields.join(','))
  if (filter !== null) parameters.set('filter', JSON.stringify(spell(filter)))
  const answer = await send(stage, caller, { method: 'GET', path: `/files?${parameters}` })
  const union = unionOf(world, caller, 'read')
  const named = [...(fields ?? []), ...(filter?.kind === 'test' ? [filter.field] : [])]
  if (isOut(caller) || !mayRead(world, caller) || named.some((name) => !union.includes(name)))
    return differences('status', answer.status, isOut(caller) ? 401 : 403)
  if (answer.status !== 200) return [`status ${tell(answer)}, expected 200`]
  const shown = world.files
    .filter(
      (file) =>
        !file.isDeleted && (filter === null || isMet(filter, masked(stage, caller, file), sightOf(world, caller))),
    )
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map((file) => seenBy(world, caller, file.row, fields ?? union))
    .filter((seen) => seen !== null)
  const found = dataOf(answer) as readonly unknown[]
  if (found.length !== shown.length) return [`${found.length} rows, expected ${shown.length}`]
  return shown.flatMap((seen, index) => compareRow(found[index], seen))
}

/** What conditions compare: columns that no rule opens are NULL. */
const masked = ({ world }: Stage, caller: Caller, { row: stored }: StoredFile): Row =>
  (seenBy(world, caller, stored, Object.keys(stored)) ?? {}) as Row

type Condition = 'none' | 'known' | 'other' | 'range' | 'outside'

export const asset: Trial = async (stage, caller) => {
  const { rng, world } = stage
  const file = someFile(stage)
  const condition = rng.weighted<Condition>([
    [4, 'none'],
    [2, 'known'],
    [1, 'other'],
    [2, 'range'],
    [1, 'outside'],
  ])
  const method = rng.pick(['GET', 'GET', 'HEAD'])
  const isNamedByCaller = rng.chance(0.1)
  const isInAddress = caller !== null && rng.chance(0.1)
  const path = `/assets/${idOf(file)}${isNamedByCaller ? '/given.bin' : ''}${isInAddress ? `?access_token=${caller.token}` : ''}`
  const headers = headersFor(condition, file)
  const answer = await send(stage, isInAddress ? null : caller, { method, path, headers })
  const right = isOut(caller) ? null : opened(world, caller, file)
  if (right === null || file === null) return refusal(answer, caller, method === 'HEAD')
  return compareAsset(answer, { file, right, condition, method, isNamedByCaller, hasCredentials: caller !== null })
}

/** A smaller picture is as closed as its original, whoever had it made before. */
export const variant: Trial = async (stage, caller) => {
  const { rng, world } = stage
  const file = someFile(stage)
  const width = rng.int(1, 3)
  const method = rng.pick(['GET', 'GET', 'HEAD'])
  const answer = await send(stage, caller, { method, path: `/assets/${idOf(file)}?width=${width}` })
  const right = isOut(caller) ? null : opened(world, caller, file)
  if (right === null || file === null) return refusal(answer, caller, method === 'HEAD')
  if (answer.status !== 200) return [`status ${tell(answer)}, expected 200`]
  const isPicture = file.row['type'] === 'image/png'
  const isContent = method === 'HEAD' || isPicture || answer.bytes.equals(file.content)
  return [
    ...(isContent ? [] : ['other bytes than the content']),
    ...(isPicture && method === 'GET' ? differences('width', answer.bytes.readUInt32BE(16), width) : []),
    ...compareName(answer, right.isNamed ? String(file.row['filename_download']) : null),
    ...compareCaching(answer, right, caller !== null),
  ]
}

function headersFor(condition: Condition, file: StoredFile | null): Record<string, string> {
  if (condition === 'known') return { 'if-none-match': `"${file?.row['checksum'] ?? 'x'}"` }
  if (condition === 'other') return { 'if-none-match': '"other"' }
  if (condition === 'range') return { range: 'bytes=1-3' }
  return condition === 'outside' ? { range: 'bytes=999999-' } : {}
}

interface Asked {
  readonly file: StoredFile
  readonly right: Opened
  readonly condition: Condition
  readonly method: string
  readonly isNamedByCaller: boolean
  readonly hasCredentials: boolean
}

function compareAsset(answer: Answer, asked: Asked): string[] {
  const { file, right, condition, method, isNamedByCaller, hasCredentials } = asked
  const { content, row: stored } = file
  const status = { none: 200, other: 200, known: 304, range: 206, outside: 416 }[condition]
  if (answer.status !== status) return [`status ${tell(answer)}, expected ${status}`]
  if (status === 416)
    return [
      ...differences('content-range', answer.headers['content-range'], `bytes */${content.length}`),
      ...(/max-age/u.test(answer.headers['cache-control'] ?? '') ? ['an error that may be cached'] : []),
    ]
  const whole = status === 206 ? content.subarray(1, 4) : content
  const body = method === 'HEAD' || status === 304 ? Buffer.alloc(0) : whole
  const length = status === 304 ? [] : differences('length', answer.headers['content-length'], String(whole.length))
  return [
    ...(answer.bytes.equals(body) ? [] : ['other bytes than the content']),
    ...length,
    ...differences('etag', answer.headers.etag, `"${stored['checksum']}"`),
    ...compareName(answer, isNamedByCaller ? 'given.bin' : right.isNamed ? String(stored['filename_download']) : null),
    ...compareCaching(answer, right, hasCredentials),
  ]
}

export function compareName(answer: Answer, name: string | null): string[] {
  const header = String(answer.headers['content-disposition'])
  const found = /; filename="([^"]*)"/u.exec(header)?.[1] ?? null
  return header.includes('filename') && found === null ? [`disposition ${header}`] : differences('name', found, name)
}

/** Shared caches never keep what was read with credentials. */
export function compareCaching(answer: Answer, { isPublic }: Opened, hasCredentials: boolean): string[] {
  const found = /^(public|private), max-age=\d+$/u.exec(answer.headers['cache-control'] ?? '')?.[1]
  if (isPublic === null && !hasCredentials && found !== undefined) return []
  return differences('cache', found, isPublic === true && !hasCredentials ? 'public' : 'private')
}
