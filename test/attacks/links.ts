import type { Answer } from '../lib/service.ts'
import { linkTo, upload } from './files.ts'
import { CLIENT, grant } from './stage.ts'
import { attack, works, type Attack } from './verdict.ts'

const readsFiles = grant('service_files', 'read')

const fromElsewhere = attack(
  'J5',
  'a link whose maker may read files from one network only, opened from another one behind the same proxy',
  async (stage, verdict) => {
    const proxies = [
      { settings: {}, header: CLIENT },
      { settings: { IP_CUSTOM_HEADER: undefined, IP_TRUST_PROXY: '1' }, header: 'x-forwarded-for' },
    ]
    for (const { settings, header } of proxies)
      await stage.withService(settings, async (service) => {
        const id = await upload(service, 'internal.txt', 'text/plain', 'only from the office')
        // The proxy itself is in the network of the policy.
        for (const [network, inside] of [
          ['127.0.0.0/8', '127.0.0.5'],
          ['203.0.113.0/24', '203.0.113.7'],
        ] as const) {
          const { token } = await stage.person([readsFiles], { ip_access: [network] })
          const path = await linkTo(service, id, { token, headers: { [header]: inside } })
          const open = (address: string) =>
            service.send('GET', path, undefined, { token: null, headers: { [header]: address } })
          works(`${header}: opened from ${inside}`, await open(inside))
          verdict.refused(`${header}: opened from elsewhere`, await open('198.51.100.99'), 403)
        }
      })
  },
)

const outlivingRights = attack(
  'J7',
  'links in the name of a viewed user, and links that outlive their revocation or the password of their maker',
  async (stage, verdict) => {
    const { service, admin, anyone } = stage
    const id = await upload(service, 'a.txt', 'text/plain', 'content of a user')
    const [maker, stranger] = [await stage.person([readsFiles]), await stage.person([readsFiles])]
    const asMaker = { 'x-view-as': maker.id }
    verdict.refused('made as a viewed user', await admin.send('GET', `/files/${id}/url`, undefined, asMaker), 422)
    const query = `{ files_url(id: "${id}") { url } }`
    const viewed = await admin.graphql(query, { scope: '/graphql/system', headers: asMaker })
    verdict.refused('made as a viewed user, by GraphQL', viewed)
    works('made by GraphQL', await maker.graphql(query, { scope: '/graphql/system' }))

    const revokeOf = `mutation { users_links_revoke(id: "${maker.id}") }`
    verdict.refused('revoked by a stranger', await stranger.send('POST', `/users/${maker.id}/links/revoke`), 403)
    verdict.refused('by GraphQL too', await stranger.graphql(revokeOf, { scope: '/graphql/system' }))
    verdict.refused('revoked by nobody', await anyone.send('POST', '/users/me/links/revoke'), 401, 403)
    const password = { password: 'another-password-for-it' }
    const ends: readonly (readonly [what: string, end: () => Promise<Answer>])[] = [
      ['revoked', () => maker.send('POST', '/users/me/links/revoke')],
      ['revoked by GraphQL', () => maker.graphql('mutation { users_me_links_revoke }', { scope: '/graphql/system' })],
      ['revoked by an administrator', () => admin.send('POST', `/users/${maker.id}/links/revoke`)],
      ['revoked by an administrator with GraphQL', () => admin.graphql(revokeOf, { scope: '/graphql/system' })],
      ['a new password', () => admin.send('PATCH', `/users/${maker.id}`, password)],
    ]
    const others = await linkTo(service, id, { token: stranger.token })
    for (const [what, end] of ends) {
      const path = await linkTo(service, id, { token: maker.token })
      works(`before: ${what}`, await anyone.get(path))
      works(what, await end())
      verdict.refused(`after: ${what}`, await anyone.get(path), 403)
    }
    works('a link of somebody else', await anyone.get(others))
  },
)

export const linkAttacks: readonly Attack[] = [fromElsewhere, outlivingRights]
