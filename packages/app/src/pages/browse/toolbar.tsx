import { lazy, useState, type ReactNode } from 'react'
import { rowHeightLabels, rowHeightNames } from '../../app/row-height.ts'
import type { Collection } from '../../model/collection.ts'
import { useLanguage } from '../../app/use-start.ts'
import { fieldLabel, type Field } from '../../model/field.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import type { IconName } from '../../ui/icon-names.ts'
import { Menu } from '../../ui/menu.tsx'
import { Popover } from '../../ui/popover.tsx'
import { FilterControl } from './filter-control.tsx'
import { canGroupBy } from './group-by.ts'
import { SearchBox } from './search-box.tsx'
import type { View } from './use-view.ts'
import styles from './browse.module.css'

const SortEditor = lazy(async () => ({ default: (await import('./sort-editor.tsx')).SortEditor }))
const FieldsChooser = lazy(async () => ({ default: (await import('./fields-chooser.tsx')).FieldsChooser }))

interface ToolbarProps {
  readonly collection: Collection
  readonly fields: readonly Field[]
  readonly view: View
  readonly onRefresh: () => void
}

/** What decides which rows and columns are shown. */
export function Toolbar({ collection, fields, view, onRefresh }: ToolbarProps) {
  const { state, change } = view
  const language = useLanguage()
  return (
    <div className={styles['toolbar']} role="toolbar" aria-label="View">
      <SearchBox search={state.search} onSearch={(search, isContinued) => change({ search }, { isContinued })} />
      <FilterControl
        collection={collection}
        fields={fields}
        filter={state.filter}
        search={state.search}
        onFilter={(filter, isContinued) => change({ filter }, { isContinued })}
      />
      <ToolPopover label="Sort" icon="arrow-up-down" count={state.sort.length}>
        <SortEditor collection={collection} sort={state.sort} onSort={(sort) => change({ sort })} />
      </ToolPopover>
      <ToolPopover label="Fields" icon="columns-3" count={state.fields.length}>
        <FieldsChooser collection={collection} shown={state.fields} onShow={(shown) => change({ fields: shown })} />
      </ToolPopover>
      <Menu
        label="Group by"
        trigger={(props) => (
          <Button
            {...props}
            kind="quiet"
            icon="group"
            count={state.group === null ? null : 1}
            data-command="group"
            className={[styles['tool'], styles['wideOnly']].join(' ')}
          >
            Group
          </Button>
        )}
        entries={[
          { id: '', label: 'No groups', isChosen: state.group === null, run: () => change({ group: null }) },
          ...fields.filter(canGroupBy).map((field) => ({
            id: field.field,
            label: fieldLabel(field, language),
            isChosen: state.group === field.field,
            run: () => change({ group: field.field }),
          })),
        ]}
      />
      <span className={styles['grow']} />
      <Menu
        label="Row height"
        placement="bottom end"
        trigger={(props) => (
          <IconButton {...props} className={styles['wideOnly'] ?? ''} icon="rows-3" label="Row height" />
        )}
        entries={rowHeightNames.map((rows) => ({
          id: rows,
          label: rowHeightLabels[rows],
          isChosen: state.rows === rows,
          run: () => change({ rows }),
        }))}
      />
      <IconButton icon="refresh-cw" label="Refresh" keys="r" onClick={onRefresh} />
    </div>
  )
}

interface ToolPopoverProps {
  readonly label: string
  readonly icon: IconName
  readonly count: number
  readonly children: ReactNode
}

function ToolPopover({ label, icon, count, children }: ToolPopoverProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover
      label={label}
      isOpen={isOpen}
      onOpenChange={setOpen}
      trigger={(props) => (
        <Button
          {...props}
          kind="quiet"
          icon={icon}
          count={count === 0 ? null : count}
          data-command={label.toLowerCase()}
          className={[styles['tool'], styles['wideOnly']].join(' ')}
        >
          {label}
        </Button>
      )}
    >
      {children}
    </Popover>
  )
}
