import { useSuspenseQuery } from '@tanstack/react-query'
import { appStartQuery } from '../api/queries.ts'
import type { AppStart, Collection } from '../model/collection.ts'

/** The start of the app, which is loaded before anything is shown. */
export const useStart = (): AppStart => useSuspenseQuery(appStartQuery).data

/** A collection by its name; undefined: the caller may not see it, or it is not there. */
export const useCollection = (name: string): Collection | undefined =>
  useStart().collections.find((each) => each.collection === name)

export const useIsAdministrator = (): boolean => useStart().globals.admin_access === true

/** The language of labels: the user's own, else the project's. */
export function useLanguage(): string {
  const { me, project } = useStart()
  const language =
    (me as { language?: unknown } | null)?.language ?? (project as { default_language?: unknown }).default_language
  return typeof language === 'string' ? language : 'en-US'
}

/** How people call the signed-in user. */
export function nameOfUser(user: unknown): string {
  const { first_name, last_name, email } = (user ?? {}) as Readonly<Record<string, unknown>>
  const words = [first_name, last_name].filter((word): word is string => typeof word === 'string' && word !== '')
  if (words.length > 0) return words.join(' ')
  return typeof email === 'string' ? email : 'Somebody'
}
