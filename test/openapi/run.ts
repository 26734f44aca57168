// npm run verify:openapi-responses [-- items,fields]
// Every response of the acceptance suite is compared with what the OpenAPI document of its caller says about it.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

interface Recorded {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly status: number
  readonly type: string
  readonly text: string
  readonly document: string
}

type Node = Readonly<Record<string, unknown>>

interface Described {
  readonly find: (method: string, path: string) => string | null
  readonly at: (pointer: string) => unknown
  readonly validator: (pointer: string) => ValidateFunction
}

const top = join(import.meta.dirname, '../..')
const SHOWN = 60
const UNDESCRIBED = 'not described'
const escaped = (part: string) => part.replaceAll('~', '~0').replaceAll('/', '~1')

function read(file: string): Described {
  const document = JSON.parse(readFileSync(file, 'utf8')) as { readonly paths: Readonly<Record<string, Node>> }
  const ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: true, logger: false })
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

/** Why a response is not as described; null: it is. */
function mismatch({ method, path, status, type, text }: Recorded, described: Described): string | null {
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
  if (validate(JSON.parse(text))) return null
  return `status ${status}: ${validate.errors?.map(({ instancePath, message }) => `${instancePath} ${message}`).join('; ')}`
}

const folder = mkdtempSync(join(tmpdir(), 'tain-openapi-'))
try {
  const hook = join(import.meta.dirname, 'hook.ts')
  const env = { ...process.env, OPENAPI_RECORDS: folder, NODE_OPTIONS: `--import=${hook}` }
  spawnSync(process.execPath, ['scripts/acceptance.ts', ...process.argv.slice(2)], { cwd: top, env, stdio: 'ignore' })
  const documents = new Map<string, Described>()
  const reasons = new Map<string, string[]>()
  const counts = { compared: 0, undescribed: 0, wrong: 0 }
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.jsonl')))
    for (const line of readFileSync(join(folder, file), 'utf8').split('\n').filter(Boolean)) {
      const recorded = JSON.parse(line) as Recorded
      const described = documents.get(recorded.document) ?? read(join(folder, recorded.document))
      documents.set(recorded.document, described)
      if (documents.size > 20) documents.delete([...documents.keys()][0]!)
      const why = mismatch(recorded, described)
      if (why === UNDESCRIBED) counts.undescribed += 1
      else counts.compared += 1
      if (why === null || why === UNDESCRIBED) continue
      counts.wrong += 1
      const key = `${recorded.method} ${recorded.path.replaceAll(/\d+|[\da-f]{8}-[\da-f-]{27}/gu, '…')}: ${why}`
      reasons.set(key, [...(reasons.get(key) ?? []), recorded.query])
    }
  for (const [why, queries] of [...reasons].slice(0, SHOWN))
    console.log(`${queries.length} × ${why}   ${decodeURIComponent(queries[0] ?? '').slice(0, 160)}`)
  console.log(
    `${counts.compared} responses compared, ${counts.wrong} mismatches; ${counts.undescribed} were not described`,
  )
  if (counts.wrong > 0 || counts.compared === 0) process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
