import { lazy, type ComponentType } from 'react'
import type { IconName } from '../ui/icon-names.ts'

/** Who may open a page. */
export type Audience = 'anybody' | 'signed in' | 'administrators'

/** The parts of the app that the rail on the left leads to. */
export const modules = {
  content: { label: 'Content', icon: 'database', path: '/', audience: 'signed in' },
  access: { label: 'Access', icon: 'shield-check', path: '/access/policies', audience: 'administrators' },
  activity: { label: 'Activity', icon: 'activity', path: '/activity', audience: 'signed in' },
  settings: { label: 'Settings', icon: 'settings', path: '/settings/project', audience: 'signed in' },
} as const satisfies Readonly<
  Record<
    string,
    { readonly label: string; readonly icon: IconName; readonly path: string; readonly audience: Audience }
  >
>

export type ModuleName = keyof typeof modules

export type PageProps = Readonly<Record<string, string | undefined>>

export interface Route {
  readonly path: string
  readonly title: string
  readonly audience: Audience
  /** Null: a page outside the frame, such as signing in. */
  readonly module: ModuleName | null
  readonly page: ComponentType<{ readonly params: PageProps }>
  /** Loads the page before it is opened. */
  readonly load: () => Promise<PageModule>
}

/** What the module of a page may export beside it. */
interface PageModule {
  /** Begins to read what the page shows first. */
  readonly prepare?: (params: PageProps, search: string) => Promise<unknown>
}

/** A page that is loaded when it is first opened: the module exports it by its name. */
function page<N extends string>(
  name: N,
  load: () => Promise<PageModule & Record<N, ComponentType<{ readonly params: PageProps }>>>,
) {
  return { page: lazy(async () => ({ default: (await load())[name] })), load }
}

const entry = { audience: 'anybody', module: null } as const
const content = { audience: 'signed in', module: 'content' } as const
const access = { audience: 'administrators', module: 'access' } as const

/** Components in every state, for development and tests: the published app is built without it. */
const gallery: readonly Route[] =
  import.meta.env.DEV || import.meta.env.VITE_GALLERY === 'true'
    ? [
        {
          path: '/dev/gallery',
          title: 'Components',
          ...entry,
          ...page('GalleryPage', () => import('../pages/gallery/gallery-page.tsx')),
        },
      ]
    : []

/** All pages, the first match wins. A screen is added by one folder in `pages` and one row here. */
export const routes: readonly Route[] = [
  {
    path: '/login',
    title: 'Sign in',
    ...entry,
    ...page('SignInPage', () => import('../pages/entry/sign-in-page.tsx')),
  },
  {
    path: '/reset-password',
    title: 'Set a new password',
    ...entry,
    ...page('ResetPage', () => import('../pages/entry/reset-page.tsx')),
  },
  {
    path: '/accept-invite',
    title: 'Accept the invitation',
    ...entry,
    ...page('InvitePage', () => import('../pages/entry/invite-page.tsx')),
  },
  { path: '/setup', title: 'Set up', ...entry, ...page('SetupPage', () => import('../pages/entry/setup-page.tsx')) },
  ...gallery,
  { path: '/', title: 'Content', ...content, ...page('HomePage', () => import('../pages/home/home-page.tsx')) },
  {
    path: '/c/:collection',
    title: 'Content',
    ...content,
    ...page('BrowsePage', () => import('../pages/browse/browse-page.tsx')),
  },
  {
    path: '/c/:collection/:key',
    title: 'Item',
    ...content,
    ...page('ItemPage', () => import('../pages/item/item-page.tsx')),
  },
  {
    path: '/access/policies',
    title: 'Policies',
    ...access,
    ...page('PoliciesPage', () => import('../pages/access/policies-page.tsx')),
  },
  {
    path: '/access/policies/:policy',
    title: 'Policy',
    ...access,
    ...page('PolicyPage', () => import('../pages/access/policy-page.tsx')),
  },
  {
    path: '/access/roles',
    title: 'Roles',
    ...access,
    ...page('RolesPage', () => import('../pages/access/roles-page.tsx')),
  },
  {
    path: '/access/users',
    title: 'Users',
    ...access,
    ...page('UsersPage', () => import('../pages/users/users-page.tsx')),
  },
  {
    path: '/access/public',
    title: 'Public',
    ...access,
    ...page('PublicPage', () => import('../pages/access/public-page.tsx')),
  },
  {
    path: '/access/tokens',
    title: 'Tokens',
    ...access,
    ...page('TokensPage', () => import('../pages/users/tokens-page.tsx')),
  },
  {
    path: '/access/explain',
    title: 'Explain',
    ...access,
    ...page('ExplainPage', () => import('../pages/access/explain-page.tsx')),
  },
  {
    path: '/users/:user',
    title: 'User',
    audience: 'signed in',
    module: 'access',
    ...page('UserPage', () => import('../pages/users/user-page.tsx')),
  },
  {
    path: '/activity',
    title: 'Activity',
    audience: 'signed in',
    module: 'activity',
    ...page('ActivityPage', () => import('../pages/activity/activity-page.tsx')),
  },
  {
    path: '/settings/:section',
    title: 'Settings',
    audience: 'signed in',
    module: 'settings',
    ...page('SettingsPage', () => import('../pages/settings/settings-page.tsx')),
  },
]

/** The pages of a module that are listed at its side. */
export const sideLinks: Readonly<
  Record<
    Exclude<ModuleName, 'content'>,
    readonly { readonly path: string; readonly label: string; readonly icon: IconName; readonly audience: Audience }[]
  >
> = {
  access: [
    { path: '/access/policies', label: 'Policies', icon: 'shield-check', audience: 'administrators' },
    { path: '/access/roles', label: 'Roles', icon: 'users-round', audience: 'administrators' },
    { path: '/access/users', label: 'Users', icon: 'users', audience: 'administrators' },
    { path: '/access/public', label: 'Public', icon: 'globe', audience: 'administrators' },
    { path: '/access/tokens', label: 'Tokens', icon: 'key-round', audience: 'administrators' },
    { path: '/access/explain', label: 'Explain', icon: 'shield-question-mark', audience: 'administrators' },
  ],
  activity: [{ path: '/activity', label: 'Activity', icon: 'activity', audience: 'signed in' }],
  settings: [
    { path: '/settings/project', label: 'Project', icon: 'settings', audience: 'administrators' },
    { path: '/settings/profile', label: 'Profile', icon: 'user', audience: 'signed in' },
    { path: '/settings/appearance', label: 'Appearance', icon: 'sun', audience: 'signed in' },
    { path: '/settings/about', label: 'About', icon: 'info', audience: 'signed in' },
  ],
}
