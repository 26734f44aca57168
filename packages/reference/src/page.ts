// The page: loads the document of the caller, lists its operations, and shows the one that the address names.
import { operationsIn, resolverOf, type OpenApi, type Operation, type Resolve } from './document.ts'
import { element, frame } from './element.ts'
import { operationList } from './operation-list.ts'
import { operationView } from './operation-view.ts'
import { send, type Access } from './try-it.ts'

const DOCUMENT = '/server/specs/oas'

/** The page is two levels below the service, which may itself be below a path of a proxy. */
const service = new URL('..', location.href).href.replace(/\/$/u, '')
const [main, caller, token] = [frame('main', 'operation'), frame('p', 'caller'), frame('input', 'token')]

// The token stays in this page: it is stored nowhere.
let access: Access = { service, token: '' }
let operations: ReadonlyMap<string, Operation> = new Map()
let resolve: Resolve = resolverOf({})

const list = operationList(({ id }) => {
  location.hash = encodeURIComponent(id)
  main.focus({ preventScroll: true })
  main.scrollIntoView()
})

const welcome = () => [
  element('h2', {}, 'Choose an operation'),
  element(
    'p',
    {},
    'The list has what you may do, and nothing else. With a token it becomes the list of that token’s user. The token stays in this page.',
  ),
  ...([...operations.values()].some(({ tag }) => tag === 'items')
    ? []
    : [
        element('p', {}, 'No collection is open to you. Enter the token of a user at the top of the page, or sign in.'),
      ]),
  element('p', {}, 'In the search field, the arrow keys move through the list, and Enter opens an operation.'),
]

function showChosen(): void {
  const operation = operations.get(decodeURIComponent(location.hash.slice(1))) ?? null
  main.replaceChildren(...(operation === null ? welcome() : operationView(operation, resolve, () => access)))
  main.scrollTop = 0
  list.mark(operation)
  document.title = operation === null ? 'API reference' : `${operation.id} · API reference`
}

/** Whose document it is. */
async function callerText(): Promise<string> {
  const response = await send(access, '/users/me?fields=email')
  if (!response.ok) return access.token === '' ? 'What the public may do' : 'What this token may do'
  const { data } = (await response.json()) as { readonly data?: { readonly email?: string | null } | null }
  const email = data?.email ?? null
  return email === null ? 'What this token may do' : `What ${email} may do`
}

const refusalText = (text: string): string => {
  try {
    const { errors } = JSON.parse(text) as { readonly errors?: readonly { readonly message?: string }[] }
    return errors?.[0]?.message ?? text
  } catch {
    return text
  }
}

async function load(): Promise<void> {
  caller.classList.remove('failed')
  caller.textContent = 'Loading…'
  const response = await send(access, DOCUMENT)
  if (!response.ok) throw new Error(refusalText(await response.text()))
  const openApi = (await response.json()) as OpenApi
  const found = operationsIn(openApi)
  resolve = resolverOf(openApi)
  operations = new Map(found.map((operation) => [operation.id, operation]))
  list.show(found)
  showChosen()
  caller.textContent = await callerText()
}

async function loadOrTell(): Promise<void> {
  try {
    await load()
  } catch (error) {
    caller.classList.add('failed')
    caller.textContent = `The document could not be loaded: ${error instanceof Error ? error.message : String(error)}`
  }
}

frame('form', 'access').addEventListener('submit', (event) => {
  event.preventDefault()
  access = { service, token: token.value.trim() }
  void loadOrTell()
})
addEventListener('hashchange', showChosen)
await loadOrTell()
