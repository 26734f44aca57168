import { TOKEN, type Answer } from '../service.ts'
import { asPublic, upload } from './files.ts'
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

export const assetAttacks: readonly Attack[] = [inSharedCaches]
