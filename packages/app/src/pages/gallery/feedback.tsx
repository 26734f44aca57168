import { ApiError } from '../../api/api-error.ts'
import { Failure } from '../../app/faces.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty, Notice, Progress, Skeleton, type Tone } from '../../ui/feedback.tsx'
import { toast } from '../../ui/toasts.tsx'
import { LONG, Sample } from './sample.tsx'
import styles from './gallery.module.css'

const notices: Readonly<Record<Tone, string>> = {
  info: 'The count is an estimate of the database.',
  good: 'Your new password is set.',
  warn: 'Strangers can read this collection.',
  danger: 'The value must be unique. Another row has it already.',
}

const refused = (status: number, message: string): ApiError =>
  new ApiError(
    status,
    [{ message, extensions: { code: 'SAMPLE' } }],
    status === 429 ? { retryAfter: 12 } : { requestId: '7d9f2c1e' },
  )

const failures: readonly { readonly title: string; readonly error: unknown }[] = [
  { title: 'No connection', error: new ApiError(0, []) },
  { title: 'Not allowed', error: refused(403, 'You may not read this collection.') },
  { title: 'Not found', error: refused(404, 'There is no row with this key.') },
  { title: 'Too many requests', error: refused(429, 'Too many requests.') },
  { title: 'Busy', error: refused(503, 'The structure is being changed.') },
  { title: 'Failed', error: refused(500, 'The database closed the connection.') },
]

export const Feedback = () => (
  <div className={styles['samples']}>
    {(Object.keys(notices) as Tone[]).map((tone) => (
      <Sample key={tone} title={`Notice, ${tone}`}>
        <Notice tone={tone}>{notices[tone]}</Notice>
      </Sample>
    ))}
    <Sample title="Notice with title and actions" isWide>
      <Notice tone="warn" title="Two rows no longer match the view" actions={<Button>Show them</Button>}>
        {LONG}
      </Notice>
    </Sample>
    <Sample title="Empty">
      <Empty icon="table-2" title="No orders yet" actions={<Button kind="solid">New order</Button>}>
        Orders appear here when customers place them.
      </Empty>
    </Sample>
    <Sample title="Skeleton">
      <Skeleton lines={5} />
    </Sample>
    <Sample title="Progress">
      <Progress label="200 of 450 rows" done={200} total={450} />
    </Sample>
    <Sample title="Toasts">
      <Button onClick={() => toast('3 rows are deleted.', { action: { label: 'Undo', run: () => undefined } })}>
        Show a message with an action
      </Button>
      <Button onClick={() => toast('The row could not be saved.', { tone: 'danger' })}>Show a problem</Button>
    </Sample>
    {failures.map(({ title, error }) => (
      <Sample key={title} title={`Failure: ${title}`}>
        <Failure error={error} onRetry={() => undefined} />
      </Sample>
    ))}
  </div>
)
