import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocket } from 'ws'
import { dataOf, type Service } from '../lib/service.ts'
import { grant, type Row } from './stage.ts'
import { attack, mustHold, works, type Attack } from './verdict.ts'

const embedded = attack(
  'J4',
  'imports and webhooks to this machine by IPv6 addresses that embed its IPv4 address',
  async ({ withService }, verdict) => {
    const seen: string[] = []
    const inside = createServer((request, response) => {
      seen.push(`${request.headers.host}${request.url}`)
      response.setHeader('content-type', 'text/plain').end('inside')
    })
    await new Promise<void>((resolve) => inside.listen(0, '::', resolve))
    const { port } = inside.address() as AddressInfo
    const opened = { IMPORT_IP_ALLOW_LIST: '127.0.0.1', WEBHOOKS_ALLOWED_ADDRESSES: '127.0.0.1' }
    try {
      await withService({ WEBHOOKS_ENABLED: 'true', ...opened }, async (service) => {
        const hook = { name: 'hook', collections: ['articles'] }
        for (const host of ['::ffff:127.0.0.1', '::ffff:7f00:1', '::7f00:1', '64:ff9b::7f00:1', '2002:7f00:1::1']) {
          const url = `http://[${host}]:${port}/${host.length}`
          verdict.holds(`import ${host}`, (await service.send('POST', '/files/import', { url })).status === 503)
          verdict.refused(`webhook ${host}`, await service.send('POST', '/webhooks', { ...hook, url }), 400)
        }
        verdict.holds(`requests arrived: ${seen.join(', ')}`, seen.length === 0)
        const url = `http://127.0.0.1:${port}/allowed`
        works('an import from the address itself', await service.send('POST', '/files/import', { url }))
        mustHold('it arrived', seen.length === 1)
        const { id } = dataOf(works('a webhook', await service.send('POST', '/webhooks', { ...hook, url }))) as Row
        await service.send('DELETE', `/webhooks/${String(id)}`)
      })
    } finally {
      inside.close()
    }
  },
)

const BLOG = 'https://blog.example.com'

/** The status that an upgrade is answered with; 101: the socket opened. */
async function upgradeOf({ url }: Service, path: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const protocols = path === '/graphql' ? ['graphql-transport-ws'] : []
  const socket = new WebSocket(`${url.replace('http', 'ws')}${path}`, protocols, { headers })
  const status = await new Promise<number>((resolve, reject) => {
    socket.once('open', () => resolve(101))
    socket.once('unexpected-response', (_, { statusCode = 0 }) => resolve(statusCode))
    socket.once('error', reject)
  })
  socket.on('error', () => undefined).terminate()
  return status
}

function rowsForm(rows: readonly Row[]): FormData {
  const form = new FormData()
  form.append('file', new Blob([JSON.stringify(rows)], { type: 'application/json' }), 'rows.json')
  return form
}

const foreignCookies = attack(
  'J6',
  'a session cookie from a page of an origin that may call but send no cookies',
  async ({ person, withService }, verdict) => {
    const cors = { CORS_ENABLED: 'true', CORS_ORIGIN: BLOG, WEBSOCKETS_ENABLED: 'true' }
    const { email, password } = await person(['read', 'create', 'update'].map((action) => grant('articles', action)))
    const statusesOf = (isCredentialed: string) =>
      withService({ ...cors, CORS_CREDENTIALS: isCredentialed }, async (service) => {
        const credentials = { email, password, mode: 'session' }
        const login = works('a login', await service.send('POST', '/auth/login', credentials, { token: null }))
        const [cookie = ''] = login.headers.getSetCookie().map((set) => set.split(';')[0])
        const headers = { cookie, origin: BLOG, 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' }
        const form = { method: 'POST', headers, body: rowsForm([{ title: `from a form ${isCredentialed}` }]) }
        const written = await fetch(`${service.url}/utils/import/articles`, form)
        await written.body?.cancel()
        const sockets = ['/websocket', '/graphql'].map((path) => upgradeOf(service, path, headers))
        for (const origin of ['https://evil.example.com', 'null'])
          for (const path of ['/websocket', '/graphql']) {
            const status = await upgradeOf(service, path, { ...headers, origin })
            verdict.holds(`${path} from ${origin}: ${status}`, status === 403)
          }
        return { sockets: await Promise.all(sockets), form: written.status }
      })
    const refused = await statusesOf('false')
    verdict.holds(
      `the sockets: ${refused.sockets.join(', ')}`,
      refused.sockets.every((status) => status === 403),
    )
    verdict.holds(`the form: ${refused.form}`, refused.form === 403)
    const taken = await statusesOf('true')
    const isTaken = taken.sockets.every((status) => status === 101) && taken.form < 300
    mustHold(`with CORS_CREDENTIALS: ${JSON.stringify(taken)}`, isTaken)
  },
)

export const addressAttacks: readonly Attack[] = [embedded, foreignCookies]
