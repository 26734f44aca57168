import { Failure, FailureNote } from '../app/faces.tsx'
import { useRetry } from '../app/use-retry.ts'
import { ApiError, messageOf } from '../api/api-error.ts'
import { Button } from '../ui/button.tsx'
import { Empty, Notice } from '../ui/feedback.tsx'
import type { RowSource, SourceSnapshot } from './row-source.ts'
import styles from './grid.module.css'

/** Rows that are there stay; what could not be read is said below them. */
function Missing({ error, source }: { readonly error: unknown; readonly source: RowSource }) {
  const retry = useRetry(error, source.reload)
  const isOffline = error instanceof ApiError && error.isOffline
  return (
    <div className={styles['note']}>
      <Notice
        tone={isOffline ? 'warn' : 'danger'}
        title="Some rows could not be read"
        actions={
          <>
            <Button icon="refresh-cw" isBusy={retry.isTrying} onClick={retry.run}>
              Try again
            </Button>
            <small>
              <FailureNote error={error} retry={retry} />
            </small>
          </>
        }
      >
        {isOffline ? 'They are read as soon as the connection is back.' : messageOf(error)}
      </Notice>
    </div>
  )
}

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
  if (state === 'failed') return <Missing error={error} source={source} />
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
