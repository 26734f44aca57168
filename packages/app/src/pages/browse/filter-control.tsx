import { lazy, useMemo, useRef, useState } from 'react'
import { useLanguage } from '../../app/use-start.ts'
import { countConditions, parseFilter, toFilter, type Filter, type Group, type Node } from '../../filter/tree.ts'
import { conditionWords, fieldsByName, sentence } from '../../filter/words.ts'
import type { Collection } from '../../model/collection.ts'
import type { Field } from '../../model/field.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { Popover, type TriggerProps } from '../../ui/popover.tsx'
import styles from './browse.module.css'

const Builder = lazy(async () => ({ default: (await import('../../filter/builder.tsx')).Builder }))

interface FilterControlProps {
  readonly collection: Collection
  readonly fields: readonly Field[]
  readonly filter: Filter | null
  readonly search: string
  readonly onFilter: (filter: Filter | null, isContinued: boolean) => void
}

/** The filter in words, a chip for each condition, and the button that adds one. Each opens the builder where it is. */
export function FilterControl({ collection, fields, filter, search, onFilter }: FilterControlProps) {
  const tree = useMemo(() => parseFilter(filter), [filter])
  const [openAt, setOpenAt] = useState<number | 'end' | null>(null)
  const hasApplied = useRef(false)
  const parts: readonly Node[] = tree.join === 'and' ? tree.nodes : [tree]
  const open = (at: number | 'end' | null) => {
    hasApplied.current = false
    setOpenAt(at)
  }
  const apply = (next: Filter | null) => {
    onFilter(next, hasApplied.current)
    hasApplied.current = true
  }
  const remove = (at: number) => {
    const rest: Group = { ...tree, nodes: tree.join === 'and' ? tree.nodes.filter((_, index) => index !== at) : [] }
    onFilter(toFilter(rest), false)
  }
  const builder = (at: number | 'end') => (
    <Builder
      collection={collection}
      filter={filter}
      search={search}
      focusAt={at}
      onApply={apply}
      onClose={() => setOpenAt(null)}
    />
  )
  return (
    <>
      {parts.map((node, index) => (
        <Popover
          key={index}
          label="Filter"
          isOpen={openAt === index}
          onOpenChange={(isOpen) => open(isOpen ? index : null)}
          trigger={(props) => <FilterChip node={node} fields={fields} trigger={props} onRemove={() => remove(index)} />}
        >
          {builder(index)}
        </Popover>
      ))}
      <Popover
        label="Filter"
        isOpen={openAt === 'end'}
        onOpenChange={(isOpen) => open(isOpen ? 'end' : null)}
        trigger={(props) => (
          <Button {...props} data-command="filter" kind="quiet" icon="filter" className={styles['tool'] ?? ''}>
            Filter
          </Button>
        )}
      >
        {builder('end')}
      </Popover>
    </>
  )
}

interface FilterChipProps {
  readonly node: Node
  readonly fields: readonly Field[]
  readonly trigger: TriggerProps
  readonly onRemove: () => void
}

function FilterChip({ node, fields, trigger, onRemove }: FilterChipProps) {
  const language = useLanguage()
  const find = useMemo(() => fieldsByName(fields, language), [fields, language])
  const whole = sentence(node, find)
  const words = node.kind === 'condition' ? conditionWords(node, find) : null
  return (
    <span className={styles['condition']}>
      <button type="button" {...trigger} className={styles['conditionWords']} title={whole}>
        {words === null ? (
          <span className={styles['sentence']}>
            {countConditions(node) > 3 ? `${countConditions(node)} conditions` : whole}
          </span>
        ) : (
          <>
            <b>{words.field}</b>
            <span>{words.operator}</span>
            {words.value === null ? null : words.isChoice ? (
              <Chip value={words.value} />
            ) : (
              <b className={styles['sentence']}>{words.value}</b>
            )}
          </>
        )}
      </button>
      <IconButton icon="x" size={13} label={`Remove the filter: ${whole}`} onClick={onRemove} />
    </span>
  )
}
