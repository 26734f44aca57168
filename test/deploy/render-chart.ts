// Renders the Helm chart where helm cannot be had: only what the templates use, and anything else is an error.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'

type Values = Readonly<Record<string, unknown>>

interface Text {
  readonly text: string
}
interface Block {
  readonly action: string
  readonly body: readonly Part[]
}
type Part = Text | Block

const OPENING = /^(?:if|with|range|define)\b/u

/** Splits a template into texts, and actions with the parts up to their `end`. */
function partsOf(template: string): readonly Part[] {
  const tokens = template
    .replaceAll(/\s*\{\{-/gu, '{{')
    .replaceAll(/-\}\}\s*/gu, '}}')
    .split(/(\{\{.*?\}\})/u)
  const read = (isInside: boolean): Part[] => {
    const parts: Part[] = []
    for (let token = tokens.shift(); token !== undefined; token = tokens.shift()) {
      const action = /^\{\{\s*(.*?)\s*\}\}$/u.exec(token)?.[1]
      if (action === undefined) parts.push({ text: token })
      else if (action === 'end') {
        if (!isInside) throw new Error('an end without a beginning')
        return parts
      } else parts.push({ action, body: OPENING.test(action) ? read(true) : [] })
    }
    if (isInside) throw new Error('a block without an end')
    return parts
  }
  return read(false)
}

export interface Release {
  readonly name: string
  readonly values: Values
}

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === false ||
  value === '' ||
  value === 0 ||
  (typeof value === 'object' && Object.keys(value).length === 0)

/** Of a function. */
class Name {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Scope = Readonly<Record<string, unknown>>

/** The documents of a release, by file. */
export function renderChart(folder: string, { name, values }: Release): ReadonlyMap<string, unknown> {
  const chart = parse(readFileSync(join(folder, 'Chart.yaml'), 'utf8')) as { appVersion: string }
  const root: Scope = { Values: values, Release: { Name: name }, Chart: { AppVersion: chart.appVersion } }
  const defined = new Map<string, readonly Part[]>()
  const files = readdirSync(join(folder, 'templates'))
  const templates = files.map((file) => [file, partsOf(readFileSync(join(folder, 'templates', file), 'utf8'))] as const)
  for (const [, parts] of templates)
    for (const part of parts) {
      const found = 'action' in part ? /^define "(.*)"$/u.exec(part.action)?.[1] : undefined
      if (found !== undefined && 'body' in part) defined.set(found, part.body)
    }

  const valueOf = (word: string, scope: Scope): unknown => {
    if (word === '.') return scope['.']
    if (/^\$\w/u.test(word)) return scope[word]
    let value: unknown = root
    for (const step of word.replace(/^\$?\./u, '').split('.')) {
      value = (value as Scope | undefined)?.[step]
      if (value === undefined) throw new Error(`there is no value ${word}`)
    }
    return value
  }

  const functions: Readonly<Record<string, (scope: Scope, ...given: unknown[]) => unknown>> = {
    include: (scope, name) => render(defined.get(String(name)) ?? missing(String(name)), scope),
    toYaml: (_, value) => stringify(value),
    print: (_, value) => String(value),
    quote: (_, value) => JSON.stringify(String(value)),
    nindent: (_, by, value) => `\n${String(value).trim()}`.replaceAll('\n', `\n${' '.repeat(Number(by))}`),
    default: (_, other, value) => (isEmpty(value) ? other : value),
    not: (_, value) => isEmpty(value),
    or: (_, ...given) => given.find((value) => !isEmpty(value)) ?? given.at(-1),
    eq: (_, one, other) => one === other,
    ne: (_, one, other) => one !== other,
    fail(_, reason) {
      throw new Error(String(reason))
    },
  }

  /** Functions are called with all that follows, and with what a pipe gives them. */
  const evaluate = (expression: string, scope: Scope): unknown => {
    const tokens = expression.match(/"[^"]*"|[()|]|[^\s()|]+/gu) ?? []
    const call = (words: readonly unknown[]): unknown => {
      const [name, ...given] = words
      if (!(name instanceof Name)) return name
      return (functions[name.text] ?? missing(name.text))(scope, ...given)
    }
    const readPipeline = (): unknown => {
      let words: unknown[] = []
      let piped: unknown[] = []
      const callWithPiped = () => call(words.concat(piped))
      for (let token = tokens.shift(); token !== undefined && token !== ')'; token = tokens.shift()) {
        if (token === '|') {
          piped = [callWithPiped()]
          words = []
        } else words.push(word(token))
      }
      return callWithPiped()
    }
    const word = (token: string): unknown => {
      if (token === '(') return readPipeline()
      if (token.startsWith('"')) return JSON.parse(token)
      if (/^\d+$/u.test(token)) return Number(token)
      return /^[.$]/u.test(token) ? valueOf(token, scope) : new Name(token)
    }
    return readPipeline()
  }

  const renderBlock = ({ action, body }: Block, scope: Scope): string => {
    const [word = '', ...rest] = action.split(' ')
    const expression = rest.join(' ')
    if (word === 'define') return ''
    if (word === 'if') return isEmpty(evaluate(expression, scope)) ? '' : render(body, scope)
    if (word === 'with') {
      const value = evaluate(expression, scope)
      return isEmpty(value) ? '' : render(body, { ...scope, '.': value })
    }
    if (word !== 'range') return String(evaluate(action, scope))
    const named = /^(\$\w+), (\$\w+) := (.*)$/u.exec(expression)
    if (named === null)
      return (evaluate(expression, scope) as unknown[]).map((each) => render(body, { ...scope, '.': each })).join('')
    const [, key = '', value = '', source = ''] = named
    return Object.entries(evaluate(source, scope) as Values)
      .map(([entry, each]) => render(body, { ...scope, [key]: entry, [value]: each }))
      .join('')
  }

  const render = (parts: readonly Part[], scope: Scope): string =>
    parts.map((part) => ('text' in part ? part.text : renderBlock(part, scope))).join('')

  const documents = templates
    .filter(([file]) => file.endsWith('.yaml'))
    .map(([file, parts]) => [file, parse(render(parts, { '.': root }), { strict: true }) as unknown] as const)
  return new Map(documents.filter(([, document]) => document !== null))
}

const missing = (name: string): never => {
  throw new Error(`the template uses ${name}, which is not known here`)
}
