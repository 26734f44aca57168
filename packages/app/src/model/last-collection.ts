const PLACE = 'tain.last-collection'

/** The collection that was opened last in this browser; null: none. */
export const lastCollection = (): string | null => localStorage.getItem(PLACE)

export const rememberCollection = (name: string): void => localStorage.setItem(PLACE, name)
