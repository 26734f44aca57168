import { lazy, useState } from 'react'
import { Link } from 'wouter'
import { useWhyNot } from '../../access/use-writable.ts'
import type { SourceQuery } from '../../grid/source.ts'
import { may, whyReadOnly, type Collection } from '../../model/collection.ts'
import { browseRoute } from '../../model/key.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Popover } from '../../ui/popover.tsx'
import button from '../../ui/button.module.css'
import { listUrl } from './api-twin.ts'

const ApiTwinBox = lazy(async () => ({ default: (await import('./api-twin-box.tsx')).ApiTwinBox }))

interface HeadActionsProps {
  readonly collection: Collection
  /** Null while the list is being opened. */
  readonly query: SourceQuery | null
}

/** What can be done with the list as a whole. */
export function HeadActions({ collection, query }: HeadActionsProps) {
  const [isTwinOpen, setTwinOpen] = useState(false)
  const whyNot = useWhyNot()
  const download = (format: 'csv' | 'json') => {
    if (query !== null) location.assign(listUrl(query, { limit: -1, export: format }))
  }
  return (
    <>
      <Popover
        label="API request"
        placement="bottom end"
        isOpen={isTwinOpen && query !== null}
        onOpenChange={setTwinOpen}
        trigger={(props) => (
          <IconButton {...props} data-command="request" icon="code" label="API request" disabled={query === null} />
        )}
      >
        {query === null ? null : <ApiTwinBox query={query} />}
      </Popover>
      <Menu
        label="Export"
        placement="bottom end"
        trigger={(props) => (
          <IconButton {...props} data-command="export" icon="download" label="Export" disabled={query === null} />
        )}
        entries={[
          {
            id: 'csv',
            label: 'CSV',
            hint: 'All rows of this view',
            icon: 'table-2',
            whyNot,
            run: () => download('csv'),
          },
          {
            id: 'json',
            label: 'JSON',
            hint: 'All rows of this view',
            icon: 'braces',
            whyNot,
            run: () => download('json'),
          },
        ]}
      />
      <NewButton collection={collection} whyNot={whyNot} />
    </>
  )
}

function NewButton({ collection, whyNot }: { readonly collection: Collection; readonly whyNot: string | null }) {
  const reason = whyNot ?? whyNoNew(collection)
  if (reason !== null)
    return (
      <Button kind="solid" icon="plus" disabled title={reason}>
        New
      </Button>
    )
  return (
    <Link href={`${browseRoute(collection.collection)}/+`} className={`${button['button']} ${button['solid']}`}>
      <Icon name="plus" />
      <span>New</span>
    </Link>
  )
}

/** Why no row can be created; null: it can. */
export const whyNoNew = (collection: Collection): string | null =>
  whyReadOnly(collection) ?? (may(collection, 'create') ? null : 'You may not create rows here.')
