import sharp from 'sharp'
import { TOKEN, type Answer } from '../lib/service.ts'
import { asPublic, linkTo, upload } from './files.ts'
import { attack, mustHold, works, type Attack } from './verdict.ts'

const HOUR = 3600

const cacheControlOf = ({ headers }: Answer): string => headers.get('cache-control') ?? ''

const inSharedCaches = attack(
  'J12',
  'files that are public for a moment, or were read with credentials, kept by shared caches',
  async (stage, verdict) => {
    const { service, anyone } = stage
    const id = await upload(service, 'press.txt', 'text/plain', 'public for a moment')
    const privately = (what: string, answer: Answer) => {
      works(what, answer)
      const control = cacheControlOf(answer)
      verdict.holds(`${what}: ${control}`, control.startsWith('private'))
    }
    await asPublic(stage, id, { uploaded_on: { _gt: '$NOW(-1 hour)' } }, async () =>
      privately('by a rule about time', await anyone.get(`/assets/${id}`)),
    )
    await asPublic(stage, id, {}, async () => {
      privately('with access_token', await anyone.get(`/assets/${id}?access_token=${TOKEN}`))
      privately('with Authorization', await service.get(`/assets/${id}`))
      privately('with a cookie', await service.get(`/assets/${id}`, { token: null, headers: { cookie: 'a=b' } }))
      const control = cacheControlOf(works('without credentials', await anyone.get(`/assets/${id}`)))
      mustHold(control, control.startsWith('public'))
      const [, seconds] = /max-age=(\d+)$/u.exec(control) ?? []
      verdict.holds(control, Number(seconds) <= HOUR)
    })
  },
)

const variantsForAll = attack(
  'J8',
  'variants of a public picture in any number of sizes, made for callers without credentials',
  async (stage, verdict) => {
    const { service, admin, anyone } = stage
    const content = await sharp({ create: { width: 90, height: 30, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    const id = await upload(service, 'a.png', 'image/png', Buffer.from(content))
    const [wide, preset] = [`/assets/${id}?width=12`, `/assets/${id}?key=system-small-cover`]
    verdict.refused('of a closed file', await anyone.get(wide), 403)
    await asPublic(stage, id, {}, async () => {
      verdict.refused('by parameters', await anyone.get(wide), 400)
      verdict.refused('as a viewed caller', await admin.send('GET', wide, undefined, { 'x-view-as': 'public' }), 400)
      works('by a preset', await anyone.get(preset))
      works('by a caller with credentials', await admin.get(wide))
      works('by a link', await anyone.get(await linkTo(service, id, {}, 'width=12')))
      works('opened', await admin.send('PATCH', '/settings', { storage_asset_transform_public: 'all' }))
      works('by parameters that are open to all', await anyone.get(wide))
      works('closed', await admin.send('PATCH', '/settings', { storage_asset_transform: 'none' }))
      verdict.refused('more than with credentials', await anyone.get(wide), 400)
      const before = { storage_asset_transform: 'all', storage_asset_transform_public: 'presets' }
      works('as before', await admin.send('PATCH', '/settings', before))
    })
  },
)

export const assetAttacks: readonly Attack[] = [inSharedCaches, variantsForAll]
