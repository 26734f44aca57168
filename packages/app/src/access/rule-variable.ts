import { titleOf } from '../model/field.ts'
import { variableWords } from '../filter/words.ts'

const subjects: Readonly<Record<string, string>> = {
  $CURRENT_USER: 'the user',
  $CURRENT_ROLE: 'the user’s role',
  $CURRENT_ROLES: 'the user’s roles',
  $CURRENT_POLICIES: 'the user’s policies',
}

/** A variable of a rule in words; null: the value is none. Rules speak of whoever asks, not of who writes them. */
export function ruleVariable(value: unknown): string | null {
  if (typeof value !== 'string' || !value.startsWith('$')) return null
  const [name = '', ...path] = value.split('.')
  const subject = subjects[name]
  if (subject === undefined) return variableWords(value)
  return path.length === 0 ? subject : `${subject}’s ${path.map((part) => titleOf(part).toLowerCase()).join(' · ')}`
}
