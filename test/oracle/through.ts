/** The protocol of the requests. */
export type Through = 'rest' | 'graphql'

export const SPELLINGS: readonly Through[] = ['rest', 'graphql']

export function throughOf(text: string): Through {
  const found = SPELLINGS.find((name) => name === text)
  if (found === undefined) throw new Error(`--through is one of ${SPELLINGS.join(', ')}`)
  return found
}
