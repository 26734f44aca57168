import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

/** A response, with the request that led to it. */
export interface Exchange {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly type: string
  readonly text: string
}

type Node = Readonly<Record<string, unknown>>

/** An OpenAPI document that exchanges are compared with. */
export interface Described {
  readonly find: (method: string, path: string) => string | null
  readonly at: (pointer: string) => unknown
  readonly validator: (pointer: string) => ValidateFunction
}

export const UNDESCRIBED = 'not described'

const escaped = (part: string) => part.replaceAll('~', '~0').replaceAll('/', '~1')

/** ajv leaves out properties of this name, so a column that has it gets another one, in schemas as in values. */
const parsed = (text: string): unknown => JSON.parse(text.replaceAll('"__proto__"', '"a column called proto"'))

export function describedBy(text: string): Described {
  const document = parsed(text) as { readonly paths: Readonly<Record<string, Node>> }
  // A column may be called like a member that every object inherits.
  const ajv = new Ajv2020({ strict: false, validateFormats: true, ownProperties: true, logger: false })
  ;(formats as unknown as (ajv: Ajv2020) => void)(ajv)
  ajv.addSchema(document, 'document')
  const templates = Object.keys(document.paths).map((path) => ({ path, parts: path.split('/') }))
  const validators = new Map<string, ValidateFunction>()
  const at = (pointer: string): unknown => {
    let node: unknown = document
    for (const part of pointer.split('/').slice(1)) {
      node = (node as Node | undefined)?.[part.replaceAll('~1', '/').replaceAll('~0', '~')]
      const to = (node as Node | undefined)?.['$ref']
      if (typeof to === 'string') node = at(to.slice(1))
    }
    return node
  }
  return {
    at,
    find(method, path) {
      const parts = path.split('/').map((part) => decodeURIComponent(part))
      const isSame = (template: readonly string[]) =>
        template.length === parts.length &&
        template.every((part, index) => part.startsWith('{') || decodeURIComponent(part) === parts[index])
      const fitting = templates.filter((each) => isSame(each.parts))
      const best = fitting.toSorted((a, b) => a.path.split('{').length - b.path.split('{').length)[0]
      if (best === undefined) return null
      const item = `/paths/${escaped(best.path)}`
      for (const place of [method.toLowerCase(), `x-additionalOperations/${method}`])
        if (at(`${item}/${place}`) !== undefined) return `${item}/${place}`
      return null
    },
    validator(pointer) {
      const found = validators.get(pointer)
      if (found !== undefined) return found
      const schema = at(pointer) as Node
      const made = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')) as Node)
      validators.set(pointer, made)
      return made
    },
  }
}

const whyNot = ({ errors }: ValidateFunction) =>
  errors?.map(({ instancePath, message }) => `${instancePath} ${message}`).join('; ')

/** Why a response is not as described; null: it is. */
export function mismatch({ method, path, status, type, text }: Exchange, described: Described): string | null {
  const operation = described.find(method, path)
  if (operation === null) return UNDESCRIBED
  const responses = described.at(`${operation}/responses`) as Node
  const name = Object.hasOwn(responses, String(status)) ? String(status) : 'default'
  if (name === 'default' && status < 400) return `status ${status} is not described`
  const content = described.at(`${operation}/responses/${name}/content`) as Node | undefined
  if (text === '') return null
  const media = type.split(';')[0] ?? ''
  if (content === undefined || !Object.hasOwn(content, media)) return `status ${status}: ${media} is not described`
  const validate = described.validator(`${operation}/responses/${name}/content/${escaped(media)}/schema`)
  return validate(/json/u.test(media) ? parsed(text) : text) ? null : `status ${status}: ${whyNot(validate)}`
}

/** Why the document forbids a body that the service accepted; null: it allows it. */
export function bodyMismatch(method: string, path: string, body: unknown, described: Described): string | null {
  const operation = described.find(method, path)
  if (operation === null) return UNDESCRIBED
  const pointer = `${operation}/requestBody/content/application~1json/schema`
  if (described.at(pointer) === undefined) return 'no body is described'
  const validate = described.validator(pointer)
  return validate(parsed(JSON.stringify(body))) ? null : `body: ${whyNot(validate)}`
}
