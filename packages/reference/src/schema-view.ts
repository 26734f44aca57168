import { nameOfReference, type Resolve, type Schema } from './document.ts'
import { element, type Child } from './element.ts'

/** More members at once would make the page slow. */
const MOST = 200

/** In a few words: `integer or null`, `array of ItemsGoods`, `one of 3`. */
export function typeText(given: Schema, resolve: Resolve): string {
  const schema = resolve(given)
  const choices = schema.oneOf ?? schema.anyOf
  if (choices !== undefined)
    return choices.length > 3
      ? `one of ${choices.length}`
      : [...new Set(choices.map((choice) => nameOfReference(choice) ?? typeText(choice, resolve)))].join(' or ')
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const types = [schema.type ?? 'anything'].flat()
  const words = types.map((type) => {
    if (type === 'array' && schema.items !== undefined)
      return `list of ${nameOfReference(schema.items) ?? typeText(schema.items, resolve)}`
    return schema.format !== undefined && type === 'string' ? schema.format : type
  })
  const length = schema.maxLength === undefined ? '' : `, at most ${schema.maxLength} characters`
  return `${words.join(' or ')}${length}`
}

type Part = readonly [name: string, schema: Schema, isRequired: boolean]

/** What can be opened below a schema. */
function partsOf(given: Schema, resolve: Resolve): readonly Part[] {
  const schema = resolve(given)
  const choices = schema.oneOf ?? schema.anyOf
  if (choices !== undefined)
    return choices
      .filter((choice) => partsOf(choice, resolve).length > 0)
      .map((choice) => [nameOfReference(choice) ?? 'another form', choice, false] as const)
  if (schema.properties !== undefined)
    return Object.entries(schema.properties).map(
      ([name, value]) => [name, value, schema.required?.includes(name) === true] as const,
    )
  return schema.items === undefined || Object.keys(schema.items).length === 0 ? [] : partsOf(schema.items, resolve)
}

/** A member. What is below it is made when it is opened, since rows refer to each other in circles. */
function memberView([name, schema, isRequired]: Part, resolve: Resolve): HTMLElement {
  const type = `${typeText(schema, resolve)}${isRequired ? ', required' : ''}`
  const note = resolve(schema).description
  const line: Child[] = [element('code', {}, name), element('span', { class: 'type' }, type)]
  if (note !== undefined) line.push(element('span', { class: 'type' }, note))
  const parts = partsOf(schema, resolve)
  if (parts.length === 0) return element('div', { class: 'leaf' }, ...line)
  return opening(element('summary', {}, ...line), () => membersView(parts, resolve))
}

function opening(summary: HTMLElement, make: () => Node): HTMLElement {
  const details = element('details', {}, summary)
  details.addEventListener('toggle', () => details.append(make()), { once: true })
  return details
}

function membersView(parts: readonly Part[], resolve: Resolve): HTMLElement {
  const inner = element('div', { class: 'inner' }, ...parts.slice(0, MOST).map((part) => memberView(part, resolve)))
  const rest = parts.slice(MOST)
  if (rest.length > 0)
    inner.append(opening(element('summary', {}, `${rest.length} more`), () => membersView(rest, resolve)))
  return inner
}

/** A schema, closed. */
export function schemaView(title: string, schema: Schema, resolve: Resolve): HTMLElement {
  const line = [title, element('span', { class: 'type' }, typeText(schema, resolve))]
  const parts = partsOf(schema, resolve)
  const view =
    parts.length === 0
      ? element('div', { class: 'leaf' }, ...line)
      : opening(element('summary', {}, ...line), () => membersView(parts, resolve))
  return element('div', { class: 'schema' }, view)
}
