import { tokensOf, type Token } from './tokens.ts'
import {
  clauses,
  DISTINCT,
  grammarTypes,
  levelOf,
  MATCH,
  OTHER,
  reserved,
  syntax,
  typeWords,
  wordOperators,
} from './words.ts'

/** Text of an expression. `isWhole`: it can be the right side of an operator as it is. */
interface Written {
  readonly text: string
  readonly isWhole: boolean
}

const whole = (text: string): Written => ({ text, isWhole: true })
const open = (text: string): Written => ({ text, isWhole: false })
const inside = ({ text, isWhole }: Written): string => (isWhole ? text : `(${text})`)

const SYSTEM = 'pg_catalog.'
const operatorOf = (name: string) => `operator(${SYSTEM}${name === '!=' ? '<>' : name})`
const binary = (left: Written, operator: string, right: Written): Written =>
  open(`${left.text} ${operator} ${inside(right)}`)
const equal = operatorOf('=')

type IsEnd = (token: Token) => boolean

/**
 * Writes the schema of the system before every function, operator and type that has none. All operators with a schema
 * bind alike, so the order in which the others bind becomes parentheses. It reads what this service writes, not all of SQL.
 */
class Qualifier {
  private at = 0
  private readonly tokens: readonly Token[]

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens
  }

  statement(): string {
    const text = this.sequence(() => false)
    if (this.at < this.tokens.length) throw new SyntaxError(`"${this.peek()?.text}" closes nothing`)
    return text.trimStart()
  }

  private peek(ahead = 0): Token | undefined {
    return this.tokens[this.at + ahead]
  }

  private next(): Token {
    const token = this.tokens[this.at]
    if (token === undefined) throw new SyntaxError('the statement ends inside an expression')
    this.at += 1
    return token
  }

  private is(text: string, ahead = 0): boolean {
    const token = this.peek(ahead)
    return token !== undefined && token.kind !== 'quoted' && token.kind !== 'text' && token.text.toLowerCase() === text
  }

  private expect(text: string): string {
    if (!this.is(text)) throw new SyntaxError(`"${this.peek()?.text ?? 'the end'}" stands where "${text}" should`)
    return this.next().text
  }

  private isWord(ahead = 0): boolean {
    return this.peek(ahead)?.kind === 'word'
  }

  private isName(ahead = 0): boolean {
    const kind = this.peek(ahead)?.kind
    return kind === 'word' || kind === 'quoted'
  }

  private isClause(): boolean {
    const token = this.peek()
    if (token?.kind !== 'word') return false
    const word = token.text.toLowerCase()
    if ((word === 'left' || word === 'right') && this.is('(', 1)) return false
    if (reserved.has(word)) return true
    if (!clauses.has(word)) return false
    const after = this.peek(1)
    return after === undefined || !(after.kind === 'operator' || /^(?:\.|::|\[)$/u.test(after.text))
  }

  /** Clauses and expressions up to the end of the parentheses, or to a token that ends them. */
  private sequence(isEnd: IsEnd): string {
    let text = ''
    let isAfterOperand = false
    for (;;) {
      const token = this.peek()
      if (token === undefined || /^[)\]]$/u.test(token.text) || isEnd(token)) return text
      const { space } = token
      if (/^[,;:]$/u.test(token.text) || token.text === '=>') {
        text += `${space}${this.next().text}`
        isAfterOperand = false
      } else if (this.is('not') || this.isClause()) {
        text += `${space}${this.clause()}`
        isAfterOperand = false
      } else if (isAfterOperand && this.isName()) {
        text += `${space}${this.alias()}`
      } else {
        text += `${space}${this.expression(0).text}`
        isAfterOperand = true
      }
    }
  }

  private clause(): string {
    const word = this.next().text
    switch (word.toLowerCase()) {
      case 'as':
        return `${word}${this.afterAs()}`
      case 'with':
        return this.is('ordinality') ? word : `${word}${this.commonTables()}`
      case 'into':
        return `${word} ${this.names()}${this.is('(') ? ` ${this.verbatim()}` : ''}`
      case 'set':
        return `${word}${this.assignments()}`
      case 'using':
        // `join … using (column)` compares by an operator that cannot be named; a query after USING compares nothing.
        if (this.is('(') && !this.isQuery(1)) throw new SyntaxError('USING cannot name an operator')
        return word
      default:
        return word
    }
  }

  /** A name, the columns of a row, or a common table. */
  private afterAs(): string {
    const words = ['not', 'materialized'].flatMap((word) => (this.is(word) ? [` ${this.next().text}`] : [])).join('')
    if (!this.is('(')) return `${words} ${this.alias()}`
    return `${words} ${this.isQuery(1) ? this.group() : this.definitions()}`
  }

  private isQuery(ahead: number): boolean {
    return ['select', 'with', 'insert', 'update', 'delete', 'values'].some((word) => this.is(word, ahead))
  }

  private alias(): string {
    const name = this.next().text
    return this.is('(') ? `${name}${this.definitions()}` : name
  }

  private commonTables(): string {
    let text = this.is('recursive') ? ` ${this.next().text}` : ''
    for (;;) {
      text += ` ${this.alias()} ${this.expect('as')}${this.afterAs()}`
      if (!this.is(',')) return text
      text += this.next().text
    }
  }

  /** Columns with or without their types. */
  private definitions(): string {
    let text = this.expect('(')
    for (;;) {
      text += this.next().text
      if (!this.is(',') && !this.is(')')) text += ` ${this.type()}`
      if (this.is(')')) return `${text}${this.next().text}`
      text += `${this.expect(',')} `
    }
  }

  /** `a = x, b = y`: these signs are no operators. */
  private assignments(): string {
    let text = ''
    for (;;) {
      text += ` ${this.is('(') ? this.verbatim() : this.names()} ${this.expect('=')}`
      text += this.sequence((token) => token.text === ',' || this.isAfterAssignments())
      if (!this.is(',')) return text
      text += this.next().text
    }
  }

  private isAfterAssignments(): boolean {
    return this.is('from') || this.is('where') || this.is('returning')
  }

  /** Parentheses as they are. */
  private verbatim(): string {
    let text = ''
    let depth = 0
    do {
      const token = this.next()
      if (token.text === '(') depth += 1
      if (token.text === ')') depth -= 1
      text += text === '' ? token.text : `${token.space}${token.text}`
    } while (depth > 0)
    return text
  }

  private names(): string {
    let text = this.next().text
    while (this.is('.')) text += this.next().text + this.next().text
    return text
  }

  private group(isEnd: IsEnd = () => false): string {
    const text = `${this.expect('(')}${this.sequence(isEnd)}`
    return `${text}${this.peek()?.space ?? ''}${this.expect(')')}`
  }

  private expression(least: number): Written {
    let left = this.operand()
    for (;;) {
      const combined = this.combined(left, least)
      if (combined === null) return left
      left = combined
    }
  }

  /** The expression with the operator that follows; null: none does, or one that binds less. */
  private combined(left: Written, least: number): Written | null {
    const token = this.peek()
    if (token?.kind === 'operator') {
      const level = levelOf(token.text)
      if (level <= least || token.text === '=>') return null
      this.next()
      return binary(left, operatorOf(token.text), this.rightSide(level))
    }
    if (this.is('operator') && this.is('(', 1)) {
      if (OTHER <= least) return null
      this.next()
      return binary(left, `operator${this.verbatim()}`, this.rightSide(OTHER))
    }
    if (token?.kind !== 'word') return null
    return least < MATCH ? (this.matched(left) ?? (least < DISTINCT ? this.distinct(left) : null)) : null
  }

  private rightSide(level: number): Written {
    if (!['any', 'all', 'some'].some((word) => this.is(word)) || !this.is('(', 1)) return this.expression(level)
    return whole(`${this.next().text}${this.group()}`)
  }

  private matched(left: Written): Written | null {
    const isNegated = this.is('not')
    const word = this.peek(isNegated ? 1 : 0)?.text.toLowerCase() ?? ''
    const operators = wordOperators.get(word)
    if (operators === undefined && word !== 'in' && word !== 'between') return null
    this.at += isNegated ? 2 : 1
    if (operators !== undefined) return binary(left, operatorOf(operators[isNegated ? 1 : 0]), this.expression(MATCH))
    const test = word === 'in' ? this.among(left) : this.between(left)
    return isNegated ? whole(`(not ${test})`) : whole(`(${test})`)
  }

  private among(left: Written): string {
    const isQuery = ['select', 'with', 'values'].some((word) => this.is(word, 1))
    if (isQuery) return `${left.text} ${equal} any ${this.group()}`
    this.expect('(')
    // Literals take the type of the left side, which they would not do in an array.
    const tests = [binary(left, equal, this.expression(0)).text]
    while (this.is(',')) {
      this.next()
      tests.push(binary(left, equal, this.expression(0)).text)
    }
    this.expect(')')
    return `(${tests.join(' or ')})`
  }

  private between(left: Written): string {
    const from = this.expression(MATCH)
    this.expect('and')
    const to = this.expression(MATCH)
    return `(${binary(left, operatorOf('>='), from).text} and ${binary(left, operatorOf('<='), to).text})`
  }

  /** Other forms with IS name no operator. */
  private distinct(left: Written): Written | null {
    const negation = this.is('not', 1) ? 1 : 0
    if (!this.is('is') || !this.is('distinct', 1 + negation)) return null
    this.at += 3 + negation
    const right = this.expression(DISTINCT)
    const bothNull = `${inside(left)} is null and ${inside(right)} is null`
    const same = binary(left, equal, right).text
    return whole(
      negation === 1 ? `((${same}) is true or (${bothNull}))` : `((${same}) is not true and not (${bothNull}))`,
    )
  }

  private operand(): Written {
    const token = this.peek()
    if (token?.kind === 'operator') return this.prefixed()
    return this.followed(this.simple())
  }

  private prefixed(): Written {
    const sign = this.next().text
    if (sign === '*') return whole(sign)
    if (sign === '-' && this.peek()?.kind === 'number') return this.followed(whole(`-${this.next().text}`))
    return open(`${operatorOf(sign)} ${inside(this.operand())}`)
  }

  private simple(): Written {
    if (this.is('(')) return whole(this.group())
    if (this.is('case')) return whole(this.cases())
    if (this.is('nullif') && this.is('(', 1)) return whole(this.nullIf())
    if (this.is('array') && (this.is('[', 1) || this.is('(', 1)))
      return whole(`${this.next().text}${this.is('(') ? this.group() : this.subscript()}`)
    if (this.isWord() && this.peek(1)?.kind === 'text') return whole(`${this.type()} ${this.next().text}`)
    const isQuoted = this.peek()?.kind === 'quoted'
    if (!this.isName()) return whole(this.next().text)
    const first = this.at
    const name = this.names()
    if (!this.is('(')) return whole(name)
    if (name.toLowerCase() === 'unnest') return whole(this.unnest())
    const hasSchema = this.at > first + 1 || isQuoted
    const isFunction = !hasSchema && !syntax.has(name.toLowerCase())
    return whole(`${isFunction ? SYSTEM : ''}${name}${this.group()}`)
  }

  /** Casts, subscripts and the like after an operand. */
  private followed(operand: Written): Written {
    let { text } = operand
    for (;;) {
      if (this.is('::')) text += `${this.next().text}${this.type()}`
      else if (this.is('[')) text += this.subscript()
      else if (this.is('.')) text += this.next().text + this.next().text
      else if (this.is('collate')) text += ` ${this.next().text} ${this.ownOrSystem()}`
      else if (this.is('at') && this.is('time', 1) && this.is('zone', 2)) {
        this.at += 3
        text = `(${text} at time zone ${inside(this.operand())})`
      } else if ((this.is('filter') || this.is('over') || this.is('within')) && (this.is('(', 1) || this.is('(', 2))) {
        const words = this.is('within') ? `${this.next().text} ${this.next().text}` : this.next().text
        text += ` ${words} ${this.group()}`
      } else return { ...operand, text }
    }
  }

  private subscript(): string {
    const text = `${this.expect('[')}${this.sequence(() => false)}`
    return `${text}${this.expect(']')}`
  }

  /** Only without a schema it takes several lists. */
  private unnest(): string {
    const lists: string[] = []
    do {
      this.next()
      lists.push(`${SYSTEM}unnest(${this.expression(0).text})`)
    } while (this.is(','))
    this.expect(')')
    return lists.length === 1 ? lists.join('') : `rows from (${lists.join(', ')})`
  }

  private cases(): string {
    let text = this.next().text
    const isClosed: IsEnd = () => ['when', 'then', 'else', 'end'].some((word) => this.is(word))
    const selector = this.is('when') ? null : this.expression(0)
    while (!this.is('end')) {
      const isWhen = this.is('when')
      text += ` ${this.next().text}`
      if (isWhen && selector !== null) text += ` ${binary(selector, equal, this.expression(0)).text}`
      else text += this.sequence(isClosed)
    }
    return `${text} ${this.next().text}`
  }

  private nullIf(): string {
    this.at += 2
    const value = this.expression(0)
    this.expect(',')
    const missing = this.expression(0)
    this.expect(')')
    return `case when ${binary(value, equal, missing).text} then null else ${value.text} end`
  }

  private ownOrSystem(): string {
    const name = this.names()
    return name.includes('.') ? name : `${SYSTEM}${name}`
  }

  private type(): string {
    const first = this.peek()
    const isGrammar = first?.kind === 'word' && grammarTypes.has(first.text.toLowerCase())
    let text = isGrammar ? this.next().text : this.ownOrSystem()
    if (this.is('(')) text += this.verbatim()
    if (isGrammar)
      while (typeWords.has(this.peek()?.text.toLowerCase() ?? '')) {
        text += ` ${this.next().text}`
        if (this.is('(')) text += this.verbatim()
      }
    while (this.is('[') && this.is(']', 1)) text += this.next().text + this.next().text
    return text
  }
}

/** Statements that read or write rows. Others have no operators, or are not the service's own. */
const QUERY = /^\s*(?:select|with|insert|update|delete|declare|explain)\b/iu

export const qualified = (statement: string): string =>
  QUERY.test(statement) ? new Qualifier(tokensOf(statement)).statement() : statement
