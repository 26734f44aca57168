import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { ApiError } from '../../api/api-error.ts'
import { request } from '../../api/client.ts'
import { createItem, readItem, updateItem } from '../../api/items.ts'
import { checkDraft } from '../../form/check.ts'
import { clearedBy } from '../../form/conditions.ts'
import { afterSaving, compareWith, mergeInto, valuesOf, type Merge } from '../../form/draft.ts'
import type { DraftStore } from '../../form/draft-store.ts'
import { useDynamic } from '../../form/form.tsx'
import { flatFields } from '../../form/form-fields.ts'
import { forgetDrafts, keepDraft, type DraftPlace } from '../../form/recovery.ts'
import type { Collection } from '../../model/collection.ts'
import { collectionPath, itemRoute, keyOf, type Row } from '../../model/key.ts'
import { toast } from '../../ui/toasts.tsx'
import { errorsOf, noErrors, type SaveErrors } from './save-errors.ts'
import { itemQuery, type useItem } from './use-item.ts'

interface SaveInput {
  readonly collection: Collection
  readonly item: NonNullable<ReturnType<typeof useItem>['item']>
  readonly store: DraftStore
  readonly etag: string | null
  readonly setEtag: (etag: string | null) => void
  readonly place: DraftPlace
}

/** The row as somebody else left it, and where it differs from the draft. */
export interface FoundConflict extends Merge {
  readonly theirs: Row
  readonly etag: string | null
}

interface Answer {
  readonly data: Row
  readonly etag: string | null
}

interface Saving {
  /** Whether everything is saved. */
  readonly run: () => Promise<boolean>
  readonly settle: (chosenTheirs: ReadonlySet<string>) => Promise<boolean>
  readonly clear: () => void
  readonly isBusy: boolean
  readonly errors: SaveErrors
  readonly conflict: FoundConflict | null
}

/** Saves a draft: always against the version that was read, so that nobody's change is overwritten unseen. */
export function useSave({ collection, item, store, etag, setEtag, place }: SaveInput): Saving {
  const queries = useQueryClient()
  const dynamic = useDynamic()
  const [, go] = useLocation()
  const [isBusy, setBusy] = useState(false)
  const [errors, setErrors] = useState<SaveErrors>(noErrors)
  const [conflict, setConflict] = useState<FoundConflict | null>(null)
  const { read } = item
  const flat = flatFields(item.fields)
  const isNew = read.key === null

  // A save whose answer was lost is repeated under its name; everything else is a save of its own.
  const lost = useRef<{ readonly key: string; readonly sent: string } | null>(null)
  const nameOf = (patch: Row, version: string | null): string => {
    const sent = JSON.stringify([patch, version])
    if (lost.current?.sent !== sent) lost.current = { key: crypto.randomUUID(), sent }
    return lost.current.key
  }

  const send = async (version: string | null): Promise<Answer> => {
    const { patch } = store.draft()
    if (collection.singleton === true) return sendSingleton(collection, read.key, patch, version)
    const idempotencyKey = nameOf(patch, version)
    if (read.key !== null) return updateItem(collection, read.key, patch, { etag: version, idempotencyKey })
    const { data, etag: created } = await createItem(collection, patch, { idempotencyKey })
    return { data: data as Row, etag: created }
  }

  const done = ({ data, etag: next }: Answer, sent: Row): void => {
    const key = read.key ?? keyOf(collection, data)
    store.replace(afterSaving(store.draft(), sent, data))
    lost.current = null
    setErrors(noErrors)
    setConflict(null)
    forgetDrafts(sessionStorage, place)
    if (key !== null && read.key !== null) {
      setEtag(next)
      queries.setQueryData(itemQuery(collection, place.key).queryKey, { row: data, etag: next, key })
    }
    void queries.invalidateQueries({ queryKey: ['items'] })
    void queries.invalidateQueries({ queryKey: ['revisions', collection.collection, key] })
    toast(isNew ? 'Created.' : 'Saved.', { tone: 'good' })
    if (read.key === null && key !== null && collection.singleton !== true) {
      // What was typed while the row was created is offered on its page.
      keepDraft(sessionStorage, { ...place, key }, { ...store.draft(), etag: next, at: Date.now() })
      store.discardAll()
      go(itemRoute(collection.collection, key), { replace: true })
    }
  }

  const attempt = async (version: string | null, isAgain: boolean): Promise<boolean> => {
    try {
      const { patch } = store.draft()
      done(await send(version), patch)
      return true
    } catch (error) {
      if (!isLost(error)) lost.current = null
      const found = conflictOf(error)
      if (found === null) {
        setErrors(errorsOf(error, (name) => flat.some((each) => each.field.field === name)))
        return false
      }
      const merge = compareWith(store.draft(), found.theirs)
      if (merge.conflicts.length > 0 || isAgain) {
        setConflict({ ...merge, ...found })
        return false
      }
      store.replace(mergeInto(store.draft(), found.theirs, new Set()))
      setEtag(found.etag)
      if (merge.taken.length > 0) toast(`Changed elsewhere meanwhile and taken over: ${merge.taken.join(', ')}.`)
      return attempt(found.etag, true)
    }
  }

  const start = async (version: string | null): Promise<boolean> => {
    setBusy(true)
    try {
      return await attempt(version, false)
    } finally {
      setBusy(false)
    }
  }

  const run = async (): Promise<boolean> => {
    if (isBusy) return false
    for (const name of clearedBy(
      flat.map((each) => each.field),
      valuesOf(store.draft()),
      dynamic,
    ))
      store.change(name, null)
    const draft = store.draft()
    if (Object.keys(draft.patch).length === 0 && !isNew) return true
    const problems = new Map([...checkDraft(flat, draft, isNew, dynamic), ...store.problems()])
    if (problems.size > 0) {
      setErrors({ ...noErrors, fields: problems })
      return false
    }
    return start(etag)
  }

  const settle = async (chosenTheirs: ReadonlySet<string>): Promise<boolean> => {
    if (conflict === null) return false
    store.replace(mergeInto(store.draft(), conflict.theirs, chosenTheirs))
    setEtag(conflict.etag)
    setConflict(null)
    if (Object.keys(store.draft().patch).length > 0) return start(conflict.etag)
    toast('Nothing is left to save: the item is as somebody else left it.')
    return true
  }

  const clear = () => {
    setErrors(noErrors)
    setConflict(null)
  }
  return { run, settle, clear, isBusy, errors, conflict }
}

/** A singleton is changed without its key, where the service compares no version: it is compared here. */
async function sendSingleton(
  collection: Collection,
  key: string | null,
  patch: Row,
  version: string | null,
): Promise<Answer> {
  if (key !== null) {
    const { data, etag } = await readItem(collection, key, {})
    if (etag !== version)
      throw new ApiError(412, [
        {
          message: 'The item has changed since it was read.',
          extensions: { code: 'PRECONDITION_FAILED', current: data, etag },
        },
      ])
  }
  return request<Row>('PATCH', collectionPath(collection), { body: patch })
}

const isLost = (error: unknown): boolean => error instanceof ApiError && (error.isOffline || error.isOutcomeUnknown)

/** The row that a refusal for an old version carries. */
function conflictOf(error: unknown): { readonly theirs: Row; readonly etag: string | null } | null {
  if (!(error instanceof ApiError) || error.status !== 412) return null
  const { current, etag } = error.extensions
  if (typeof current !== 'object' || current === null) return null
  return { theirs: current as Row, etag: typeof etag === 'string' ? etag : null }
}
