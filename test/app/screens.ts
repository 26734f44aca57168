// Every screen of the app, with what says that it is there.
import type { Kind } from './people.ts'

export interface Screen {
  readonly path: string
  /** The heading of the page. */
  readonly heading: string | RegExp
  /** Who finds it; others are told that they may not. */
  readonly isFor: readonly Kind[]
}

const everybody: readonly Kind[] = ['administrator', 'editor', 'viewer']
const staff: readonly Kind[] = ['administrator', 'editor']
const owners: readonly Kind[] = ['administrator']

export const screens: readonly Screen[] = [
  { path: '/c/products', heading: 'Products', isFor: everybody },
  { path: '/c/customers', heading: 'Customers', isFor: everybody },
  { path: '/c/orders', heading: 'Orders', isFor: staff },
  { path: '/c/orders?group=status', heading: 'Orders', isFor: staff },
  { path: '/c/order_items', heading: 'Order items', isFor: staff },
  { path: '/c/order_totals', heading: 'Order totals', isFor: staff },
  { path: '/c/products/1', heading: /\S/u, isFor: everybody },
  { path: '/c/customers/1', heading: /\S/u, isFor: everybody },
  { path: '/c/order_items/1,1', heading: /\S/u, isFor: staff },
  { path: '/c/customers/+', heading: 'New in Customers', isFor: staff },
  { path: '/access/policies', heading: 'Policies', isFor: owners },
  { path: '/access/roles', heading: 'Roles', isFor: owners },
  { path: '/access/users', heading: 'Users', isFor: owners },
  { path: '/access/public', heading: 'Public', isFor: owners },
  { path: '/access/tokens', heading: 'Tokens', isFor: owners },
  { path: '/access/explain', heading: 'Explain', isFor: owners },
  { path: '/activity', heading: 'Activity', isFor: everybody },
  { path: '/settings/project', heading: 'Project', isFor: owners },
  { path: '/settings/profile', heading: 'Profile', isFor: everybody },
  { path: '/settings/appearance', heading: 'Appearance', isFor: everybody },
  { path: '/settings/about', heading: 'About', isFor: everybody },
]

/** Screens that nobody has to sign in for. */
export const openScreens: readonly Pick<Screen, 'path' | 'heading'>[] = [
  { path: '/login', heading: /^Sign in/u },
  { path: '/login?forgot', heading: 'Set a new password' },
  { path: '/reset-password?token=x', heading: 'Choose a new password' },
  { path: '/accept-invite?token=x', heading: /^Welcome/u },
]
