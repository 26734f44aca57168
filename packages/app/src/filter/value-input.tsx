import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRef, useState, type KeyboardEvent } from 'react'
import { readItems } from '../api/items.ts'
import { useCollection } from '../app/use-start.ts'
import type { Field } from '../model/field.ts'
import { choicesOf, kindOf, type Choice } from '../model/kind.ts'
import { fillTemplate, templatePaths } from '../model/template.ts'
import { Checkbox, Input, Select, TextArea } from '../ui/input.tsx'
import { Combobox } from './combobox.tsx'
import { localTime, typedNumber, wireTime } from './typed-value.ts'
import { operandOf, valueWords, variableChoices, variableWords } from './words.ts'
import type { Condition } from './tree.ts'
import styles from './builder.module.css'
import { pathOf } from '../model/path.ts'

interface ValueInputProps {
  readonly field: Field
  readonly condition: Condition
  readonly onChange: (value: unknown) => void
}

/** The value of a condition, by the input of its field. */
export function ValueInput({ field, condition: { operator, value }, onChange }: ValueInputProps) {
  const shape = operandOf(operator)
  if (shape === 'flag') return null
  if (shape === 'json' || shape === 'geometry') return <JsonInput value={value} onChange={onChange} />
  if (shape === 'pair') {
    const [from, to] = Array.isArray(value) ? (value as readonly unknown[]) : ['', '']
    return (
      <span className={styles['pair']}>
        <OneValue field={field} label="From" value={from} onChange={(next) => onChange([next, to ?? ''])} />
        <span>and</span>
        <OneValue field={field} label="To" value={to} onChange={(next) => onChange([from ?? '', next])} />
      </span>
    )
  }
  if (shape === 'list') return <ListInput field={field} value={value} onChange={onChange} />
  return <OneValue field={field} label="Value" value={value} onChange={onChange} />
}

interface OneValueProps {
  readonly field: Field
  readonly label: string
  readonly value: unknown
  readonly onChange: (value: unknown) => void
}

const EXACT = ''

function OneValue(props: OneValueProps) {
  const { field, value, onChange } = props
  const variables = variableChoices(field)
  if (variables.length === 0) return <PlainValue {...props} />
  const isVariable = variableWords(value) !== null
  const isListed = variables.some((each) => each.value === value)
  return (
    <span className={styles['pair']}>
      <Select
        aria-label={`${props.label}: kind`}
        value={isVariable ? String(value) : EXACT}
        onChange={(event) => onChange(event.target.value)}
        choices={[
          { value: EXACT, text: field.type === 'uuid' ? 'a value' : 'a moment' },
          ...variables,
          ...(isVariable && !isListed ? [{ value: String(value), text: valueWords(value, field) }] : []),
        ]}
      />
      {isVariable ? null : <PlainValue {...props} />}
    </span>
  )
}

function PlainValue({ field, label, value, onChange }: OneValueProps) {
  const kind = kindOf(field)
  const choices = choicesOf(field)
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  if (choices !== null)
    return (
      <Select
        aria-label={label}
        value={text}
        onChange={(event) => onChange(event.target.value)}
        choices={withBlank(choices, text)}
      />
    )
  if (kind === 'boolean')
    return (
      <Select
        aria-label={label}
        value={value === true ? 'true' : value === false ? 'false' : ''}
        onChange={(event) => onChange(event.target.value === '' ? '' : event.target.value === 'true')}
        choices={withBlank(
          [
            { value: 'true', text: 'yes' },
            { value: 'false', text: 'no' },
          ],
          '',
        )}
      />
    )
  if (kind === 'relation') return <RowValue field={field} label={label} value={value} onChange={onChange} />
  if (kind === 'date' || kind === 'moment' || kind === 'time')
    return (
      <Input
        aria-label={label}
        type={{ date: 'date', moment: 'datetime-local', time: 'time' }[kind]}
        step={kind === 'date' ? undefined : 1}
        value={localTime(text, field.type)}
        onChange={(event) => onChange(wireTime(event.target.value, field.type))}
      />
    )
  if (kind === 'number' || kind === 'key')
    return (
      <Input
        aria-label={label}
        inputMode="decimal"
        value={text}
        onChange={(event) => onChange(typedNumber(event.target.value))}
      />
    )
  return <Input aria-label={label} value={text} onChange={(event) => onChange(event.target.value)} />
}

const withBlank = (choices: readonly Choice[], value: string): readonly Choice[] => [
  { value: '', text: 'Choose…' },
  ...choices,
  ...(value === '' || choices.some((each) => each.value === value) ? [] : [{ value, text: value }]),
]

/** Several values: a box for each choice, or a line with commas. */
function ListInput({ field, value, onChange }: Omit<OneValueProps, 'label'>) {
  const list = Array.isArray(value) ? (value as readonly unknown[]) : []
  const [typed, setTyped] = useState(() => list.map(String).join(', '))
  const choices = choicesOf(field)
  if (choices !== null)
    return (
      <span className={styles['choices']} role="group" aria-label="Values">
        {choices.map((choice) => (
          <Checkbox
            key={choice.value}
            checked={list.map(String).includes(choice.value)}
            onChange={(event) =>
              onChange(
                event.target.checked ? [...list, choice.value] : list.filter((each) => String(each) !== choice.value),
              )
            }
          >
            {choice.text}
          </Checkbox>
        ))}
      </span>
    )
  const isNumber = kindOf(field) === 'number' || kindOf(field) === 'key'
  return (
    <Input
      aria-label="Values, separated by commas"
      placeholder="a, b, c"
      value={typed}
      onChange={(event) => {
        setTyped(event.target.value)
        const parts = event.target.value
          .split(',')
          .map((each) => each.trim())
          .filter((each) => each !== '')
        onChange(isNumber ? parts.map(typedNumber) : parts)
      }}
    />
  )
}

/** A related row, found by its words. */
function RowValue({ field, label, value, onChange }: OneValueProps) {
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const target = useCollection(field.schema?.foreign_key_table ?? '')
  const column = field.schema?.foreign_key_column ?? target?.key[0] ?? 'id'
  const template = target?.display_template ?? `{{${pathOf(column)}}}`
  const fields = [...new Set([pathOf(column), ...templatePaths(template)])]
  const found = useQuery({
    queryKey: ['items', target?.collection, 'picker', typed],
    enabled: target !== undefined,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      target === undefined
        ? []
        : (await readItems(target, { fields, limit: 20, cut: 120, ...(typed === '' ? {} : { search: typed }) }, signal))
            .data,
  })
  const chosen = useQuery({
    queryKey: ['items', target?.collection, 'picked', column, value],
    enabled: target !== undefined && value !== '' && value !== undefined && value !== null,
    queryFn: async ({ signal }) =>
      target === undefined
        ? null
        : ((await readItems(target, { fields, limit: 1, cut: 120, filter: { [column]: { _eq: value } } }, signal))
            .data[0] ?? null),
  })
  if (target === undefined) return <PlainText label={label} value={value} onChange={onChange} />
  const words = chosen.data === null || chosen.data === undefined ? '' : fillTemplate(template, chosen.data)
  const shown =
    value === '' || value === undefined || value === null
      ? ''
      : `${words === '' ? '' : `${words} · `}${keyWords(value)}`
  return (
    <Combobox
      label={label}
      placeholder={`Search ${target.collection}`}
      shown={shown}
      input={input}
      onType={setTyped}
      note={found.isPending ? 'Loading…' : null}
      onChoose={({ id }) => onChoose(id)}
      options={(found.data ?? []).map((row) => ({
        id: String(row[column]),
        label: fillTemplate(template, row) || String(row[column]),
        hint: String(row[column]),
      }))}
    />
  )
  function onChoose(id: string): void {
    onChange(found.data?.find((row) => String(row[column]) === id)?.[column] ?? id)
  }
}

const keyWords = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const PlainText = ({ label, value, onChange }: Omit<OneValueProps, 'field'>) => (
  <Input
    aria-label={label}
    value={typeof value === 'string' || typeof value === 'number' ? String(value) : ''}
    onChange={(event) => onChange(event.target.value)}
  />
)

/** A JSON condition. It is taken over while it can be read. */
export function JsonInput({
  value,
  onChange,
  label = 'Condition as JSON',
}: {
  readonly value: unknown
  readonly onChange: (value: unknown) => void
  readonly label?: string
}) {
  const [typed, setTyped] = useState(() => JSON.stringify(value, null, 2))
  const [isWrong, setWrong] = useState(false)
  return (
    <TextArea
      aria-label={label}
      aria-invalid={isWrong || undefined}
      className={styles['json'] ?? ''}
      value={typed}
      onKeyDown={(event: KeyboardEvent) => event.key === 'Enter' && event.stopPropagation()}
      onChange={(event) => {
        setTyped(event.target.value)
        try {
          onChange(JSON.parse(event.target.value))
          setWrong(false)
        } catch {
          setWrong(true)
        }
      }}
    />
  )
}
