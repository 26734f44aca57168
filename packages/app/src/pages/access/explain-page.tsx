import { useMutation, useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { Link } from 'wouter'
import { messageOf } from '../../api/api-error.ts'
import { callerId, callerName, PersonPicker, type Caller } from '../../access/person-picker.tsx'
import { explain, type ExplainRequest, type Explanation } from '../../access/preview.ts'
import { actionWords, columns, type Column } from '../../access/permission.ts'
import { policiesQuery } from '../../access/queries.ts'
import { RuleSentence } from '../../access/rule-sentence.tsx'
import { explainRequest, type Question } from '../../access/explain-request.ts'
import { collectionWords } from '../../access/words.ts'
import { useStart } from '../../app/use-start.ts'
import { isObject } from '../../filter/tree.ts'
import { collectionLabel } from '../../model/collection.ts'
import { Button } from '../../ui/button.tsx'
import { Badge, Notice } from '../../ui/feedback.tsx'
import { Field } from '../../ui/field.tsx'
import { Input, Select, TextArea } from '../../ui/input.tsx'
import { PageBody } from '../../ui/page-body.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import styles from './explain-page.module.css'

interface Answer {
  readonly asked: ExplainRequest
  readonly who: string
  readonly explanation: Explanation
}

/** Why a user may do something, or not. */
export function ExplainPage() {
  const { collections } = useStart()
  const [caller, setCaller] = useState<Caller>('public')
  const [question, setQuestion] = useState<Question>({
    collection: collections.find(({ system, kind }) => system !== true && kind !== 'folder')?.collection ?? '',
    action: 'read',
    key: '',
    body: '',
  })
  const set = (part: Partial<Question>) => setQuestion({ ...question, ...part })
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: async (): Promise<Answer> => {
      const collection = collections.find((each) => each.collection === question.collection)
      const asked = explainRequest(callerId(caller), question, collection)
      return { asked, who: callerName(caller), explanation: await explain(asked) }
    },
  })
  const isWriting = question.action === 'create' || question.action === 'update'
  const userId = useId()
  return (
    <>
      <PageHead icon="shield-question-mark" title="Explain" note="why somebody may, or may not" />
      <PageBody width="narrow">
        <form
          className={styles['form']}
          onSubmit={(event) => {
            event.preventDefault()
            mutate()
          }}
        >
          <div className={styles['user']}>
            <label htmlFor={userId}>User</label>
            <PersonPicker id={userId} label="User" chosen={caller} onChoose={setCaller} hasPublic />
          </div>
          <Field label="Action">
            {(control) => (
              <Select
                {...control}
                value={question.action}
                onChange={(event) => set({ action: event.target.value as Column })}
                choices={columns.map((value) => ({ value, text: actionWords[value] }))}
              />
            )}
          </Field>
          <Field label="Collection">
            {(control) => (
              <Select
                {...control}
                value={question.collection}
                onChange={(event) => set({ collection: event.target.value })}
                choices={collections
                  .filter(({ kind }) => kind !== 'folder')
                  .map((each) => ({
                    value: each.collection,
                    text: each.system === true ? `${collectionWords(each.collection)} (system)` : collectionLabel(each),
                  }))}
              />
            )}
          </Field>
          {question.action === 'create' ? null : (
            <Field label="Key" note={question.action === 'read' ? 'Empty: the list.' : 'Of the row in question.'}>
              {(control) => (
                <Input {...control} value={question.key} onChange={(event) => set({ key: event.target.value })} />
              )}
            </Field>
          )}
          {isWriting ? (
            <Field label="Values" note='As JSON, such as {"status": "paid"}.' isWide>
              {(control) => (
                <TextArea
                  {...control}
                  className={styles['json'] ?? ''}
                  value={question.body}
                  onChange={(event) => set({ body: event.target.value })}
                />
              )}
            </Field>
          ) : null}
          <div className={styles['run']}>
            <Button kind="solid" type="submit" isBusy={isPending} disabled={isPending}>
              Explain
            </Button>
          </div>
        </form>
        <div aria-live="polite" className={styles['answer']}>
          {error === null ? null : (
            <Notice tone="danger" title="This cannot be explained">
              {messageOf(error)}
            </Notice>
          )}
          {data === undefined ? null : <AnswerView {...data} />}
        </div>
      </PageBody>
    </>
  )
}

function AnswerView({ asked, who, explanation }: Answer) {
  const { allowed, reason, admin, rules, fields, masked, collection } = explanation
  const { data: policies = [] } = useQuery(policiesQuery)
  const nameOf = (id: string | null) =>
    id === null ? 'Comes with app access' : (policies.find((policy) => policy.id === id)?.name ?? id)
  return (
    <>
      <Notice
        tone={allowed ? 'good' : 'danger'}
        title={`${who === 'the public' ? 'The public' : who} ${allowed ? 'may' : 'may not'} do this`}
      >
        {reason ?? (admin ? 'An administrator may do everything.' : allowed ? 'A permission below allows it.' : null)}
        <p className={styles['request']}>
          <code>
            {asked.method} {asked.path}
          </code>
        </p>
      </Notice>
      {rules.length === 0 ? null : (
        <section aria-label="Permissions behind it">
          <h2 className={styles['title']}>Permissions behind it</h2>
          <ul className={styles['rules']}>
            {rules.map((rule, index) => (
              <li key={index}>
                <div className={styles['head']}>
                  {rule.policy === null ? (
                    <strong>{nameOf(null)}</strong>
                  ) : (
                    <Link href={`/access/policies/${rule.policy}`}>{nameOf(rule.policy)}</Link>
                  )}
                  <span>{actionWords[rule.action]}</span>
                  {rule.holds === null ? null : (
                    <Badge tone={rule.holds ? 'good' : 'warn'}>
                      {rule.holds ? 'holds for this row' : 'does not hold for this row'}
                    </Badge>
                  )}
                </div>
                <RuleSentence
                  collection={collection}
                  action={rule.action}
                  rule={
                    isObject(rule.action === 'create' ? rule.validation : rule.rule)
                      ? ((rule.action === 'create' ? rule.validation : rule.rule) as Readonly<Record<string, unknown>>)
                      : null
                  }
                />
                <small>{rule.fields.includes('*') ? 'All fields' : `Fields ${rule.fields.join(', ') || 'none'}`}</small>
                {rule.predicate === null ? null : (
                  <details>
                    <summary>SQL</summary>
                    <code>{rule.predicate}</code>
                  </details>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
      {fields.length === 0 || admin ? null : (
        <p className={styles['fields']}>
          Readable: {fields.join(', ')}.{masked.length === 0 ? null : ` Only where a rule holds: ${masked.join(', ')}.`}
        </p>
      )}
    </>
  )
}
