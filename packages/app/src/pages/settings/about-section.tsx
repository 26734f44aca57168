import { useQuery } from '@tanstack/react-query'
import type { Output } from '@tain/contract/schemas'
import { get } from '../../api/client.ts'
import { readHealth, type Health } from '../../api/health.ts'
import { Section } from '../../access/section.tsx'
import { Failure } from '../../app/faces.tsx'
import { useStart } from '../../app/use-start.ts'
import { browsable } from '../../model/collection.ts'
import { titleOf } from '../../model/field.ts'
import { IconButton } from '../../ui/button.tsx'
import { Badge, Skeleton } from '../../ui/feedback.tsx'
import { PageBody } from '../../ui/page-body.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import styles from './settings.module.css'

/** Versions, limits and health of the service. */
export function AboutSection() {
  const { version, schema_version, collections } = useStart()
  const info = useQuery({
    queryKey: ['access', 'info'],
    queryFn: async ({ signal }) => (await get<Output<'serverInfo'>>('/server/info', { signal })).data,
  })
  const health = useQuery({ queryKey: ['access', 'health'], queryFn: ({ signal }) => readHealth(signal) })
  const limit = info.data?.queryLimit as { readonly default?: number; readonly max?: number } | undefined
  return (
    <>
      <PageHead
        icon="info"
        title="About"
        actions={
          <IconButton
            icon="refresh-cw"
            label="Check again"
            onClick={() => {
              void info.refetch()
              void health.refetch()
            }}
          />
        }
      />
      <PageBody width="narrow">
        <Section title="Service">
          <dl className={styles['facts']}>
            <dt>Tain</dt>
            <dd>{version ?? 'shown to signed-in users only'}</dd>
            <dt>Schema version</dt>
            <dd>
              <code>{schema_version ?? '–'}</code>
            </dd>
            <dt>Collections</dt>
            <dd>{browsable(collections).length} that you can browse</dd>
          </dl>
        </Section>
        <Section title="Limits">
          {info.error !== null ? (
            <Failure error={info.error} onRetry={() => void info.refetch()} />
          ) : info.data === undefined ? (
            <Skeleton lines={3} />
          ) : (
            <dl className={styles['facts']}>
              <dt>Rows of a page</dt>
              <dd>{limit?.default?.toLocaleString('en') ?? 'not set'}, unless asked otherwise</dd>
              <dt>At most</dt>
              <dd>{limit?.max === undefined || limit.max < 0 ? 'no limit' : limit.max.toLocaleString('en')}</dd>
              <dt>Requests per address</dt>
              <dd>{limited(info.data.rateLimit)}</dd>
              <dt>Requests of everybody</dt>
              <dd>{limited(info.data.rateLimitGlobal)}</dd>
            </dl>
          )}
        </Section>
        <Section title="Health">
          {health.error !== null ? (
            <Failure error={health.error} onRetry={() => void health.refetch()} />
          ) : health.data === undefined ? (
            <Skeleton lines={3} />
          ) : (
            <HealthFacts health={health.data} />
          )}
        </Section>
      </PageBody>
    </>
  )
}

function limited(rate: unknown): string {
  if (rate === false || rate === null || rate === undefined) return 'not limited'
  const { points, duration } = rate as { readonly points?: number; readonly duration?: number }
  return points === undefined ? 'limited' : `${points} in ${duration ?? 1} s`
}

const HealthFacts = ({ health: { status, checks = {} } }: { readonly health: Health }) => (
  <dl className={styles['facts']}>
    <dt>Service</dt>
    <dd>
      <Mark status={status} />
    </dd>
    {Object.entries(checks).map(([name, entries]) => (
      <Check key={name} name={name} status={entries[0]?.status ?? 'unknown'} value={entries[0]?.observedValue} />
    ))}
  </dl>
)

interface CheckProps {
  readonly name: string
  readonly status: string
  readonly value: unknown
}

const Check = ({ name, status, value }: CheckProps) => (
  <>
    <dt>{titleOf(name.replaceAll(':', ' '))}</dt>
    <dd>
      <Mark status={status} /> {typeof value === 'number' || typeof value === 'string' ? value : null}
    </dd>
  </>
)

const Mark = ({ status }: { readonly status: string }) => (
  <Badge tone={status === 'ok' ? 'good' : 'danger'}>{status === 'ok' ? 'in order' : status}</Badge>
)
