import { nearest } from '../lib/nearest.ts'

/** A variable of the environment that is no setting, and the setting that is nearly called so. */
export interface Misspelt {
  readonly name: string
  readonly meant: string
}

/** Most variables of an environment are other programs'. Short names are near to each other by chance. */
const LEAST_LENGTH = 5
const editsIn = (name: string): number => (name.length < 8 ? 1 : 2)

/** Storages have settings with names of their own, which are judged with the storages. */
const isElsewhere = (name: string): boolean => name.startsWith('STORAGE_')

export function misspeltIn(names: Iterable<string>, settings: ReadonlySet<string>): readonly Misspelt[] {
  return [...names].flatMap((name) => {
    const plain = name.replace(/_FILE$/u, '')
    if (plain.length < LEAST_LENGTH || settings.has(plain) || settings.has(name) || isElsewhere(name)) return []
    const meant = nearest(plain, settings, editsIn(plain))
    return meant === undefined ? [] : [{ name, meant: plain === name ? meant : `${meant}_FILE` }]
  })
}
