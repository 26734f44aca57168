import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useLocation } from 'wouter'
import { request } from '../api/client.ts'
import { nameOfUser } from '../app/use-start.ts'
import { beginViewAs } from '../app/view-as.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/feedback.tsx'
import type { IconName } from '../ui/icon-names.ts'
import { Crumbs, PageBody, type Crumb } from '../ui/page-body.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { toast } from '../ui/toasts.tsx'
import { rolesBelow, type Role } from './holders.ts'
import { callerName } from './person-picker.tsx'
import {
  isSameState,
  policyChangeCount,
  policyChanges,
  policyWrite,
  rebasedDraft,
  savedDraft,
  type Attachment,
  type PolicyDraft,
} from './policy-draft.ts'
import { PolicyMatrix } from './policy-matrix.tsx'
import { PolicySettings } from './policy-settings.tsx'
import { accessRowsQuery, memberCountsQuery, peopleQuery, policyQuery, readPolicy } from './queries.ts'
import { ReviewDialog } from './review-dialog.tsx'
import { useHolder } from './use-holder.ts'
import { usePolicyDraft } from './use-policy-draft.ts'
import { useWhyNot } from './use-writable.ts'
import { counted } from './words.ts'
import styles from './policy-work.module.css'

interface PolicyWorkProps {
  readonly id: string
  readonly icon: IconName
  readonly title?: string
  readonly crumbs?: readonly Crumb[]
  readonly state: PolicyDraft
  readonly roles: readonly Role[]
  /** Shown above the matrix. */
  readonly children?: ReactNode
}

/** The work on a policy: everything is a draft until it is reviewed and saved. */
export function PolicyWork({ id, icon, title, crumbs = [], state, roles, children }: PolicyWorkProps) {
  const { saved, draft, change, restart, rebase } = usePolicyDraft(id, state)
  const [view, setView] = useState<'review' | 'settings' | null>(null)
  const changes = policyChanges(saved, draft)
  const count = policyChangeCount(changes)
  const whyNot = useWhyNot()
  const holders = useHolders(draft, roles)
  const save = useSave(id, saved, draft, restart, rebase)
  const nameOf = useNames(roles, [...saved.attachments, ...draft.attachments])
  return (
    <>
      <PageHead
        icon={icon}
        title={title ?? draft.properties.name}
        note={holders.note}
        crumbs={crumbs.length === 0 ? undefined : <Crumbs to={crumbs} />}
        actions={
          <>
            <ViewAs {...holders} />
            <Button
              kind="quiet"
              icon="settings"
              className={styles['extra'] ?? ''}
              aria-label="Settings"
              onClick={() => setView('settings')}
            >
              Settings
            </Button>
            {count === 0 ? null : (
              <>
                <Button
                  icon="undo-2"
                  className={styles['extra'] ?? ''}
                  aria-label="Discard"
                  onClick={() => restart(saved)}
                >
                  Discard
                </Button>
                <Button
                  kind="solid"
                  onClick={() => setView('review')}
                  disabled={whyNot !== null}
                  title={whyNot ?? undefined}
                >
                  {`Review ${counted(count, 'change')}`}
                </Button>
              </>
            )}
          </>
        }
      />
      <PageBody>
        <div className={styles['work']}>
          {children}
          {draft.properties.admin_access ? (
            <Notice tone="warn" title="This policy gives administrator access">
              Whoever has it may do everything. Permissions are not checked.
            </Notice>
          ) : null}
          <PolicyMatrix
            policy={id}
            saved={saved.permissions}
            draft={draft.permissions}
            onChange={(permissions) => change({ permissions })}
            whyNot={whyNot}
            roles={holders.roles}
            users={holders.users}
            isPublic={holders.isPublic}
          />
        </div>
      </PageBody>
      {view === 'settings' ? (
        <PolicySettings
          draft={draft}
          roles={roles}
          nameOf={nameOf}
          whyNot={whyNot}
          onChange={change}
          onClose={() => setView(null)}
        />
      ) : null}
      {view === 'review' ? (
        <ReviewDialog
          policy={id}
          saved={saved}
          draft={draft}
          who={holders.who}
          roles={holders.roles}
          users={holders.users}
          isPublic={holders.isPublic}
          nameOf={nameOf}
          error={save.error}
          notice={save.notice}
          isSaving={save.isSaving}
          onSave={() => void save.run().then((isSaved) => (isSaved ? setView(null) : undefined))}
          onClose={() => setView(null)}
        />
      ) : null}
    </>
  )
}

interface HoldersView {
  readonly roles: readonly string[]
  readonly users: readonly string[]
  readonly isPublic: boolean
  readonly note: string
  readonly who: string
}

/** Who has the policy once the draft is saved. */
function useHolders({ attachments }: PolicyDraft, roles: readonly Role[]): HoldersView {
  const { data: members } = useQuery(memberCountsQuery)
  const own = attachments.flatMap(({ role }) => role ?? [])
  const all = [...new Set(own.flatMap((id) => [id, ...rolesBelow(id, roles)]))]
  const users = attachments.flatMap(({ user }) => user ?? [])
  const isPublic = attachments.some(({ role, user }) => role === null && user === null)
  const people = all.reduce((sum, id) => sum + (members?.get(id) ?? 0), users.length)
  const names = own.map((id) => roles.find((role) => role.id === id)?.name ?? id)
  const parts = [
    ...(isPublic ? ['everybody'] : []),
    ...(people > 0 || !isPublic ? [counted(people, 'person', 'people')] : []),
    ...(own.length === 0 ? [] : [counted(own.length, 'role')]),
  ]
  const through = [...names, ...(users.length === 0 ? [] : ['policies of their own'])]
  return {
    roles: all,
    users,
    isPublic,
    note: parts.join(' · '),
    who: isPublic
      ? 'This concerns everybody, also without signing in.'
      : people === 0
        ? 'Nobody has this policy yet.'
        : `This concerns ${counted(people, 'person', 'people')}${through.length === 0 ? '' : ` through ${through.join(', ')}`}.`,
  }
}

function ViewAs({ roles, users, isPublic }: HoldersView) {
  const holder = useHolder(roles, users, isPublic)
  const [, go] = useLocation()
  const whyNot = useWhyNot()
  // The public has no account, so it has no look of the app either.
  if (holder === null || holder === 'public') return null
  const name = callerName(holder)
  return (
    <Button
      kind="quiet"
      icon="eye"
      className={styles['extra'] ?? ''}
      aria-label={`View as ${name}`}
      title={whyNot ?? `See the content as ${name}`}
      disabled={whyNot !== null}
      onClick={() => void beginViewAs({ id: holder.id, name }, go)}
    >
      {`View as ${name}`}
    </Button>
  )
}

/** The names of roles and users that a policy is attached to. */
function useNames(roles: readonly Role[], attachments: readonly Attachment[]) {
  const ids = [...new Set(attachments.flatMap(({ user }) => user ?? []))].toSorted()
  const { data = [] } = useQuery({ ...peopleQuery('', { id: { _in: ids } }), enabled: ids.length > 0 })
  return ({ role, user }: { readonly role: string | null; readonly user: string | null }): string => {
    if (role !== null) return `Role ${roles.find(({ id }) => id === role)?.name ?? role}`
    if (user === null) return 'The public'
    const person = data.find(({ id }) => id === user)
    return person === undefined ? user : nameOfUser(person)
  }
}

function useSave(
  id: string,
  saved: PolicyDraft,
  draft: PolicyDraft,
  restart: (state: PolicyDraft) => void,
  rebase: (saved: PolicyDraft, draft: PolicyDraft) => void,
) {
  const client = useQueryClient()
  const [isSaving, setSaving] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const [notice, setNotice] = useState<string | null>(null)
  const current = async () => {
    const [policy, access] = await Promise.all([
      readPolicy(id),
      client.fetchQuery({ ...accessRowsQuery, staleTime: 0 }),
    ])
    client.setQueryData(policyQuery(id).queryKey, policy)
    return savedDraft(policy, access)
  }
  const run = async (): Promise<boolean> => {
    setSaving(true)
    setError(null)
    setNotice(null)
    try {
      const now = await current()
      if (!isSameState(now, saved)) {
        rebase(now, rebasedDraft(saved, draft, now))
        setNotice(
          'Somebody has changed this policy meanwhile. These are your changes on what is saved now: look again, then save.',
        )
        return false
      }
      await request('PATCH', `/policies/${encodeURIComponent(id)}`, {
        body: policyWrite(policyChanges(saved, draft), draft),
        params: { fields: 'id' },
      })
      restart(await current())
      await client.invalidateQueries({ queryKey: ['access'] })
      toast('The policy is saved. It applies at once.', { tone: 'good' })
      return true
    } catch (caught) {
      setError(caught)
      return false
    } finally {
      setSaving(false)
    }
  }
  return { run, isSaving, error, notice }
}
