import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { fieldErrors, messageOf } from '../../api/api-error.ts'
import { request } from '../../api/client.ts'
import { JsonField } from '../../access/json-field.tsx'
import { languageChoices } from '../../access/languages.ts'
import { rolesQuery } from '../../access/queries.ts'
import { Section } from '../../access/section.tsx'
import { useWhyNot } from '../../access/use-writable.ts'
import { Failure } from '../../app/faces.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice, Skeleton } from '../../ui/feedback.tsx'
import { Field } from '../../ui/field.tsx'
import { Input, Select, Switch, TextArea } from '../../ui/input.tsx'
import { PageBody } from '../../ui/page-body.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { toast } from '../../ui/toasts.tsx'
import { applyHue, hueOfColour } from '../../model/accent.ts'
import { HueField } from './hue-field.tsx'
import { passwordPolicies, settingsChanges, settingsQuery, type Settings } from './settings.ts'
import styles from './settings.module.css'

/** What holds for the whole project. */
export function ProjectSection() {
  const { data, error, refetch } = useQuery(settingsQuery)
  if (data === undefined)
    return (
      <>
        <PageHead icon="settings" title="Project" />
        <PageBody width="narrow">
          {error === null ? <Skeleton lines={8} /> : <Failure error={error} onRetry={() => void refetch()} />}
        </PageBody>
      </>
    )
  return <ProjectForm key={JSON.stringify(data)} saved={data} />
}

function ProjectForm({ saved }: { readonly saved: Settings }) {
  const [draft, setDraft] = useState(saved)
  const [error, setError] = useState<unknown>(null)
  const [isSaving, setSaving] = useState(false)
  const client = useQueryClient()
  const whyNot = useWhyNot()
  const change = settingsChanges(saved, draft)
  const isChanged = Object.keys(change).length > 0
  const set = (part: Partial<Settings>) => setDraft({ ...draft, ...part })
  // The page is shown in the chosen hue while it is chosen.
  useEffect(() => {
    applyHue(hueOfColour(draft.project_color))
    return () => applyHue(hueOfColour(saved.project_color))
  }, [draft.project_color, saved.project_color])
  const save = async () => {
    setSaving(true)
    setError(null)
    try {
      await request('PATCH', '/settings', { body: change, params: { fields: 'id' } })
      await client.invalidateQueries({ queryKey: ['access', 'settings'] })
      await client.invalidateQueries({ queryKey: ['start'] })
      toast('The settings are saved.', { tone: 'good' })
    } catch (caught) {
      setError(caught)
    } finally {
      setSaving(false)
    }
  }
  return (
    <>
      <PageHead
        icon="settings"
        title="Project"
        actions={
          <>
            {isChanged ? <Button onClick={() => setDraft(saved)}>Discard</Button> : null}
            <Button
              kind="solid"
              isBusy={isSaving}
              disabled={!isChanged || isSaving || whyNot !== null}
              title={whyNot ?? undefined}
              onClick={() => void save()}
            >
              Save
            </Button>
          </>
        }
      />
      <PageBody width="narrow">
        {error === null ? null : (
          <Notice tone="danger" title="Nothing was saved">
            {messageOf(error)}
          </Notice>
        )}
        <General saved={saved} draft={draft} errors={fieldErrors(error)} onChange={set} />
        <SigningIn saved={saved} draft={draft} errors={fieldErrors(error)} onChange={set} />
        <Registration saved={saved} draft={draft} errors={fieldErrors(error)} onChange={set} />
      </PageBody>
    </>
  )
}

interface PartProps {
  readonly saved: Settings
  readonly draft: Settings
  readonly errors: ReadonlyMap<string, string>
  readonly onChange: (part: Partial<Settings>) => void
}

type TextName = 'project_name' | 'project_descriptor' | 'project_url'

function General({ saved, draft, errors, onChange }: PartProps) {
  const text = (name: TextName, label: string, note: string) => (
    <Field label={label} note={note} isEdited={draft[name] !== saved[name]} error={errors.get(name) ?? null}>
      {(control) => (
        <Input
          {...control}
          value={draft[name] ?? ''}
          onChange={(event) =>
            onChange({ [name]: event.target.value === '' && name !== 'project_name' ? null : event.target.value })
          }
        />
      )}
    </Field>
  )
  return (
    <Section title="General">
      <div className={styles['grid']}>
        {text('project_name', 'Name', 'At the top of every page and in mails.')}
        {text('project_descriptor', 'Environment', 'Beside the name: production, test.')}
        {text('project_url', 'Website', 'The address that the project is about.')}
        <Field label="Default language" isEdited={draft.default_language !== saved.default_language}>
          {(control) => (
            <Select
              {...control}
              value={draft.default_language}
              onChange={(event) => onChange({ default_language: event.target.value })}
              choices={languageChoices(draft.default_language, null)}
            />
          )}
        </Field>
        <Field label="Default appearance" isEdited={draft.default_appearance !== saved.default_appearance}>
          {(control) => (
            <Select
              {...control}
              value={draft.default_appearance}
              onChange={(event) => onChange({ default_appearance: event.target.value })}
              choices={[
                { value: 'auto', text: 'As the system' },
                { value: 'light', text: 'Light' },
                { value: 'dark', text: 'Dark' },
              ]}
            />
          )}
        </Field>
        <Field
          label="Note for strangers"
          isWide
          isEdited={draft.public_note !== saved.public_note}
          note="Shown where people sign in."
        >
          {(control) => (
            <TextArea
              {...control}
              rows={2}
              value={draft.public_note ?? ''}
              onChange={(event) => onChange({ public_note: event.target.value === '' ? null : event.target.value })}
            />
          )}
        </Field>
      </div>
      <HueField
        isEdited={draft.project_color !== saved.project_color}
        colour={draft.project_color}
        onChange={(project_color) => onChange({ project_color })}
      />
    </Section>
  )
}

function SigningIn({ saved, draft, errors, onChange }: PartProps) {
  const policy = draft.auth_password_policy ?? ''
  const isOffered = passwordPolicies.some(({ value }) => value === policy)
  const [isOwn, setOwn] = useState(!isOffered)
  return (
    <Section title="Signing in">
      <div className={styles['grid']}>
        <Field
          label="Password policy"
          note="For passwords that are set from now on."
          isEdited={draft.auth_password_policy !== saved.auth_password_policy}
        >
          {(control) => (
            <Select
              {...control}
              value={isOwn ? 'own' : policy}
              onChange={(event) => {
                setOwn(event.target.value === 'own')
                if (event.target.value !== 'own')
                  onChange({ auth_password_policy: event.target.value === '' ? null : event.target.value })
              }}
              choices={[...passwordPolicies, { value: 'own', text: 'A pattern of your own' }]}
            />
          )}
        </Field>
        {isOwn ? (
          <Field label="Pattern" note="A regular expression." error={errors.get('auth_password_policy') ?? null}>
            {(control) => (
              <Input
                {...control}
                value={policy}
                onChange={(event) =>
                  onChange({ auth_password_policy: event.target.value === '' ? null : event.target.value })
                }
              />
            )}
          </Field>
        ) : null}
        <Field
          label="Login attempts"
          note="After that many failures, each further one has to wait longer. Empty: never."
          isEdited={draft.auth_login_attempts !== saved.auth_login_attempts}
          error={errors.get('auth_login_attempts') ?? null}
        >
          {(control) => (
            <Input
              {...control}
              type="number"
              min={1}
              value={draft.auth_login_attempts ?? ''}
              onChange={(event) =>
                onChange({ auth_login_attempts: event.target.value === '' ? null : Number(event.target.value) })
              }
            />
          )}
        </Field>
      </div>
    </Section>
  )
}

function Registration({ saved, draft, onChange }: PartProps) {
  const { data: roles = [] } = useQuery(rolesQuery)
  return (
    <Section title="Registration" note="Lets people create an account by themselves.">
      <div>
        <Switch
          checked={draft.public_registration}
          onChange={(event) => onChange({ public_registration: event.target.checked })}
        >
          Anybody may register
        </Switch>
      </div>
      {draft.public_registration ? (
        <>
          <div>
            <Switch
              checked={draft.public_registration_verify_email}
              onChange={(event) => onChange({ public_registration_verify_email: event.target.checked })}
            >
              The address must be confirmed
            </Switch>
          </div>
          <div className={styles['grid']}>
            <Field
              label="Role of new users"
              isEdited={draft.public_registration_role !== saved.public_registration_role}
            >
              {(control) => (
                <Select
                  {...control}
                  value={draft.public_registration_role ?? ''}
                  onChange={(event) =>
                    onChange({ public_registration_role: event.target.value === '' ? null : event.target.value })
                  }
                  choices={[
                    { value: '', text: 'No role' },
                    ...roles.map(({ id, name }) => ({ value: id, text: name })),
                  ]}
                />
              )}
            </Field>
          </div>
          <JsonField
            label="Addresses that may register"
            note='A filter on the address, such as {"email": {"_ends_with": "@example.com"}}. Empty: all.'
            value={draft.public_registration_email_filter}
            onChange={(value) => onChange({ public_registration_email_filter: value })}
          />
        </>
      ) : null}
    </Section>
  )
}
