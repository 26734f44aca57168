import { plainName, tokensOf } from './sql-tokens.ts'

const BIT = `(?:0|1|true|false|'0'|'1')`
const LOW = `(?:0|false|'0')`
const HIGH = `(?:1|true|'1')`

const values = [
  `it in ${BIT}(?: , ${BIT})*`,
  `it = ${BIT}(?: or it = ${BIT})*`,
  `it between ${LOW} and ${HIGH}`,
  `it >= ${LOW} and it <= ${HIGH}`,
  `it <= ${HIGH} and it >= ${LOW}`,
].join('|')

const pattern = new RegExp(`^(?:it is null or )?(?:${values})(?: or it is null)?$`, 'u')

const operators = new Map([
  ['> =', '>='],
  ['< =', '<='],
  ['= =', '='],
])

/** Whether the condition of a CHECK allows a column no values but 0, 1 and NULL. Conditions in other words do not count. */
export function allowsFlagOnly(condition: string, column: string): boolean {
  const words = tokensOf(condition).flatMap(({ text }) => {
    if (text === '(' || text === ')') return []
    const isText = text.startsWith("'")
    return [!isText && plainName(text).toLowerCase() === column.toLowerCase() ? 'it' : text.toLowerCase()]
  })
  const written = words.join(' ').replaceAll(/[<>=] =/gu, (two) => operators.get(two) ?? two)
  return pattern.test(written)
}
