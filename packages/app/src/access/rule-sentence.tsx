import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { fieldsQuery } from '../api/queries.ts'
import { useLanguage } from '../app/use-start.ts'
import { countConditions, isObject, parseFilter, type Condition, type Filter, type Node } from '../filter/tree.ts'
import { conditionWords, fieldsByName, joinWords, type FindField } from '../filter/words.ts'
import type { Action } from '../model/collection.ts'
import { Chip } from '../ui/chip.tsx'
import { isEveryRow } from './permission.ts'
import { ruleVariable } from './rule-variable.ts'
import styles from './rule-sentence.module.css'

interface RuleSentenceProps {
  readonly collection: string
  readonly action: Action
  readonly rule: Filter | null
}

/** A rule as a sentence. */
export function RuleSentence({ collection, action, rule }: RuleSentenceProps) {
  const { data: fields = [] } = useQuery(fieldsQuery(collection))
  const find = fieldsByName(fields, useLanguage())
  const subject = action === 'create' ? 'New rows' : 'Rows'
  if (isEveryRow(rule)) return <p className={styles['sentence']}>{action === 'create' ? 'Any new row' : 'Every row'}</p>
  return (
    <p className={styles['sentence']}>
      {subject} where <Words node={parseFilter(rule)} find={find} />
    </p>
  )
}

function Words({ node, find }: { readonly node: Node; readonly find: FindField }) {
  if (node.kind === 'raw') return <code>{JSON.stringify(node.filter)}</code>
  if (node.kind === 'condition') return <ConditionText condition={node} find={find} />
  return (
    <>
      {node.join === 'none' ? 'neither ' : null}
      {node.nodes.map((each, index) => (
        <Fragment key={index}>
          {index === 0 ? null : `${node.join === 'and' ? '' : ','} ${joinWords[node.join]} `}
          {each.kind === 'group' && countConditions(each) > 1 ? (
            <>
              (<Words node={each} find={find} />)
            </>
          ) : (
            <Words node={each} find={find} />
          )}
        </Fragment>
      ))}
    </>
  )
}

function ConditionText({ condition, find }: { readonly condition: Condition; readonly find: FindField }) {
  const { field, operator, value, isChoice } = conditionWords(condition, find)
  const values = Array.isArray(condition.value) ? (condition.value as readonly unknown[]) : [condition.value]
  const variables = values.map(ruleVariable)
  return (
    <>
      <strong>{field}</strong> {operator}{' '}
      {value === null ? null : variables.some((each) => each !== null) ? (
        <span className={styles['variable']}>
          {values.map((each, index) => variables[index] ?? String(each)).join(', ')}
        </span>
      ) : isChoice || values.every((each) => typeof each === 'string') ? (
        values.map((each, index) => (
          <Fragment key={index}>
            {index === 0 ? null : ' '}
            <Chip value={textOf(each)} />
          </Fragment>
        ))
      ) : (
        <span className={styles['value']}>{value}</span>
      )}
    </>
  )
}

const textOf = (value: unknown): string =>
  isObject(value) || Array.isArray(value) ? JSON.stringify(value) : value === '' ? '""' : String(value)
