// The pods of the Helm chart, by `podman kube play`. podman knows no Job, Service, Ingress, autoscaler or NetworkPolicy: the
// Job's pod is played as a Pod, one replica is asked at its address, and outbound ports are closed by iptables.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
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
import { startDatabase } from './database-container.ts'
import { type NetworkPolicy, restrictEgress } from './egress.ts'
import { type Engine, clear } from './engine.ts'
import { renderChart } from './render-chart.ts'
import { top } from '../lib/throwaway.ts'

const NETWORK = 'shop'
const DATABASE = 'shop-database'
/** The name that podman gives to the pod of the Deployment. */
const POD = 'shop-pod-0'

interface Workload {
  readonly spec: { readonly template: { readonly metadata: object; readonly spec: object } }
}

function render(): ReadonlyMap<string, unknown> {
  const folder = join(top, 'deploy/helm/tain')
  const values = parse(readFileSync(join(folder, 'values.yaml'), 'utf8')) as Record<string, object>
  return renderChart(folder, {
    name: 'shop',
    values: {
      ...values,
      image: { ...values['image'], repository: 'localhost/tain', tag: 'local' },
      settings: { ...values['settings'], WEBSOCKETS_ENABLED: 'true', WEBHOOKS_ALLOWED_ADDRESSES: NETWORKS },
      replicas: 1,
    },
  })
}

/** The data of `kubectl create secret generic tain --from-literal=…`, in the form that podman reads. */
function secretData(): string {
  const literals = {
    'database-url': `postgres://tain:${databasePassword}@${DATABASE}:5432/tain`,
    secret,
    'admin-email': administrator.email,
    'admin-password': administrator.password,
    'admin-token': adminToken,
  }
  const data = Object.entries(literals).map(([key, value]) => [key, Buffer.from(value).toString('base64')])
  return JSON.stringify(Object.fromEntries(data))
}

export async function startChartPod(engine: Engine): Promise<Deployment> {
  const documents = render()
  const play = (document: unknown, ...options: string[]) =>
    engine.podman(['kube', 'play', '--network', NETWORK, ...options, '-'], { input: stringify(document) })

  await engine.podman(['network', 'create', NETWORK])
  await startDatabase(engine, DATABASE, ['--network', NETWORK])
  const secretFile = join(engine.folder, 'secret.json')
  writeFileSync(secretFile, secretData())
  await engine.podman(['secret', 'create', 'tain', secretFile])
  await play(documents.get('claim.yaml'))
  await migrate(engine, documents.get('migration-job.yaml') as Workload, play)

  const deployment = documents.get('deployment.yaml')
  const container = `${POD}-tain`
  const log = () => engine.podman(['logs', '--tail', '50', container])
  const policy = documents.get('network-policy.yaml') as NetworkPolicy
  /** The address of the pod that runs now. */
  const start = async (...options: string[]) => {
    await play(deployment, ...options)
    const pod = JSON.parse(await engine.podman(['pod', 'inspect', POD])) as { InfraContainerID: string }
    await restrictEgress(engine, pod.InfraContainerID, policy)
    const format = `{{(index .NetworkSettings.Networks "${NETWORK}").IPAddress}}`
    const address = (await engine.podman(['inspect', '--format', format, pod.InfraContainerID])).trim()
    await untilReady(`http://${address}:8055`, log)
    return `http://${address}:8055`
  }
  let url = await start()
  return {
    name: "the chart's pod",
    get url() {
      return url
    },
    receiverHost: await gatewayOf(engine, NETWORK),
    // Open in the chart's NetworkPolicy.
    receiverPort: 443,
    async restart() {
      url = await start('--replace')
    },
    log,
    stop: () => clear(engine),
  }
}

async function migrate(
  engine: Engine,
  job: Workload,
  play: (document: unknown, ...options: string[]) => Promise<string>,
): Promise<void> {
  const { metadata, spec } = job.spec.template
  await play({ apiVersion: 'v1', kind: 'Pod', metadata: { ...metadata, name: 'shop-migration' }, spec })
  const container = 'shop-migration-migration'
  const code = (await engine.podman(['wait', container])).trim()
  if (code !== '0') throw new Error(`the migration ended with ${code}:\n${await engine.podman(['logs', container])}`)
  await engine.podman(['pod', 'rm', '--force', 'shop-migration'])
}
