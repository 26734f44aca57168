export const themes = ['light', 'dark', 'system'] as const
export type Theme = (typeof themes)[number]

/** Kept where begin.js finds it before anything is drawn. */
const PLACE = 'tain.theme'

export function chosenTheme(): Theme {
  const stored = localStorage.getItem(PLACE)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

export function chooseTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(PLACE)
  else localStorage.setItem(PLACE, theme)
  const isDark = theme === 'dark' || (theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset['theme'] = isDark ? 'dark' : 'light'
}

export const switchTheme = (): void =>
  chooseTheme(document.documentElement.dataset['theme'] === 'dark' ? 'light' : 'dark')
