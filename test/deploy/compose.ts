// compose.yaml, as docs/guides/install.md describes it, with podman-compose.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Deployment,
  NETWORKS,
  administrator,
  adminToken,
  databasePassword,
  gatewayOf,
  secret,
  untilReady,
} from './deployment.ts'
import { type Engine, clear } from './engine.ts'
import { checkoutOf } from './make-images.ts'

const URL = 'http://127.0.0.1:8055'
const SERVICES = ['postgres', 'redis', 'tain']

const settings = `POSTGRES_PASSWORD=${databasePassword}
ADMIN_TOKEN=${adminToken}
SECRET=${secret}
ADMIN_EMAIL=${administrator.email}
ADMIN_PASSWORD=${administrator.password}
WEBHOOKS_ALLOWED_ADDRESSES=${NETWORKS}
`

export async function startCompose(engine: Engine): Promise<Deployment> {
  const folder = checkoutOf(engine)
  writeFileSync(join(folder, '.env'), settings)
  const compose = (...args: string[]) => engine.run('podman-compose', args, { cwd: folder })
  const containerOf = (service: string) => `tain_${service}_1`
  const log = () => engine.podman(['logs', '--tail', '50', containerOf('tain')])
  const start = async () => {
    await compose('up', '--detach')
    await untilReady(URL, log)
    // Nothing runs the health checks here, so they are run once.
    for (const service of SERVICES) await engine.podman(['healthcheck', 'run', containerOf(service)])
  }
  await start()
  return {
    name: 'compose.yaml',
    url: URL,
    receiverHost: await gatewayOf(engine, 'tain_default'),
    async restart() {
      await compose('down')
      await start()
    },
    log,
    stop: () => clear(engine),
  }
}
