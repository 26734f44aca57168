/** A token that nobody guesses: 32 random bytes. */
export const newToken = (): string =>
  [...crypto.getRandomValues(new Uint8Array(32))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/** Addresses in a text, one on each line or with commas between, each once. */
export function addressesIn(text: string): {
  readonly addresses: readonly string[]
  readonly wrong: readonly string[]
} {
  const words = text
    .split(/[\s,;]+/u)
    .map((word) => word.replace(/^<|>$/gu, ''))
    .filter((word) => word !== '')
  const isAddress = (word: string) => /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/u.test(word)
  const seen = new Map(words.filter(isAddress).map((word) => [word.toLowerCase(), word]))
  return { addresses: [...seen.values()], wrong: words.filter((word) => word.includes('@') && !isAddress(word)) }
}
