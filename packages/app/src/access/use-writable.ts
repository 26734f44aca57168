import { useSignal } from '../api/use-signal.ts'

/** Why nothing can be changed now; null: it can. */
export function useWhyNot(): string | null {
  const viewedAs = useSignal('viewedAs')
  return viewedAs === null ? null : `You see what ${viewedAs.name} sees. Stop that to change something.`
}
