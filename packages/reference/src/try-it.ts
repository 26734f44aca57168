import { element } from './element.ts'
import { addressOf, headersOf, type Asked } from './request.ts'

/** Longer bodies would make the page slow; curl shows all of them. */
const MOST_SHOWN = 100_000

/** How requests of this page reach the service, and as whom. */
export interface Access {
  /** Without a slash at its end. */
  readonly service: string
  /** Empty: the session of the browser, or nobody. */
  readonly token: string
}

interface Sent {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export const send = ({ service, token }: Access, path: string, init: Sent = {}): Promise<globalThis.Response> =>
  fetch(`${service}${path}`, {
    ...init,
    credentials: token === '' ? 'same-origin' : 'omit',
    headers: { ...init.headers, ...(token === '' ? {} : { authorization: `Bearer ${token}` }) },
  })

const sizeText = (characters: number) =>
  characters < 1000 ? `${characters} characters` : `${(characters / 1000).toFixed(1)} kB`

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

interface Refusal {
  readonly errors?: readonly { readonly message?: string; readonly extensions?: { readonly code?: string } }[]
}

/** What the service says about a refusal, in one line each. */
function reasonsIn(text: string): readonly string[] {
  try {
    const { errors = [] } = JSON.parse(text) as Refusal
    return errors.map(({ message = '', extensions }) => `${extensions?.code ?? 'ERROR'}: ${message}`)
  } catch {
    return []
  }
}

/** Sends what is asked for, and shows what came back. */
export async function tryIt(asked: Asked, access: Access, answer: HTMLElement): Promise<void> {
  const began = performance.now()
  try {
    const response = await send(access, addressOf(asked), {
      method: asked.method,
      headers: headersOf(asked),
      ...(asked.body === null ? {} : { body: asked.body }),
    })
    const text = await response.text()
    answer.replaceChildren(...shown(response, text, performance.now() - began))
  } catch (error) {
    answer.replaceChildren(
      element('p', { class: 'status failed' }, 'No response'),
      element('p', {}, `The service could not be reached: ${error instanceof Error ? error.message : String(error)}`),
    )
  }
}

function shown(response: globalThis.Response, text: string, milliseconds: number): readonly Node[] {
  const { status, statusText, ok, headers } = response
  const parts: Node[] = [
    element(
      'p',
      {},
      element('span', { class: ok ? 'status' : 'status failed' }, `${status} ${statusText}`.trim()),
      ` · ${Math.round(milliseconds)} ms · ${sizeText(text.length)}`,
    ),
    ...(ok ? [] : reasonsIn(text).map((reason) => element('p', { class: 'failed' }, reason))),
  ]
  const list = [...headers].map(([name, value]) => `${name}: ${value}`).join('\n')
  const body = pretty(text)
  if (body !== '')
    parts.push(element('pre', { tabindex: '0', role: 'region', 'aria-label': 'Body' }, body.slice(0, MOST_SHOWN)))
  if (body.length > MOST_SHOWN)
    parts.push(element('p', { class: 'quiet' }, `The first ${sizeText(MOST_SHOWN)} of ${sizeText(body.length)}.`))
  parts.push(
    element(
      'details',
      {},
      element('summary', {}, 'Headers'),
      element('pre', { tabindex: '0', role: 'region', 'aria-label': 'Headers' }, list),
    ),
  )
  return parts
}

/** Copies a text; where a browser does not allow that, the text is selected for the reader to copy. */
export async function copy(text: string, button: HTMLElement, source: HTMLElement): Promise<void> {
  const label = button.textContent ?? ''
  try {
    await navigator.clipboard.writeText(text)
    button.textContent = 'Copied'
    setTimeout(() => (button.textContent = label), 1500)
  } catch {
    getSelection()?.selectAllChildren(source)
  }
}
