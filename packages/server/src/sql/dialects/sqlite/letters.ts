/** Folds case letter by letter, as databases do: no letter becomes two, and neighbouring letters do not matter. */
export function lowerCase(text: string): string {
  if (!/[^\0-\u007f]/u.test(text)) return text.toLowerCase()
  let folded = ''
  for (const letter of text) {
    const [first = letter] = letter.toLowerCase()
    folded += first
  }
  return folded
}
