import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../api/api-error.ts'
import { fieldsQuery } from '../api/queries.ts'
import { useLanguage, useStart } from '../app/use-start.ts'
import { valueNode } from '../displays/value.tsx'
import { keyOf, keyText, type Row } from '../model/key.ts'
import { kindOf } from '../model/kind.ts'
import { fillTemplate } from '../model/template.ts'
import type { Collection } from '../model/collection.ts'
import { Notice, Skeleton } from '../ui/feedback.tsx'
import { Icon } from '../ui/icon.tsx'
import { changesOf, previewOf, type Place } from './draft.ts'
import { maskedFields } from './masked-fields.ts'
import { callerId, callerName, PersonPicker, type Caller } from './person-picker.tsx'
import { actionWords, type Permission } from './permission.ts'
import { previewQuery, readRulesQuery, rowsSeenQuery, type Preview } from './preview.ts'
import { useHolder } from './use-holder.ts'
import styles from './rule-editor.module.css'

interface RulePreviewProps {
  readonly policy: string
  readonly place: Place
  readonly saved: readonly Permission[]
  readonly draft: readonly Permission[]
  readonly roles: readonly string[]
  readonly users: readonly string[]
  readonly isPublic: boolean
}

/** What the draft does for one user: how many rows, and which come and go. */
export function RulePreview({ policy, place, saved, draft, roles, users, isPublic }: RulePreviewProps) {
  const holder = useHolder(roles, users, isPublic)
  const [chosen, setChosen] = useState<Caller | null>(null)
  const caller = chosen ?? holder
  return (
    <div className={styles['preview']} role="group" aria-label="Effect">
      <div className={styles['as']}>
        As
        <PersonPicker label="See the effect for" chosen={caller} onChoose={setChosen} hasPublic />
        {place.action === 'read' ? 'sees' : `may ${actionWords[place.action].toLowerCase()}`}
      </div>
      {caller === null ? (
        <p className={styles['nothing']}>Nobody has this policy yet. Choose a user to see their rows.</p>
      ) : (
        <EffectFor caller={caller} place={place} changes={previewOf(changesOf(saved, draft), policy)} />
      )}
    </div>
  )
}

interface EffectForProps {
  readonly caller: Caller
  readonly place: Place
  readonly changes: readonly unknown[]
}

function EffectFor({ caller, place, changes }: EffectForProps) {
  const { collections } = useStart()
  const collection = collections.find((each) => each.collection === place.collection)
  const preview = useQuery(previewQuery(callerId(caller), place.collection, place.action, changes))
  if (preview.isError)
    return (
      <Notice tone="warn" title="The effect cannot be shown">
        {messageOf(preview.error)}
      </Notice>
    )
  if (preview.data === undefined) return <Skeleton lines={4} />
  if (place.action === 'create') return <CreateEffect preview={preview.data} caller={caller} />
  return (
    <>
      <Counts preview={preview.data} total={collection?.estimated_rows} />
      {collection === undefined ? null : (
        <>
          <Rows collection={collection} preview={preview.data} caller={caller} hasSeen={place.action === 'read'} />
          {place.action === 'read' ? <Masked collection={collection} caller={caller} /> : null}
        </>
      )}
    </>
  )
}

const CreateEffect = ({ preview: { after }, caller }: { readonly preview: Preview; readonly caller: Caller }) => (
  <p className={styles['nothing']}>
    {after.access === 'none'
      ? `${callerName(caller)} cannot create rows here.`
      : `${callerName(caller)} can create rows with ${after.fields.includes('*') ? 'all fields' : `the fields ${after.fields.join(', ')}`}.`}
  </p>
)

function Counts({
  preview: { before, after },
  total,
}: {
  readonly preview: Preview
  readonly total: number | undefined
}) {
  const text = ({ count, is_capped }: Preview['before']) =>
    `${is_capped ? 'more than ' : ''}${count.toLocaleString('en')}`
  const isSame = before.count === after.count && before.is_capped === after.is_capped
  return (
    <p className={styles['counts']}>
      <span>
        <strong>{text(after)}</strong>
        {total === undefined ? ' rows' : ` of ≈ ${total.toLocaleString('en')} rows`}
      </span>
      {isSame ? null : <span>today {text(before)}</span>}
      <span>{after.fields.includes('*') ? 'all fields' : `${after.fields.length} fields`}</span>
    </p>
  )
}

interface RowsProps {
  readonly collection: Collection
  readonly preview: Preview
  readonly caller: Caller
  readonly hasSeen: boolean
}

function Rows({ collection, preview, caller, hasSeen }: RowsProps) {
  const language = useLanguage()
  const { data: fields = [] } = useQuery(fieldsQuery(collection.collection))
  const isSeen = hasSeen && preview.before.count > 0
  const { data: seen = [] } = useQuery({ ...rowsSeenQuery(callerId(caller), collection), enabled: isSeen })
  const lost = new Set(preview.lost.map((row) => keyOf(collection, row)))
  const stays = seen.filter((row) => !lost.has(keyOf(collection, row)) || keyOf(collection, row) === null)
  const shown: readonly (readonly [kind: string, mark: string, row: Row])[] = [
    ...preview.gained.map((row) => ['gained', '+', row] as const),
    ...preview.lost.map((row) => ['lost', '−', row] as const),
    ...(preview.after.count === 0 ? [] : stays.slice(0, 3)).map((row) => ['stays', '', row] as const),
  ]
  const template = collection.display_template ?? ''
  const named = new Set([...collection.key, ...template.matchAll(/\w+/gu).map(([name]) => name)])
  const others = fields.filter((field) => !named.has(field.field) && plainKinds.has(kindOf(field))).slice(0, 2)
  if (shown.length === 0) return null
  return (
    <table className={styles['rows']} aria-label="Rows">
      <tbody>
        {shown.map(([kind, mark, row], index) => (
          <tr key={index} data-kind={kind}>
            <td>
              {mark === '' ? null : <b aria-label={kind === 'gained' ? 'comes' : 'goes'}>{mark}</b>}
              {keyText(keyOf(collection, row) ?? '–')}
            </td>
            {template === '' ? null : <td>{fillTemplate(template, row) || '–'}</td>}
            {others.map((field) => (
              <td key={field.field}>{valueNode(row[field.field], field, kindOf(field), language, (text) => text)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const plainKinds: ReadonlySet<string> = new Set(['text', 'number', 'date', 'choice'])

function Masked({ collection, caller }: { readonly collection: Collection; readonly caller: Caller }) {
  const { data: rules = [] } = useQuery(readRulesQuery(callerId(caller), collection))
  const { data: fields = [] } = useQuery(fieldsQuery(collection.collection))
  const names = maskedFields(
    rules,
    fields.map(({ field }) => field),
  )
  if (names.length === 0) return null
  return (
    <p className={styles['warn']}>
      <Icon name="triangle-alert" size={15} />
      {names.join(', ')} {names.length === 1 ? 'is' : 'are'} NULL in some of these rows today
    </p>
  )
}
