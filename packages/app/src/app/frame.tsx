import { useEffect, useState, type ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { useSignal } from '../api/use-signal.ts'
import { Avatar } from '../ui/chip.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Mark } from '../ui/mark.tsx'
import { Menu } from '../ui/menu.tsx'
import { PaletteHost } from './palette-host.tsx'
import { modules, type ModuleName } from './routes.ts'
import { Navigation } from './navigation.tsx'
import { signOut } from './session.ts'
import { SignInAgain } from './sign-in-again.tsx'
import { switchTheme } from './theme.ts'
import { endViewAs } from './view-as.ts'
import { nameOfUser, useIsAdministrator, useStart } from './use-start.ts'
import styles from './frame.module.css'

interface FrameProps {
  readonly module: ModuleName
  readonly children: ReactNode
}

/** What is around every page: the rail of modules, the navigation of one, and messages that concern the whole app. */
export function Frame({ module, children }: FrameProps) {
  const [isNavigationOpen, setNavigationOpen] = useState(false)
  const [path] = useLocation()
  useEffect(() => setNavigationOpen(false), [path])
  useEffect(() => {
    if (!isNavigationOpen) return
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setNavigationOpen(false)
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [isNavigationOpen])
  return (
    <div className={styles['frame']} data-navigation={isNavigationOpen || undefined}>
      <a className={styles['skip']} href="#work">
        Skip to content
      </a>
      <Rail module={module} />
      <Navigation module={module} />
      {isNavigationOpen ? (
        <button
          type="button"
          className={styles['scrim']}
          aria-label="Close the navigation"
          onClick={() => setNavigationOpen(false)}
        />
      ) : null}
      <main className={styles['sheet']} id="work" tabIndex={-1}>
        <Bars />
        <div className={styles['corner']}>
          <IconButton
            className={styles['toggle'] ?? ''}
            icon="menu"
            label="Open the navigation"
            aria-expanded={isNavigationOpen}
            onClick={() => setNavigationOpen(!isNavigationOpen)}
          />
        </div>
        {children}
      </main>
      <PaletteHost />
      <SignInAgain />
    </div>
  )
}

function Rail({ module }: { readonly module: ModuleName }) {
  const { me } = useStart()
  const isAdministrator = useIsAdministrator()
  const [, go] = useLocation()
  const name = nameOfUser(me)
  return (
    <nav className={styles['rail']} aria-label="Modules">
      <Mark />
      {Object.entries(modules).map(([id, { label, icon, path, audience }]) =>
        (audience === 'administrators' && !isAdministrator) || id === 'settings' ? null : (
          <RailLink key={id} label={label} path={path} isCurrent={module === id}>
            <Icon name={icon} size={18} />
          </RailLink>
        ),
      )}
      <span className={styles['grow']} />
      <IconButton icon="sun" label="Switch light and dark" size={18} onClick={switchTheme} />
      <RailLink
        label={modules.settings.label}
        path={isAdministrator ? modules.settings.path : '/settings/profile'}
        isCurrent={module === 'settings'}
      >
        <Icon name="settings" size={18} />
      </RailLink>
      <Menu
        label="Your account"
        placement="right top"
        trigger={(props) => (
          <button type="button" {...props} className={styles['person']} aria-label={`Account of ${name}`} title={name}>
            <Avatar name={name} size={28} />
          </button>
        )}
        entries={[
          { id: 'profile', label: 'Profile', icon: 'user', hint: name, run: () => go('/settings/profile') },
          { id: 'appearance', label: 'Appearance', icon: 'sun', run: () => go('/settings/appearance') },
          { id: 'out', label: 'Sign out', icon: 'log-out', run: () => void signOut() },
        ]}
      />
    </nav>
  )
}

interface RailLinkProps {
  readonly label: string
  readonly path: string
  readonly isCurrent: boolean
  readonly children: ReactNode
}

const RailLink = ({ label, path, isCurrent, children }: RailLinkProps) => (
  <Link
    href={path}
    className={styles['module']}
    aria-label={label}
    title={label}
    aria-current={isCurrent ? 'page' : undefined}
  >
    {children}
  </Link>
)

/** Lines above every page: no connection, reading as somebody else. */
function Bars() {
  const isConnected = useSignal('isConnected')
  const viewedAs = useSignal('viewedAs')
  const [, go] = useLocation()
  return (
    <>
      {viewedAs === null ? null : (
        <div className={styles['bar']} data-tone="warn" role="status">
          <Icon name="eye" />
          <span>
            You see what <strong>{viewedAs.name}</strong> sees. Nothing can be changed meanwhile.
          </span>
          <Button kind="plain" onClick={() => void endViewAs(go)}>
            Stop
          </Button>
        </div>
      )}
      {isConnected ? null : (
        <div className={styles['bar']} role="status">
          <Icon name="wifi-off" />
          <span>
            The service cannot be reached. What you typed is kept, and the page goes on by itself when the connection is
            back.
          </span>
        </div>
      )}
    </>
  )
}
