import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, useContext, useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { messageOf } from '../api/api-error.ts'
import { readItems } from '../api/items.ts'
import { useLanguage } from '../app/use-start.ts'
import { fieldsQuery } from '../api/queries.ts'
import type { Collection } from '../model/collection.ts'
import { kindOf } from '../model/kind.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Select } from '../ui/input.tsx'
import { fieldAtQuery } from './field-paths.ts'
import { FieldPicker } from './field-picker.tsx'
import {
  condition,
  emptyGroup,
  isComplete,
  joins,
  negated,
  parseFilter,
  toFilter,
  type Condition,
  type Filter,
  type Group,
  type Join,
  type Node,
} from './tree.ts'
import { JsonInput, ValueInput } from './value-input.tsx'
import { fieldsByName, firstOperator, operatorsOf, operatorWords, valueFor } from './words.ts'
import styles from './builder.module.css'

interface BuilderProps {
  readonly collection: Collection
  readonly filter: Filter | null
  /** The search beside the filter; counts take it along. */
  readonly search?: string
  /** The condition to edit first, or a new one at the end. */
  readonly focusAt?: number | 'end'
  readonly onApply: (filter: Filter | null) => void
  readonly onClose: () => void
}

const blank = condition('', '_eq', '')

const Place = createContext<{ readonly collection: Collection; readonly search: string } | null>(null)

/** Builds a filter. Every complete change is applied at once. */
export function Builder({ collection, filter, search = '', focusAt = 'end', onApply, onClose }: BuilderProps) {
  const [tree, setTree] = useState<Group>(() => {
    const parsed = parseFilter(filter)
    return focusAt === 'end' ? { ...parsed, nodes: [...parsed.nodes, blank] } : parsed
  })
  const [isJson, setJson] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const applied = useRef(JSON.stringify(filter))
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      const rows = box.current?.querySelectorAll<HTMLElement>('[data-condition]') ?? []
      const row = rows[focusAt === 'end' ? rows.length - 1 : focusAt]
      const controls = row?.querySelectorAll<HTMLElement>('input, select, textarea')
      controls?.[focusAt === 'end' ? 0 : controls.length - 1]?.focus()
    })
    return () => cancelAnimationFrame(frame)
  }, [])
  useEffect(() => {
    const next = toFilter(tree)
    const text = JSON.stringify(next)
    if (text === applied.current) return
    const timer = setTimeout(() => {
      applied.current = text
      onApply(next)
    }, 350)
    return () => clearTimeout(timer)
  })
  const place = useMemo(() => ({ collection, search }), [collection, search])
  return (
    <Place value={place}>
      <div ref={box} className={styles['builder']}>
        <header>
          <h2>Filter</h2>
          <Button kind="quiet" icon="braces" aria-pressed={isJson} onClick={() => setJson(!isJson)}>
            JSON
          </Button>
        </header>
        {isJson ? (
          <JsonInput
            label="Filter as JSON"
            value={toFilter(tree) ?? {}}
            onChange={(value) => setTree(parseFilter(value))}
          />
        ) : (
          <GroupEditor group={tree} isRoot onChange={(next) => setTree(next.kind === 'group' ? next : emptyGroup)} />
        )}
        <footer>
          <Button
            kind="quiet"
            onClick={() => {
              setTree(emptyGroup)
              setJson(false)
            }}
          >
            Clear all
          </Button>
          <Button
            kind="solid"
            onClick={() => {
              const next = toFilter(tree)
              if (JSON.stringify(next) !== applied.current) onApply(next)
              onClose()
            }}
          >
            Done
          </Button>
        </footer>
      </div>
    </Place>
  )
}

const joinLabels: Readonly<Record<Join, string>> = { and: 'All of these', or: 'Any of these', none: 'None of these' }

interface GroupEditorProps {
  readonly group: Group
  readonly isRoot?: boolean
  readonly onChange: (node: Node) => void
  readonly onRemove?: () => void
}

function GroupEditor({ group, isRoot = false, onChange, onRemove }: GroupEditorProps) {
  const rows = useRef<HTMLDivElement>(null)
  const wanted = useRef<number | null>(null)
  useEffect(() => {
    if (wanted.current === null) return
    rows.current?.children[wanted.current]?.querySelector<HTMLElement>('input')?.focus()
    wanted.current = null
  })
  const change = (nodes: readonly Node[]) => onChange({ ...group, nodes })
  const addAfter = (at: number, added: Node = blank) => {
    wanted.current = at + 1
    change(group.nodes.toSpliced(at + 1, 0, added))
  }
  const canBeNone = negated({ ...group, join: 'or' }) !== null
  return (
    <div className={styles['group']} data-root={isRoot || undefined} role="group" aria-label={joinLabels[group.join]}>
      {group.nodes.length > 1 || !isRoot ? (
        <div className={styles['join']}>
          <Select
            aria-label="How the conditions are joined"
            value={group.join}
            onChange={(event) => onChange({ ...group, join: event.target.value as Join })}
            choices={joins
              .filter((each) => each !== 'none' || canBeNone || group.join === 'none')
              .map((value) => ({ value, text: joinLabels[value] }))}
          />
          {group.join === 'none' && !canBeNone ? (
            <small>One of these has no opposite, so this group is left out.</small>
          ) : null}
          {onRemove === undefined ? null : (
            <IconButton icon="x" size={14} label="Remove the group" onClick={onRemove} />
          )}
        </div>
      ) : null}
      <div ref={rows} className={styles['rows']}>
        {group.nodes.map((node, index) => (
          <NodeEditor
            key={index}
            node={node}
            onChange={(next) => change(group.nodes.with(index, next))}
            onRemove={() => change(group.nodes.toSpliced(index, 1))}
            onNext={() => addAfter(index)}
          />
        ))}
      </div>
      <div className={styles['adds']}>
        <Button kind="quiet" icon="plus" onClick={() => addAfter(group.nodes.length - 1)}>
          Add a condition
        </Button>
        <Button
          kind="quiet"
          icon="group"
          onClick={() => addAfter(group.nodes.length - 1, { kind: 'group', join: 'or', nodes: [blank] })}
        >
          Add a group
        </Button>
      </div>
    </div>
  )
}

interface NodeEditorProps {
  readonly node: Node
  readonly onChange: (node: Node) => void
  readonly onRemove: () => void
  readonly onNext: () => void
}

function NodeEditor({ node, onChange, onRemove, onNext }: NodeEditorProps) {
  if (node.kind === 'group') return <GroupEditor group={node} onChange={onChange} onRemove={onRemove} />
  if (node.kind === 'condition')
    return <ConditionEditor condition={node} onChange={onChange} onRemove={onRemove} onNext={onNext} />
  return (
    <div className={styles['condition']} data-condition>
      <JsonInput value={node.filter} onChange={(filter) => onChange({ kind: 'raw', filter })} />
      <IconButton icon="x" size={14} label="Remove the condition" onClick={onRemove} />
    </div>
  )
}

interface ConditionEditorProps extends Omit<NodeEditorProps, 'node'> {
  readonly condition: Condition
}

function ConditionEditor({ condition: edited, onChange, onRemove, onNext }: ConditionEditorProps) {
  const client = useQueryClient()
  const language = useLanguage()
  const place = useContext(Place)
  const name = place?.collection.collection ?? ''
  const own = useQuery(fieldsQuery(name)).data
  const { data: field } = useQuery({ ...fieldAtQuery(client, name, edited.path), enabled: edited.path !== '' })
  const find = useMemo(() => fieldsByName(own ?? [], language), [own, language])
  const row = useRef<HTMLDivElement>(null)
  const choose = async (path: string) => {
    const chosen = await client.ensureQueryData(fieldAtQuery(client, name, path))
    const operator = chosen === null ? '_eq' : firstOperator(chosen)
    onChange(condition(path, operator, valueFor(operator, '')))
    requestAnimationFrame(() => {
      const controls = row.current?.querySelectorAll<HTMLElement>('input, select, textarea')
      controls?.[controls.length - 1]?.focus()
    })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.defaultPrevented || event.target instanceof HTMLButtonElement) return
    event.preventDefault()
    if (isComplete(edited)) onNext()
  }
  const label = find(edited.path).label
  return (
    <div ref={row} className={styles['condition']} data-condition onKeyDown={onKeyDown}>
      <FieldPicker collection={name} path={edited.path} shown={label} onChoose={(path) => void choose(path)} />
      {field === undefined || field === null || edited.path === '' ? null : (
        <>
          <Select
            aria-label="Operator"
            className={styles['operator'] ?? ''}
            value={edited.operator}
            onChange={(event) => {
              const operator = event.target.value as Condition['operator']
              onChange({ ...edited, operator, value: valueFor(operator, edited.value) })
            }}
            choices={[...new Set([...operatorsOf(field), edited.operator])].map((value) => ({
              value,
              text: operatorWords(value, kindOf(field)),
            }))}
          />
          <ValueInput
            key={`${edited.path} ${edited.operator}`}
            field={field}
            condition={edited}
            onChange={(value) => onChange({ ...edited, value })}
          />
        </>
      )}
      <span className={styles['ends']}>
        {isComplete(edited) ? <ConditionCount node={edited} /> : null}
        <IconButton
          icon="x"
          size={14}
          label={`Remove the condition${edited.path === '' ? '' : ` on ${label}`}`}
          onClick={onRemove}
        />
      </span>
    </div>
  )
}

/** Counts stop here; more is said as more. */
const COUNT_UP_TO = 100_000

const isCapped = (names: unknown): boolean => Array.isArray(names) && names.includes('filter_count')

/** How many rows a condition alone leaves, counted when asked. */
function ConditionCount({ node }: { readonly node: Condition }) {
  const place = useContext(Place)
  const language = useLanguage()
  const filter = toFilter(node)
  const [asked, setAsked] = useState<string | null>(null)
  const text = JSON.stringify(filter)
  const { data, error, isFetching } = useQuery({
    queryKey: ['items', place?.collection.collection, 'condition-count', text],
    enabled: place !== null && asked === text,
    queryFn: async ({ signal }) => {
      if (place === null) return null
      const query = { filter, limit: 0, meta: ['filter_count'], count_up_to: COUNT_UP_TO }
      const { meta } = await readItems(place.collection, query, signal)
      const count = Number(meta['filter_count'])
      return `${isCapped(meta['capped_counts']) ? '> ' : ''}${count.toLocaleString(language)}`
    },
  })
  if (asked !== text || error !== null)
    return (
      <IconButton
        icon="sigma"
        size={14}
        label={error === null ? 'Count the rows of this condition' : messageOf(error)}
        onClick={() => setAsked(text)}
      />
    )
  return (
    <output className={styles['count']} title="Rows of this condition alone">
      {isFetching ? '…' : data}
    </output>
  )
}
