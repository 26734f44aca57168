import { jsonOf, type Operation, type Parameter, type Resolve, type Response, type Schema } from './document.ts'
import { element } from './element.ts'
import { exampleOf } from './example.ts'
import { curlOf, type Asked } from './request.ts'
import { schemaView, typeText } from './schema-view.ts'
import { copy, tryIt, type Access } from './try-it.ts'

const kinds: Readonly<Record<string, string>> = {
  GET: 'read',
  SEARCH: 'read',
  QUERY: 'read',
  POST: 'write',
  PATCH: 'change',
  PUT: 'change',
  DELETE: 'danger',
}

export const methodView = (method: string): HTMLElement =>
  element('span', { class: `method ${kinds[method] ?? 'read'}` }, method)

type Input = HTMLInputElement | HTMLSelectElement

function inputFor({ name, required, schema = {} }: Parameter, id: string): Input {
  const choices = schema.enum ?? (schema.type === 'boolean' ? [true, false] : null)
  if (choices === null)
    return element('input', { id, name, required: required === true, autocomplete: 'off', spellcheck: 'false' })
  const options = ['', ...choices.map(String)].map((value) => element('option', { value }, value))
  return element('select', { id, name }, ...options)
}

interface Field {
  readonly parameter: Parameter
  readonly input: Input
  readonly view: HTMLElement
}

function fieldFor(parameter: Parameter, resolve: Resolve): Field {
  const { name, schema = {}, description, required } = parameter
  const id = `parameter-${parameter.in}-${name}`
  const input = inputFor(parameter, id)
  const type = `${typeText(schema, resolve)}${required === true ? ', required' : ''}`
  const label = element('label', { for: id }, element('code', {}, name), element('span', {}, type))
  const view = element('div', { class: 'field' }, label, input)
  if (description !== undefined) {
    view.append(element('p', { class: 'quiet', id: `${id}-note` }, description))
    input.setAttribute('aria-describedby', `${id}-note`)
  }
  return { parameter, input, view }
}

interface Form {
  readonly fields: readonly Field[]
  readonly body: HTMLTextAreaElement | null
  readonly dryRun: HTMLInputElement | null
}

const valuesIn = (fields: readonly Field[], place: Parameter['in']) =>
  Object.fromEntries(
    fields
      .filter(({ parameter }) => parameter.in === place)
      .map(({ parameter, input }) => [parameter.name, input.value]),
  )

function askedBy({ method, path }: Operation, { fields, body, dryRun }: Form, { token }: Access): Asked {
  return {
    method,
    path,
    inPath: valuesIn(fields, 'path'),
    inQuery: valuesIn(fields, 'query'),
    body: body === null || body.value.trim() === '' ? null : body.value,
    isDryRun: dryRun?.checked === true,
    hasToken: token !== '',
  }
}

const MOST_FIELDS = 6

const writes = new Set(['POST', 'PATCH', 'PUT', 'DELETE'])

/** Items can be written and rolled back, so that a reader may try a request without fear. */
const dryRunFor = ({ method, path }: Operation): HTMLInputElement | null =>
  writes.has(method) && path.startsWith('/items/')
    ? element('input', { type: 'checkbox', id: 'dry-run', checked: true })
    : null

function bodyFor({ described }: Operation, resolve: Resolve): HTMLTextAreaElement | null {
  const schema = jsonOf(described.requestBody?.content)
  if (schema === null) return null
  const text = JSON.stringify(exampleOf(schema, resolve), null, 2)
  const rows = String(Math.min(16, Math.max(4, text.split('\n').length + 1)))
  const made = element('textarea', { id: 'body', rows, spellcheck: 'false', 'aria-label': 'Body, as JSON' })
  made.value = text
  return made
}

/** Lists have many parameters, of which few are used often. These come first in the document; the others open on demand. */
function fieldsView(fields: readonly Field[]): readonly Node[] {
  const isNeeded = ({ parameter }: Field) => parameter.required === true
  const ordered = [...fields.filter(isNeeded), ...fields.filter((field) => !isNeeded(field))]
  const views = ordered.map(({ view }) => view)
  if (views.length <= MOST_FIELDS + 1) return views
  const rest = views.slice(MOST_FIELDS)
  const more = element('summary', {}, `${rest.length} more parameters`)
  return [...views.slice(0, MOST_FIELDS), element('details', { class: 'more' }, more, ...rest)]
}

/** The form with its button, and what it shows. */
function formView(operation: Operation, form: Form, access: () => Access): HTMLElement {
  const answer = element('div', { class: 'answer', 'aria-live': 'polite' })
  const command = element('pre', { tabindex: '0', role: 'region', 'aria-label': 'Command for curl' })
  const copying = element('button', { type: 'button' }, 'Copy')
  const button = element('button', { type: 'submit', class: 'main' }, 'Send')
  const actions = element('div', { class: 'actions' }, button)
  if (form.dryRun !== null)
    actions.append(element('label', { for: 'dry-run' }, form.dryRun, 'Roll back afterwards, so that nothing changes'))
  const made = element('form', { class: 'try', novalidate: false })
  made.append(...fieldsView(form.fields))
  if (form.body !== null) made.append(element('h3', {}, 'Body'), form.body)
  made.append(actions, answer, element('h3', {}, 'As a command'), command, copying)
  const renew = () => (command.textContent = curlOf(askedBy(operation, form, access()), access().service))
  made.addEventListener('input', renew)
  renew()
  copying.addEventListener('click', () => void copy(command.textContent ?? '', copying, command))
  made.addEventListener('submit', (event) => {
    event.preventDefault()
    renew()
    button.disabled = true
    void tryIt(askedBy(operation, form, access()), access(), answer).finally(() => {
      button.disabled = false
      answer.scrollIntoView({ block: 'nearest' })
    })
  })
  return made
}

function responsesView({ described }: Operation, resolve: Resolve): readonly Node[] {
  return Object.entries(described.responses ?? {}).map(([status, given]) => {
    const { description = '', content } = resolve<Response>(given)
    const schema: Schema | null = jsonOf(content)
    const title = `${status === 'default' ? 'otherwise' : status}: ${description}`
    return schema === null
      ? element('div', { class: 'schema' }, element('div', { class: 'leaf' }, title))
      : schemaView(title, schema, resolve)
  })
}

/** One operation: what it needs, what it returns, and a form to send it. */
export function operationView(operation: Operation, resolve: Resolve, access: () => Access): readonly Node[] {
  const { method, path, id, described } = operation
  const parameters = (described.parameters ?? []).map((each) => resolve<Parameter>(each))
  const fields = parameters
    .filter((each) => each.in === 'path' || each.in === 'query')
    .map((each) => fieldFor(each, resolve))
  const form = { fields, body: bodyFor(operation, resolve), dryRun: dryRunFor(operation) }
  const bodySchema = jsonOf(described.requestBody?.content)
  return [
    element('h2', {}, methodView(method), element('code', {}, path)),
    element('p', { class: 'quiet' }, 'Operation id: ', element('code', {}, id)),
    ...(described.description === undefined ? [] : [element('p', {}, described.description)]),
    element('h3', {}, fields.length === 0 ? 'Try it' : 'Parameters'),
    formView(operation, form, access),
    ...(bodySchema === null ? [] : [element('h3', {}, 'Schema of the body'), schemaView('body', bodySchema, resolve)]),
    element('h3', {}, 'Responses'),
    ...responsesView(operation, resolve),
  ]
}
