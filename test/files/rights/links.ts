import { mayRead, opened } from './model.ts'
import { compareCaching, compareName } from './reads.ts'
import { dataOf, type Answer } from './service.ts'
import { differences, idOf, isOut, refusal, send, someFile, tell, type Trial } from './stage.ts'
import type { Link } from './world.ts'

const SHORT = 1
const LONG = 3600

/** Whoever may read a row can make a link to its content. The public cannot: a link needs a maker. */
export const makeLink: Trial = async (stage, caller) => {
  const { rng, world } = stage
  const file = someFile(stage)
  const seconds = rng.chance(0.2) ? SHORT : LONG
  const isVariant = rng.chance(0.3)
  const query = `expires_in=${seconds}${isVariant ? '&width=3' : ''}`
  const answer = await send(stage, caller, { method: 'GET', path: `/files/${idOf(file)}/url?${query}` })
  const isLogoAlone = opened({ ...world, logo: null }, caller, file) === null
  if (caller === null || isOut(caller) || isLogoAlone || file === null)
    return refusal(answer, caller, false, mayRead(world, caller))
  if (answer.status !== 200) return [`status ${tell(answer)}, expected 200`]
  const { url } = dataOf(answer) as { url: string }
  const { pathname, search, searchParams } = new URL(url)
  const link = { file, maker: caller, expires: Number(searchParams.get('expires')), isVariant }
  const left = link.expires - Date.now() / 1000
  world.links.push({ ...link, path: `${pathname}${search}`, isChanged: false })
  if (world.links.length > 60) world.links.splice(0, 20)
  return left > seconds || left < seconds - 30 ? [`${left} seconds left, expected ${seconds}`] : []
}

/** A link in which something differs from what was signed. */
function changed(link: Link, kind: number): Link {
  const url = new URL(link.path, 'http://x')
  const signature = url.searchParams.get('signature') ?? ''
  if (kind === 0) url.searchParams.set('width', '4')
  else if (kind === 1) url.searchParams.set('expires', String(link.expires + 1))
  else if (kind === 2) url.searchParams.set('signature', (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1))
  else if (kind === 3) url.searchParams.append('download', '')
  else if (kind === 4) url.searchParams.set('user', 'ffffffff-ffff-4fff-afff-ffffffffffff')
  else url.searchParams.append('signature', signature)
  return { ...link, path: `${url.pathname}${url.search}`, isChanged: true }
}

/** Opens a link that somebody made before, perhaps after its maker has lost the right. */
export const openLink: Trial = async (stage, caller) => {
  const { rng, world } = stage
  if (world.links.length === 0) return []
  const made = rng.pick(world.links)
  const link = rng.chance(0.3) ? changed(made, rng.int(0, 5)) : made
  const method = rng.pick(['GET', 'GET', 'HEAD'])
  const left = link.expires * 1000 - Date.now()
  // Whether the last moment counts is not what is asked here.
  if (Math.abs(left) < 500) return []
  const token = isOut(caller) ? null : caller
  const answer = await send(stage, token, { method, path: link.path })
  const { maker, file, isChanged } = link
  const right = isChanged || left < 0 || !maker.isActive ? null : opened(world, maker, file)
  if (right === null) return refusal(answer, null, method === 'HEAD')
  if (answer.status !== 200) return [`status ${tell(answer)}, expected 200`]
  return [
    ...compareLinked(answer, link, method),
    ...compareName(answer, nameFor(link, right.isNamed)),
    ...compareCaching(answer, right, token !== null),
  ]
}

const nameFor = ({ file }: Link, isNamed: boolean): string | null =>
  isNamed ? String(file.row['filename_download']) : null

function compareLinked(answer: Answer, { file, isVariant, expires }: Link, method: string): string[] {
  const isPicture = isVariant && file.row['type'] === 'image/png'
  const isWhole = isPicture || method === 'HEAD' || answer.bytes.equals(file.content)
  const age = Number(/max-age=(\d+)/u.exec(answer.headers['cache-control'] ?? '')?.[1])
  return [
    ...(isWhole ? [] : ['other bytes than the content']),
    ...(isPicture && method === 'GET' ? differences('width', answer.bytes.readUInt32BE(16), 3) : []),
    ...(age <= expires - Date.now() / 1000 + 2 ? [] : [`max-age ${age} goes beyond the end of the link`]),
  ]
}
