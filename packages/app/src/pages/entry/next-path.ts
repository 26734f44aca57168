const OUTSIDE = 'http://app.invalid'

/** Where to go after signing in: a path inside the app, and never back to the page that asks to sign in. */
export function nextPath(search: string): string {
  const next = new URLSearchParams(search).get('next')
  if (next === null || !next.startsWith('/') || !URL.canParse(next, OUTSIDE)) return '/'
  const { origin, pathname, search: query, hash } = new URL(next, OUTSIDE)
  if (origin !== OUTSIDE || pathname.startsWith('//') || pathname === '/login') return '/'
  return `${pathname}${query}${hash}`
}
