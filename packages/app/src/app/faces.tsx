import { Component, type ReactNode } from 'react'
import { ApiError, messageOf, seconds, StoppedError } from '../api/api-error.ts'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/feedback.tsx'
import type { IconName } from '../ui/icon-names.ts'
import { queryClient } from './query-client.ts'
import { useRetry, type Retry } from './use-retry.ts'
import styles from './opening.module.css'

interface Face {
  readonly icon: IconName
  readonly title: string
  readonly text: string
}

/** How a page says that it cannot be shown. */
function faceOf(error: unknown): Face {
  if (error instanceof StoppedError)
    return { icon: 'ban', title: 'Stopped', text: 'It took long, and you stopped it. Nothing was changed.' }
  if (!(error instanceof ApiError))
    return { icon: 'circle-alert', title: 'This page stopped working', text: messageOf(error) }
  const { status } = error
  const text = messageOf(error)
  if (status === 0)
    return {
      icon: 'wifi-off',
      title: 'No connection',
      text: 'The service cannot be reached. This is read as soon as the connection is back.',
    }
  if (error.isMomentary)
    return {
      icon: 'server-off',
      title: 'Not available right now',
      text: 'The service is busy, or its database is away or being changed. It usually takes a moment.',
    }
  if (status === 401) return { icon: 'log-in', title: 'Your session has ended', text: 'Sign in again to go on.' }
  if (status === 403)
    return { icon: 'lock', title: 'Not allowed', text: `${text} Ask an administrator if you need it.` }
  if (status === 404) return { icon: 'search', title: 'Not found', text }
  if (status === 429)
    return { icon: 'clock', title: 'Too many requests', text: 'The service limits how many it answers in a while.' }
  if (status === 503) return { icon: 'clock', title: 'It took too long', text }
  return { icon: 'circle-alert', title: 'Something went wrong', text: error.message }
}

interface FailureProps {
  readonly error: unknown
  readonly onRetry?: (() => void) | undefined
  /** It stands for a whole page. */
  readonly isPage?: boolean
  /** Other ways on than to try again. */
  readonly actions?: ReactNode
}

/** What is shown in place of something that could not be loaded. */
export function Failure({ error, onRetry, isPage = false, actions }: FailureProps) {
  const { icon, title, text } = faceOf(error)
  const retry = useRetry(error, onRetry)
  return (
    <Empty
      isAlert
      isPage={isPage}
      icon={icon}
      title={title}
      note={<FailureNote error={error} retry={retry} />}
      actions={
        onRetry === undefined && actions === undefined ? undefined : (
          <>
            {onRetry === undefined ? null : (
              <Button icon="refresh-cw" isBusy={retry.isTrying} onClick={retry.run}>
                Try again
              </Button>
            )}
            {actions}
          </>
        )
      }
    >
      {text}
    </Empty>
  )
}

/** When it is tried again, and the name under which the log has it. */
export function FailureNote({ error, retry: { left, wait } }: { readonly error: unknown; readonly retry: Retry }) {
  if (wait !== null)
    return (
      <>
        {/* Said once; the seconds that run down are only for the eye. */}
        <span className="visually-hidden">Tried again by itself in {seconds(wait)}.</span>
        <span aria-hidden="true">{left === null || left === 0 ? 'Trying again…' : `Trying again in ${left} s`}</span>
      </>
    )
  if (error instanceof ApiError && error.status === 500 && error.requestId !== null)
    return (
      <>
        An administrator finds it in the log as <code>{error.requestId}</code>
      </>
    )
  return null
}

interface BoundaryProps {
  readonly children: ReactNode
  /** A change of it shows the children again. */
  readonly place: string
  /** Nothing is around the page: its face is all there is. */
  readonly isAlone?: boolean
}

/** Keeps a page that fails from taking the frame with it. */
export class Boundary extends Component<BoundaryProps, { readonly error: unknown; readonly place: string }> {
  override state = { error: null as unknown, place: this.props.place }

  static getDerivedStateFromError(error: unknown): { readonly error: unknown } {
    return { error }
  }

  static getDerivedStateFromProps({ place }: BoundaryProps, state: { readonly place: string }) {
    return place === state.place ? null : { error: null, place }
  }

  /** Reads again what failed. Until it is there, the face stays: a page that flickers says nothing. */
  retry = async (): Promise<void> => {
    const { error } = this.state
    const failed = queryClient.getQueryCache().findAll({ predicate: ({ state }) => state.status === 'error' })
    await queryClient.refetchQueries({ predicate: (query) => failed.includes(query) })
    if (this.state.error !== error) return
    this.setState({ error: failed.find(({ state }) => state.status === 'error')?.state.error ?? null })
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === null) return this.props.children
    const face = <Failure isPage error={error} onRetry={() => void this.retry()} />
    return this.props.isAlone === true ? <main className={styles['alone']}>{face}</main> : face
  }
}

/** Refusals of the service have been shown by a face; only what is wrong in the app itself goes to the console. */
export function reportCaught(error: unknown): void {
  if (!(error instanceof ApiError)) console.error(error)
}
