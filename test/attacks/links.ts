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

export const linkAttacks: readonly Attack[] = [fromElsewhere]
