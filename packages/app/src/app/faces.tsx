import { Component, type ReactNode } from 'react'
import { ApiError, messageOf } from '../api/api-error.ts'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/feedback.tsx'
import type { IconName } from '../ui/icon-names.ts'
import { queryClient } from './query-client.ts'

interface Face {
  readonly icon: IconName
  readonly title: string
  readonly text: string
}

/** How a page says that it cannot be shown. */
function faceOf(error: unknown): Face {
  if (!(error instanceof ApiError))
    return { icon: 'circle-alert', title: 'This page stopped working', text: messageOf(error) }
  const { status, retryAfter } = error
  const text = messageOf(error)
  if (status === 0) return { icon: 'wifi-off', title: 'No connection', text }
  if (status === 401) return { icon: 'log-in', title: 'Your session has ended', text: 'Sign in again to go on.' }
  if (status === 403) return { icon: 'lock', title: 'Not allowed', text }
  if (status === 404) return { icon: 'search', title: 'Not found', text }
  if (status === 429)
    return {
      icon: 'clock',
      title: 'Too many requests',
      text: retryAfter === null ? text : `Try again in ${retryAfter} s.`,
    }
  if (status === 503)
    return { icon: 'server-off', title: 'The service is busy', text: `${text} It usually takes a moment.` }
  return { icon: 'circle-alert', title: 'Something went wrong', text }
}

interface FailureProps {
  readonly error: unknown
  readonly onRetry?: (() => void) | undefined
  /** It stands for a whole page. */
  readonly isPage?: boolean
}

/** What is shown in place of something that could not be loaded. */
export function Failure({ error, onRetry, isPage = false }: FailureProps) {
  const { icon, title, text } = faceOf(error)
  return (
    <Empty
      isAlert
      isPage={isPage}
      icon={icon}
      title={title}
      actions={
        onRetry === undefined ? undefined : (
          <Button icon="refresh-cw" onClick={onRetry}>
            Try again
          </Button>
        )
      }
    >
      {text}
    </Empty>
  )
}

interface BoundaryProps {
  readonly children: ReactNode
  /** A change of it shows the children again. */
  readonly place: string
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

  /** A query that has failed stays so until it is told to begin anew. */
  retry = (): void => {
    void queryClient.resetQueries({ predicate: ({ state }) => state.status === 'error' })
    this.setState({ error: null })
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === null) return this.props.children
    return <Failure isPage error={error} onRetry={this.retry} />
  }
}

/** Refusals of the service have been shown by a face; only what is wrong in the app itself goes to the console. */
export function reportCaught(error: unknown): void {
  if (!(error instanceof ApiError)) console.error(error)
}
