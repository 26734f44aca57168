import { useQuery } from '@tanstack/react-query'
import { accessRowsQuery, policyQuery, rolesQuery } from '../../access/queries.ts'
import { PolicyWork } from '../../access/policy-work.tsx'
import { savedDraft } from '../../access/policy-draft.ts'
import { Failure } from '../../app/faces.tsx'
import type { PageProps } from '../../app/routes.ts'
import { Skeleton } from '../../ui/feedback.tsx'
import { Crumbs, PageBody } from '../../ui/page-body.tsx'
import { PageHead } from '../../ui/page-head.tsx'

/** One policy: what it allows, and for whom. */
export function PolicyPage({ params }: { readonly params: PageProps }) {
  const id = params['policy'] ?? ''
  const policy = useQuery(policyQuery(id))
  const access = useQuery(accessRowsQuery)
  const roles = useQuery(rolesQuery)
  const error = policy.error ?? access.error ?? roles.error
  const crumbs = [{ label: 'Policies', path: '/access/policies' }]
  if (error !== null || policy.data === undefined || access.data === undefined || roles.data === undefined)
    return (
      <>
        <PageHead icon="shield-check" title="Policy" crumbs={<Crumbs to={crumbs} />} />
        <PageBody>
          {error === null ? <Skeleton lines={8} /> : <Failure error={error} onRetry={() => void policy.refetch()} />}
        </PageBody>
      </>
    )
  return (
    <PolicyWork
      key={id}
      id={id}
      icon="shield-check"
      crumbs={crumbs}
      state={savedDraft(policy.data, access.data)}
      roles={roles.data}
    />
  )
}
