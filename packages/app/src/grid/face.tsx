import { Failure } from '../app/faces.tsx'
import { messageOf } from '../api/api-error.ts'
import { Button } from '../ui/button.tsx'
import { Empty, Notice } from '../ui/feedback.tsx'
import type { RowSource, SourceSnapshot } from './row-source.ts'
import styles from './grid.module.css'

/** What the sheet shows that has no rows: none there, or they cannot be read. Rows that are there stay. */
export function Face({ snapshot, source }: { readonly snapshot: SourceSnapshot; readonly source: RowSource }) {
  const { state, error, total } = snapshot
  const { filter, search } = source.query
  if (state === 'failed' && total === 0)
    return (
      <div className={styles['face']}>
        <Failure error={error} onRetry={source.reload} />
      </div>
    )
  if (state === 'failed')
    return (
      <div className={styles['note']}>
        <Notice
          tone="danger"
          title="Some rows could not be read"
          actions={<Button onClick={source.reload}>Try again</Button>}
        >
          {messageOf(error)}
        </Notice>
      </div>
    )
  if (state === 'loading' || total > 0) return null
  return (
    <div className={styles['face']}>
      {filter === null && search === '' ? (
        <Empty icon="list" title="No rows yet">
          Rows appear here as soon as somebody adds some.
        </Empty>
      ) : (
        <Empty icon="search" title="No row matches">
          Change the search or the filter to see more.
        </Empty>
      )}
    </div>
  )
}
