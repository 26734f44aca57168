export const strengths = ['weak', 'fair', 'good', 'strong'] as const
export type Strength = (typeof strengths)[number]

const common = ['password', 'passwort', 'qwerty', 'letmein', 'welcome', 'admin', 'secret', 'iloveyou', 'changeme']

/** Bits at which the next strength begins. */
const STEPS = [36, 52, 70] as const

/** A guess at how hard a password is to find: what repeats, runs on or is known by everybody counts little. */
export function strengthOf(password: string): Strength {
  const bits = countedLetters(password) * Math.log2(alphabetOf(password))
  return strengths[STEPS.filter((step) => bits >= step).length] ?? 'weak'
}

function countedLetters(password: string): number {
  let text = password.toLowerCase()
  for (const word of common) text = text.replaceAll(word, '\u0000')
  const letters = Array.from(text, (letter) => letter.codePointAt(0) ?? 0)
  const followed = letters.filter((letter, index) => {
    const step = letter - (letters[index - 1] ?? Number.NaN)
    return step === 0 || step === 1 || step === -1
  }).length
  const different = new Set(letters).size
  return Math.min(letters.length - followed * 0.75, different * 2)
}

function alphabetOf(password: string): number {
  const classes: readonly (readonly [RegExp, number])[] = [
    [/\p{Ll}/u, 26],
    [/\p{Lu}/u, 26],
    [/\d/u, 10],
    [/[^\p{L}\d]/u, 33],
    [/\P{ASCII}/u, 60],
  ]
  return Math.max(
    2,
    classes.reduce((sum, [pattern, size]) => (pattern.test(password) ? sum + size : sum), 0),
  )
}
