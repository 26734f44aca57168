import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../../api/api-error.ts'
import { request } from '../../api/client.ts'
import { actionWords, fieldsOf, levelOf, type Permission } from '../../access/permission.ts'
import { savedDraft } from '../../access/policy-draft.ts'
import { PolicyWork } from '../../access/policy-work.tsx'
import { accessRowsQuery, policiesQuery, rolesQuery, type Policy } from '../../access/queries.ts'
import { useWhyNot } from '../../access/use-writable.ts'
import { collectionWords } from '../../access/words.ts'
import { Failure } from '../../app/faces.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty, Notice, Skeleton } from '../../ui/feedback.tsx'
import { Select } from '../../ui/input.tsx'
import { PageBody } from '../../ui/page-body.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { toast } from '../../ui/toasts.tsx'

/** What strangers may see and do: the policies that are attached to nobody in particular. */
export function PublicPage() {
  const policies = useQuery(policiesQuery)
  const access = useQuery(accessRowsQuery)
  const roles = useQuery(rolesQuery)
  const [chosen, setChosen] = useState<string | null>(null)
  const error = policies.error ?? access.error ?? roles.error
  if (error !== null || policies.data === undefined || access.data === undefined || roles.data === undefined)
    return (
      <>
        <PageHead icon="globe" title="Public" />
        <PageBody>
          {error === null ? <Skeleton lines={8} /> : <Failure error={error} onRetry={() => void policies.refetch()} />}
        </PageBody>
      </>
    )
  const keys = new Set(
    access.data.filter(({ role, user }) => role === null && user === null).map(({ policy }) => policy),
  )
  const found = policies.data.filter(({ id }) => keys.has(id))
  const current = found.find(({ id }) => id === chosen) ?? found[0]
  if (current === undefined) return <NoPublicPolicy />
  return (
    <PolicyWork
      key={current.id}
      id={current.id}
      icon="globe"
      title="Public"
      state={savedDraft(current, access.data)}
      roles={roles.data}
    >
      <Warning policies={found} />
      {found.length > 1 ? (
        <Select
          aria-label="Public policy"
          value={current.id}
          onChange={(event) => setChosen(event.target.value)}
          choices={found.map(({ id, name }) => ({ value: id, text: name }))}
        />
      ) : null}
    </PolicyWork>
  )
}

function Warning({ policies }: { readonly policies: readonly Policy[] }) {
  const all = policies.flatMap(({ permissions }) => permissions)
  const isAdministrator = policies.some(({ admin_access }) => admin_access)
  if (isAdministrator)
    return (
      <Notice tone="danger" title="Strangers are administrators">
        A policy that is attached to the public gives administrator access. Take it away in its settings.
      </Notice>
    )
  if (all.length === 0)
    return (
      <Notice tone="good" title="Strangers see nothing">
        Without signing in, every request for content is refused.
      </Notice>
    )
  const places = new Map(
    all.map((each) => [
      `${each.action} ${each.collection}`,
      all.filter((other) => other.action === each.action && other.collection === each.collection),
    ]),
  )
  return (
    <Notice tone="danger" title="Strangers have access, without signing in">
      {[...places.values()].map(sentenceOf).join(' ')}
    </Notice>
  )
}

function sentenceOf(cell: readonly Permission[]): string {
  const [first] = cell
  if (first === undefined) return ''
  const fields = fieldsOf(cell)
  const rows = levelOf(cell) === 'all' ? 'all rows' : 'some rows'
  const which = fields === null ? 'all fields' : `${fields.length} ${fields.length === 1 ? 'field' : 'fields'}`
  const detail = first.action === 'delete' ? rows : first.action === 'create' ? which : `${rows}, ${which}`
  return `${actionWords[first.action]} ${collectionWords(first.collection)}: ${detail}.`
}

function NoPublicPolicy() {
  const client = useQueryClient()
  const whyNot = useWhyNot()
  const create = async () => {
    try {
      await request('POST', '/access', { body: { policy: { name: 'Public' } }, params: { fields: 'id' } })
      await client.invalidateQueries({ queryKey: ['access'] })
    } catch (error) {
      toast(messageOf(error), { tone: 'danger' })
    }
  }
  return (
    <>
      <PageHead icon="globe" title="Public" />
      <Empty
        icon="globe"
        title="Strangers see nothing"
        actions={
          <Button icon="plus" disabled={whyNot !== null} onClick={() => void create()}>
            Create a public policy
          </Button>
        }
      >
        No policy is attached to the public. Create one to open some content to everybody.
      </Empty>
    </>
  )
}
