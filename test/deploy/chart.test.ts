import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { describe, expect, test } from 'vitest'
import { settings } from '../../packages/server/src/config.ts'
import { commands } from '../../packages/server/src/cli/commands.ts'
import { version } from '../../packages/server/src/version.ts'
import { withDatabase } from '../lib/databases.ts'
import { startService } from '../lib/service.ts'
import { renderChart } from './render-chart.ts'

const folder = join(import.meta.dirname, '../../deploy/helm/tain')
const given = parse(readFileSync(join(folder, 'values.yaml'), 'utf8')) as Record<string, object>
const everything = {
  ...given,
  autoscaling: { ...given['autoscaling'], enabled: true },
  metrics: { ...given['metrics'], enabled: true },
  extraEnv: [{ name: 'ADMIN_TOKEN', valueFrom: { secretKeyRef: { name: 'more', key: 'token' } } }],
  nodeSelector: { disk: 'fast' },
  podAnnotations: { note: 'here' },
  image: { ...given['image'], pullSecrets: [{ name: 'registry' }] },
  ingress: { ...given['ingress'], enabled: true, className: 'nginx', tlsSecret: 'certificate' },
}
const withClaim = (claim: object, more: object = {}) => ({
  ...given,
  ...more,
  files: { claim: { ...(given['files'] as { claim: object }).claim, ...claim } },
})

/* oxlint-disable typescript/no-explicit-any -- rendered documents have no types */
type Document = any
const documents = (values: object) => renderChart(folder, { name: 'shop', values: values as Record<string, unknown> })
const of = (values: object, file: string): Document => documents(values).get(file)

describe.each([
  ['as given', given],
  ['with everything', everything],
])('the chart %s', (_, values) => {
  const deployment = of(values, 'deployment.yaml')
  const [container] = deployment.spec.template.spec.containers

  test('asks the service at addresses that it has', () =>
    withDatabase(async ({ url }) => {
      const service = await startService({ DATABASE_URL: url })
      try {
        for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
          const { path, port } = container[probe].httpGet
          expect(container.ports.map(({ name }: Document) => name)).toContain(port)
          expect((await service.get(path, { token: null })).status).toBe(200)
        }
        expect(container.livenessProbe.httpGet.path).not.toBe(container.readinessProbe.httpGet.path)
      } finally {
        await service.stop()
      }
    }, 'sqlite'))

  test('selects its own pods', () => {
    const { labels } = deployment.spec.template.metadata
    expect(deployment.spec.selector.matchLabels).toEqual(labels)
    expect(of(values, 'service.yaml').spec.selector).toEqual(labels)
    expect(of(values, 'pod-disruption-budget.yaml').spec.selector.matchLabels).toEqual(labels)
    expect(of(values, 'network-policy.yaml').spec.podSelector.matchLabels).toEqual(labels)
  })

  test('sets settings that there are, and secrets by reference alone', () => {
    const job = of(values, 'migration-job.yaml')
    const names = new Set(Object.values(settings).map(({ name }) => name))
    for (const { env } of [container, job.spec.template.spec.containers[0]]) {
      for (const { name } of env) expect(names).toContain(name)
      for (const name of ['DATABASE_URL', 'SECRET']) {
        const entry = env.find((each: Document) => each.name === name)
        expect(entry.value).toBeUndefined()
        expect(entry.valueFrom.secretKeyRef).toMatchObject({ name: 'tain' })
      }
    }
    expect(Object.keys(commands)).toContain(job.spec.template.spec.containers[0].args[0])
  })

  test('runs without root, on a file system that cannot be written', () => {
    for (const file of ['deployment.yaml', 'migration-job.yaml']) {
      const pod = of(values, file).spec.template.spec
      expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 })
      expect(pod.automountServiceAccountToken).toBe(false)
      expect(pod.containers[0].securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
      expect(pod.containers[0].resources.limits.memory).toBeDefined()
      expect(pod.containers[0].image).toBe(`tain:${version}`)
    }
  })

  test('mounts what the image writes: /tmp in each pod, and one claim for the files of all', () => {
    const image = readFileSync(join(import.meta.dirname, '../../Dockerfile'), 'utf8')
    expect(image).toContain('STORAGE_LOCAL_ROOT=/data/uploads')
    const { volumes } = deployment.spec.template.spec
    expect(container.volumeMounts).toEqual([
      { name: 'tmp', mountPath: '/tmp' },
      { name: 'files', mountPath: '/data' },
    ])
    expect(volumes).toEqual([
      { name: 'tmp', emptyDir: {} },
      { name: 'files', persistentVolumeClaim: { claimName: 'shop' } },
    ])
    const claim = of(values, 'claim.yaml')
    expect(claim.metadata).toMatchObject({ name: 'shop', annotations: { 'helm.sh/resource-policy': 'keep' } })
    expect(claim.spec).toEqual({ accessModes: ['ReadWriteMany'], resources: { requests: { storage: '10Gi' } } })
    expect(deployment.spec.template.spec.securityContext.fsGroup).toBe(1000)
  })

  test('takes the first administrator from keys of the Secret that may be missing', () => {
    const entries = container.env.filter(
      ({ name, valueFrom }: Document) => name.startsWith('ADMIN_') && valueFrom.secretKeyRef.optional,
    )
    expect(entries.map(({ name }: Document) => name)).toEqual(['ADMIN_EMAIL', 'ADMIN_PASSWORD', 'ADMIN_TOKEN'])
  })

  test('leaves time to end in order', () => {
    const value = (name: string) => Number(container.env.find((each: Document) => each.name === name).value)
    const { terminationGracePeriodSeconds } = deployment.spec.template.spec
    expect(terminationGracePeriodSeconds * 1000).toBeGreaterThan(value('SHUTDOWN_DELAY') + value('SHUTDOWN_TIMEOUT'))
    const { periodSeconds, failureThreshold } = container.readinessProbe
    expect(value('SHUTDOWN_DELAY')).toBeGreaterThan(periodSeconds * failureThreshold * 2000)
    expect(deployment.spec.strategy.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 })
  })
})

test('the autoscaler decides the number of replicas where it is on', () => {
  expect(of(given, 'autoscaler.yaml')).toBeUndefined()
  expect(of(given, 'deployment.yaml').spec.replicas).toBe(3)
  expect(of(everything, 'deployment.yaml').spec.replicas).toBeUndefined()
  expect(of(everything, 'autoscaler.yaml').spec.scaleTargetRef.name).toBe(
    of(everything, 'deployment.yaml').metadata.name,
  )
})

test('a claim of one node is refused for several pods, and replaces a single pod instead of adding one', () => {
  const once = { accessMode: 'ReadWriteOnce' }
  expect(() => documents(withClaim(once))).toThrow('files.claim.accessMode has to be ReadWriteMany')
  const scaled = { replicas: 1, autoscaling: { ...given['autoscaling'], enabled: true } }
  expect(() => documents(withClaim(once, scaled))).toThrow('files.claim.accessMode has to be ReadWriteMany')
  expect(of(withClaim(once, { replicas: 1 }), 'deployment.yaml').spec.strategy).toEqual({ type: 'Recreate' })
})

test('a claim may exist already, or files are in a bucket', () => {
  const existing = documents(withClaim({ existing: 'mine' }))
  expect(existing.get('claim.yaml')).toBeUndefined()
  const [, files] = (existing.get('deployment.yaml') as Document).spec.template.spec.volumes
  expect(files.persistentVolumeClaim.claimName).toBe('mine')
  const without = documents(withClaim({ enabled: false }))
  expect(without.get('claim.yaml')).toBeUndefined()
  expect((without.get('deployment.yaml') as Document).spec.template.spec.volumes).toHaveLength(1)
})

test('webhooks, buckets and mail leave the cluster', () => {
  const [{ ports }] = of(given, 'network-policy.yaml').spec.egress
  expect(ports.map(({ port }: Document) => port)).toEqual([53, 53, 5432, 3306, 6379, 443, 465, 587])
})

test('an ingress and the secrets of a registry are there if they are asked for', () => {
  expect(of(given, 'ingress.yaml')).toBeUndefined()
  expect(of(given, 'deployment.yaml').spec.template.spec.imagePullSecrets).toBeUndefined()
  expect(of(everything, 'ingress.yaml').spec).toMatchObject({
    ingressClassName: 'nginx',
    tls: [{ secretName: 'certificate', hosts: ['api.example.com'] }],
    rules: [{ host: 'api.example.com', http: { paths: [{ backend: { service: { name: 'shop' } } }] } }],
  })
  for (const file of ['deployment.yaml', 'migration-job.yaml'])
    expect(of(everything, file).spec.template.spec.imagePullSecrets).toEqual([{ name: 'registry' }])
})

test('metrics are served to the cluster only if they are on', () => {
  const ports = (values: object) =>
    of(values, 'deployment.yaml').spec.template.spec.containers[0].ports.map(({ name }: Document) => name)
  expect(ports(given)).toEqual(['http'])
  expect(ports(everything)).toEqual(['http', 'metrics'])
  expect(of(everything, 'network-policy.yaml').spec.ingress).toHaveLength(2)
})

const hasHelm = spawnSync('helm', ['version']).status === 0
test.skipIf(!hasHelm)('helm itself accepts it and renders the same', () => {
  execFileSync('helm', ['lint', folder])
  const text = execFileSync('helm', ['template', 'shop', folder, '--kube-version', '1.30.0'], { encoding: 'utf8' })
  const rendered = text.split(/^---$/mu).flatMap((part) => (parse(part) === null ? [] : [parse(part)]))
  expect(rendered.find(({ kind }) => kind === 'Deployment')).toEqual(of(given, 'deployment.yaml'))
})
