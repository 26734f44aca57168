import { forbidden } from '@tain/contract'
import type { FastifyRequest } from 'fastify'
import type { Actor } from '../access/actor.ts'
import { openedLink } from '../files/asset-link.ts'
import { actorOf, type HttpContext } from './context.ts'
import { rawQuery } from './token-sources.ts'

/** Who asks for an asset. */
export interface AssetCaller {
  readonly actor: Actor
  /** How long the link lasts that was used; null: none was. */
  readonly secondsLeft: number | null
}

const linkParameters: ReadonlySet<string> = new Set(['user', 'expires', 'signature'])

export const isLinkParameter = (name: string): boolean => linkParameters.has(name)

/** Nothing may be kept for longer than its link lasts. */
export const maxAgeOf = (maxAge: number | null, secondsLeft: number | null): number | null =>
  maxAge === null || secondsLeft === null ? maxAge : Math.min(maxAge, Math.max(secondsLeft, 0))

/** A link acts for its maker, with the rights that the maker has now. Whoever opens it needs no token. */
export async function assetCaller(request: FastifyRequest, id: string, context: HttpContext): Promise<AssetCaller> {
  const query = new URLSearchParams(rawQuery(request))
  if (!query.has('signature')) return { actor: await actorOf(request, context), secondsLeft: null }
  const now = Math.floor(Date.now() / 1000)
  const link = context.linkKeys.map((key) => openedLink(id, query, key, now)).find((found) => found !== null)
  if (link === undefined || link === null) throw forbidden()
  const generation = await context.linkGeneration(link.user)
  if (generation === null || !link.isOf(generation)) throw forbidden()
  const actor = await context.actorOfUser(link.user, context.browser.addressOf(request))
  if (actor === null || actor.isExcluded || actor.lacksSecondFactor) throw forbidden()
  return { actor, secondsLeft: link.expires - now }
}
