/** The rows that are checked, by their key. `isAll`: all that match the view, also those not loaded. */
export interface Selection {
  readonly isAll: boolean
  readonly keys: ReadonlySet<string>
}

export const noSelection: Selection = { isAll: false, keys: new Set() }

export const isEmpty = ({ isAll, keys }: Selection): boolean => !isAll && keys.size === 0

export const isChecked = ({ isAll, keys }: Selection, key: string | null): boolean =>
  isAll || (key !== null && keys.has(key))

/** Checks rows, or lets them go. Letting one go ends a selection of all: what is left is what is loaded. */
export function withChecked(
  { isAll, keys }: Selection,
  changed: readonly string[],
  isOn: boolean,
  loaded: readonly string[],
): Selection {
  const next = new Set(isAll && !isOn ? loaded : keys)
  for (const key of changed) {
    if (isOn) next.add(key)
    else next.delete(key)
  }
  return { isAll: isAll && isOn, keys: next }
}
