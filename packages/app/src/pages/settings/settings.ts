import { queryOptions } from '@tanstack/react-query'
import { get } from '../../api/client.ts'

/** The settings that this page changes; there are more, for other programs. */
export interface Settings {
  readonly project_name: string
  readonly project_descriptor: string | null
  readonly project_url: string | null
  readonly project_color: string
  readonly public_note: string | null
  readonly default_language: string
  readonly default_appearance: string
  readonly auth_login_attempts: number | null
  readonly auth_password_policy: string | null
  readonly public_registration: boolean
  readonly public_registration_verify_email: boolean
  readonly public_registration_role: string | null
  readonly public_registration_email_filter: Readonly<Record<string, unknown>> | null
}

export const settingNames = [
  'project_name',
  'project_descriptor',
  'project_url',
  'project_color',
  'public_note',
  'default_language',
  'default_appearance',
  'auth_login_attempts',
  'auth_password_policy',
  'public_registration',
  'public_registration_verify_email',
  'public_registration_role',
  'public_registration_email_filter',
] as const satisfies readonly (keyof Settings)[]

export const settingsQuery = queryOptions({
  queryKey: ['access', 'settings'],
  queryFn: async ({ signal }) => (await get<Settings>('/settings', { params: { fields: settingNames }, signal })).data,
})

export const settingsChanges = (saved: Settings, draft: Settings): Partial<Settings> =>
  Object.fromEntries(
    settingNames
      .filter((name) => JSON.stringify(saved[name]) !== JSON.stringify(draft[name]))
      .map((name) => [name, draft[name]]),
  )

/** Policies that are offered by name; any other pattern can be written. */
export const passwordPolicies = [
  { value: '', text: 'None' },
  { value: '^.{8,}$', text: 'At least 8 characters' },
  { value: '^.{12,}$', text: 'At least 12 characters' },
  {
    value: '^(?=.*[a-z])(?=.*[A-Z])(?=.*[0-9]).{10,}$',
    text: 'At least 10, with small and capital letters and digits',
  },
] as const
