import type { ComponentType } from 'react'
import { Redirect } from 'wouter'
import type { PageProps } from '../../app/routes.ts'
import { useIsAdministrator } from '../../app/use-start.ts'
import { Empty } from '../../ui/feedback.tsx'
import type { IconName } from '../../ui/icon-names.ts'
import { PageHead } from '../../ui/page-head.tsx'
import { AboutSection } from './about-section.tsx'
import { AppearanceSection } from './appearance-section.tsx'
import { ProfileSection } from './profile-section.tsx'
import { ProjectSection } from './project-section.tsx'

interface SettingsRow {
  readonly title: string
  readonly icon: IconName
  readonly isForAdministrators?: true
  readonly page: ComponentType
}

const sections = {
  project: { title: 'Project', icon: 'settings', isForAdministrators: true, page: ProjectSection },
  profile: { title: 'Profile', icon: 'user', page: ProfileSection },
  appearance: { title: 'Appearance', icon: 'sun', page: AppearanceSection },
  about: { title: 'About', icon: 'info', page: AboutSection },
} as const satisfies Readonly<Record<string, SettingsRow>>

const rows: Readonly<Record<string, SettingsRow | undefined>> = sections

/** The settings of the project, and one's own. */
export function SettingsPage({ params }: { readonly params: PageProps }) {
  const row = rows[params['section'] ?? '']
  const isAdministrator = useIsAdministrator()
  if (row === undefined) return <Redirect replace to="/settings/profile" />
  if (row.isForAdministrators === true && !isAdministrator)
    return (
      <>
        <PageHead icon={row.icon} title={row.title} />
        <Empty icon="lock" title="This page is for administrators">
          Your own settings are under Profile and Appearance.
        </Empty>
      </>
    )
  const Page = row.page
  return <Page />
}
