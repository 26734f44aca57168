import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'wouter'
import { messageOf } from '../../api/api-error.ts'
import { useWhyNot } from '../../access/use-writable.ts'
import { useCollection, useIsAdministrator } from '../../app/use-start.ts'
import { may } from '../../model/collection.ts'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Menu, type MenuEntry } from '../../ui/menu.tsx'
import { toast } from '../../ui/toasts.tsx'
import { createPreset, deletePreset, presetsKey, updatePreset } from './presets.ts'
import {
  audienceOf,
  namedViews,
  openingView,
  ownersOf,
  presetOf,
  type Audience,
  type Preset,
  type Viewer,
} from './saved-views.ts'
import { useViewer } from './use-viewer.ts'
import type { View } from './use-view.ts'
import styles from './browse.module.css'

const ViewDialog = lazy(async () => ({ default: (await import('./view-dialog.tsx')).ViewDialog }))

interface ViewTabsProps {
  readonly collection: string
  readonly presets: readonly Preset[]
  readonly view: View
}

type Asked = 'new' | 'rename' | null

/** The saved views of a collection, and what can be done with the one that is open. */
export function ViewTabs({ collection, presets, view }: ViewTabsProps) {
  const [asked, setAsked] = useState<Asked>(null)
  const actions = useViewActions(collection, presets, view)
  const viewer = useViewer()
  const opening = openingView(presets)
  const mayWrite =
    viewer !== null && (view.preset === undefined || mayChange(view.preset, viewer, actions.isAdministrator))
  const kept = useCollection('service_presets')
  const whyNotKept =
    useWhyNot() ?? (kept !== undefined && may(kept, 'create') ? null : 'You may not keep views. Ask an administrator.')
  const whyNot = whyNotKept ?? (mayWrite ? null : 'This view belongs to others. Save it as a new one.')
  const unchanged = view.isChanged ? null : 'Nothing has changed.'
  const entries: readonly MenuEntry[] = [
    { id: 'save', label: 'Save changes', icon: 'save', whyNot: whyNot ?? unchanged, run: actions.save },
    { id: 'new', label: 'Save as a new view', icon: 'bookmark-plus', whyNot: whyNotKept, run: () => setAsked('new') },
    { id: 'reset', label: 'Discard changes', icon: 'undo-2', whyNot: unchanged, run: view.reset },
    ...(view.preset === undefined
      ? opening !== undefined && opening.user !== null
        ? [
            {
              id: 'plain',
              label: 'Forget my look',
              icon: 'rotate-ccw',
              whyNot: whyNotKept,
              run: () => actions.remove(opening),
            } as const,
          ]
        : []
      : [
          { id: 'rename', label: 'Rename or share', icon: 'pencil', whyNot, run: () => setAsked('rename') } as const,
          {
            id: 'delete',
            label: 'Delete this view',
            icon: 'trash-2',
            isDanger: true,
            whyNot,
            run: () => view.preset !== undefined && actions.remove(view.preset),
          } as const,
        ]),
  ]
  return (
    <nav className={styles['views']} aria-label="Views">
      <ViewLink
        label="All"
        isOwn={false}
        route={view.routeOf(null)}
        isCurrent={view.preset === undefined}
        view={view}
      />
      {namedViews(presets).map((preset) => (
        <ViewLink
          key={preset.id}
          label={preset.bookmark ?? ''}
          isOwn
          route={view.routeOf(preset.id)}
          isCurrent={preset.id === view.preset?.id}
          view={view}
        />
      ))}
      <Menu
        label="This view"
        trigger={(props) => <IconButton {...props} icon="chevron-down" size={14} label="Options of this view" />}
        entries={entries}
      />
      <IconButton
        data-command="save-view"
        icon="plus"
        size={15}
        label="Save as a new view"
        whyNot={whyNotKept}
        onClick={() => setAsked('new')}
      />
      {asked === null ? null : (
        <Suspense fallback={null}>
          <ViewDialog
            name={asked === 'rename' ? (view.preset?.bookmark ?? '') : ''}
            audience={asked === 'rename' && view.preset !== undefined ? audienceOf(view.preset) : 'mine'}
            hasRole={viewer !== null && viewer.role !== null}
            mayShare={actions.isAdministrator}
            isNew={asked === 'new'}
            onClose={() => setAsked(null)}
            onSave={asked === 'new' ? actions.create : actions.rename}
          />
        </Suspense>
      )}
    </nav>
  )
}

interface ViewLinkProps {
  readonly label: string
  readonly isOwn: boolean
  readonly route: string
  readonly isCurrent: boolean
  readonly view: View
}

const ViewLink = ({ label, isOwn, route, isCurrent, view }: ViewLinkProps) => (
  <Link href={route} className={styles['view']} aria-current={isCurrent ? 'page' : undefined}>
    <Icon name={isOwn ? 'bookmark' : 'rows-3'} size={14} />
    {label}
    {isCurrent && view.isChanged ? (
      <i className={styles['unsaved']} title="Not saved">
        <span className="visually-hidden">, not saved</span>
      </i>
    ) : null}
  </Link>
)

const mayChange = (preset: Preset, viewer: Viewer, isAdministrator: boolean): boolean =>
  isAdministrator || preset.user === viewer.id

function useViewActions(collection: string, presets: readonly Preset[], view: View) {
  const client = useQueryClient()
  const viewer = useViewer()
  const isAdministrator = useIsAdministrator()
  const attempt = async (work: () => Promise<string | null>, said: string) => {
    try {
      const route = await work()
      await client.invalidateQueries({ queryKey: presetsKey(collection) })
      if (route !== null) view.go(route)
      toast(said)
    } catch (error) {
      toast(messageOf(error), { tone: 'danger' })
    }
  }
  return {
    isAdministrator,
    save: () =>
      void attempt(async () => {
        const own = view.preset ?? presets.find(({ bookmark, user }) => bookmark === null && user === viewer?.id)
        if (own !== undefined) await updatePreset(own.id, presetOf(view.state, own))
        else if (viewer !== null)
          await createPreset({ ...presetOf(view.state), collection, bookmark: null, ...ownersOf('mine', viewer) })
        return view.routeOf(view.preset?.id ?? null)
      }, 'View saved.'),
    create: (name: string, audience: Audience) =>
      void attempt(async () => {
        if (viewer === null) return null
        const preset = await createPreset({
          ...presetOf(view.state),
          collection,
          bookmark: name,
          ...ownersOf(audience, viewer),
        })
        return view.routeOf(preset.id)
      }, `View "${name}" saved.`),
    rename: (name: string, audience: Audience) =>
      void attempt(async () => {
        if (view.preset !== undefined && viewer !== null)
          await updatePreset(view.preset.id, { bookmark: name, ...ownersOf(audience, viewer) })
        return null
      }, `View "${name}" saved.`),
    remove: (preset: Preset) =>
      void attempt(
        async () => {
          await deletePreset(preset.id)
          return view.routeOf(null)
        },
        preset.bookmark === null ? 'The list looks as it did at first.' : `View "${preset.bookmark}" deleted.`,
      ),
  }
}
