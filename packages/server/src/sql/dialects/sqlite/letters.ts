/** Letter by letter, as databases fold case: no letter becomes two, and none looks at its neighbours. */
export function lowerCase(text: string): string {
  if (!/[^\0-\u007f]/u.test(text)) return text.toLowerCase()
  let folded = ''
  for (const letter of text) {
    const [first = letter] = letter.toLowerCase()
    folded += first
  }
  return folded
}
