/** The places somebody visited last, without their contents: the browser's own history knows the same. */
const MOST = 12

const placeOf = (user: string): string => `tain.recent.${user}`

export function recentPaths(user: string): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(placeOf(user)) ?? '[]')
    return Array.isArray(stored) ? stored.filter((each): each is string => typeof each === 'string') : []
  } catch {
    return []
  }
}

export function rememberPath(user: string, path: string): void {
  const paths = [path, ...recentPaths(user).filter((each) => each !== path)].slice(0, MOST)
  localStorage.setItem(placeOf(user), JSON.stringify(paths))
}
