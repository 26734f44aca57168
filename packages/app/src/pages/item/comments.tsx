import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../../api/api-error.ts'
import { useSignal } from '../../api/use-signal.ts'
import { createItem, deleteItem, readItems, updateItem } from '../../api/items.ts'
import { nameOfUser, useCollection, useLanguage, useStart } from '../../app/use-start.ts'
import { Failure } from '../../app/faces.tsx'
import { may, type Collection } from '../../model/collection.ts'
import type { Row } from '../../model/key.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Avatar } from '../../ui/chip.tsx'
import { Notice, Skeleton } from '../../ui/feedback.tsx'
import { TextArea } from '../../ui/input.tsx'
import styles from './panel.module.css'

const comments = { collection: 'service_comments', system: true }

interface Comment {
  readonly id: string
  readonly comment: string
  readonly date_created: string | null
  readonly date_updated: string | null
  readonly user_created: Row | null
}

/** What people say about a row. Each can change and delete their own words. */
export function Comments({ collection, itemKey }: { readonly collection: Collection; readonly itemKey: string }) {
  const queries = useQueryClient()
  const source = useCollection('service_comments')
  const isViewedAs = useSignal('viewedAs') !== null
  const mayRead = source !== undefined && may(source, 'read')
  const mayWrite = source !== undefined && may(source, 'create') && !isViewedAs
  const [typed, setTyped] = useState('')
  const [error, setError] = useState<string | null>(null)
  const queryKey = ['comments', collection.collection, itemKey]
  const found = useQuery({
    queryKey,
    staleTime: 0,
    enabled: mayRead,
    queryFn: async ({ signal }) =>
      (
        await readItems(
          comments,
          {
            fields: [
              'id',
              'comment',
              'date_created',
              'date_updated',
              'user_created.id',
              'user_created.first_name',
              'user_created.last_name',
              'user_created.email',
            ],
            filter: { _and: [{ collection: { _eq: collection.collection } }, { item: { _eq: itemKey } }] },
            sort: ['date_created'],
            limit: 200,
          },
          signal,
        )
      ).data as readonly unknown[] as readonly Comment[],
  })
  const act = async (work: Promise<unknown>): Promise<boolean> => {
    setError(null)
    try {
      await work
      await queries.invalidateQueries({ queryKey })
      return true
    } catch (refusal) {
      setError(messageOf(refusal))
      return false
    }
  }
  const add = async () => {
    const comment = typed.trim()
    if (comment === '') return
    if (await act(createItem(comments, { collection: collection.collection, item: itemKey, comment }))) setTyped('')
  }
  if (!mayRead) return <p className={styles['none']}>You may not read comments. Ask an administrator.</p>
  if (found.error !== null) return <Failure error={found.error} onRetry={() => void found.refetch()} />
  if (found.data === undefined) return <Skeleton lines={4} />
  return (
    <>
      {found.data.length === 0 ? <p className={styles['none']}>Nobody has said anything yet.</p> : null}
      <ul className={styles['entries']}>
        {found.data.map((each) => (
          <CommentEntry
            key={each.id}
            comment={each}
            isLocked={isViewedAs}
            onChange={(comment) => act(updateItem(comments, each.id, { comment }))}
            onDelete={() => void act(deleteItem(comments, each.id))}
          />
        ))}
      </ul>
      {error === null ? null : <Notice tone="danger">{error}</Notice>}
      {mayWrite ? (
        <form
          className={styles['write']}
          onSubmit={(event) => {
            event.preventDefault()
            void add()
          }}
        >
          <TextArea
            aria-label="Write a comment"
            placeholder="Write a comment"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
          <Button type="submit" disabled={typed.trim() === ''}>
            Comment
          </Button>
        </form>
      ) : (
        <p className={styles['none']}>
          {isViewedAs ? 'Nothing can be written while you see this as somebody else.' : 'You may not write comments.'}
        </p>
      )}
    </>
  )
}

interface CommentEntryProps {
  readonly comment: Comment
  readonly isLocked: boolean
  readonly onChange: (text: string) => Promise<boolean>
  readonly onDelete: () => void
}

function CommentEntry({ comment, isLocked, onChange, onDelete }: CommentEntryProps) {
  const { me } = useStart()
  const language = useLanguage()
  const [typed, setTyped] = useState<string | null>(null)
  const name = nameOfUser(comment.user_created)
  const isMine = comment.user_created?.['id'] === (me as { readonly id?: unknown } | null)?.id
  return (
    <li className={styles['entry']}>
      <Avatar name={name} size={22} />
      <div className={styles['what']}>
        <p className={styles['who']}>
          <strong>{name}</strong>{' '}
          {comment.date_created === null ? null : (
            <time dateTime={comment.date_created}>
              {new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(
                new Date(comment.date_created),
              )}
            </time>
          )}
          {comment.date_updated === null ? '' : ' · edited'}
        </p>
        {typed === null ? (
          <p className={styles['said']} dir="auto">
            {comment.comment}
          </p>
        ) : (
          <div className={styles['write']}>
            <TextArea
              autoFocus
              aria-label="Change the comment"
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
            <span>
              <Button
                kind="solid"
                disabled={typed.trim() === ''}
                onClick={() => void onChange(typed.trim()).then((isDone) => (isDone ? setTyped(null) : undefined))}
              >
                Save
              </Button>
              <Button kind="quiet" onClick={() => setTyped(null)}>
                Cancel
              </Button>
            </span>
          </div>
        )}
      </div>
      {isMine && !isLocked && typed === null ? (
        <span className={styles['own']}>
          <IconButton icon="pencil" size={13} label="Change your comment" onClick={() => setTyped(comment.comment)} />
          <IconButton icon="trash-2" size={13} label="Delete your comment" onClick={onDelete} />
        </span>
      ) : null}
    </li>
  )
}
