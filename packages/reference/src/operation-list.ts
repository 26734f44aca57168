import type { Operation } from './document.ts'
import { element, frame } from './element.ts'
import { methodView } from './operation-view.ts'

/** As in the style sheet. */
const ROW = 32
/** Rows beyond the visible ones, so that scrolling does not show gaps. */
const MARGIN = 12

type Row = { readonly tag: string; readonly count: number } | { readonly operation: Operation }

export interface OperationList {
  readonly show: (operations: readonly Operation[]) => void
  /** Marks an operation and brings it into view. */
  readonly mark: (operation: Operation | null) => void
}

const isOperation = (row: Row | undefined): row is { readonly operation: Operation } =>
  row !== undefined && 'operation' in row

/** Operations with a row for each tag before them. */
function rowsOf(operations: readonly Operation[]): readonly Row[] {
  const byTag = Map.groupBy(operations, ({ tag }) => tag)
  return [...byTag].flatMap(([tag, own]) => [{ tag, count: own.length }, ...own.map((operation) => ({ operation }))])
}

/** Every word has to be somewhere in the method, the path or the id. */
function matching(operations: readonly Operation[], text: string): readonly Operation[] {
  const words = text.toLowerCase().split(/\s+/u).filter(Boolean)
  return words.length === 0 ? operations : operations.filter((each) => words.every((word) => each.words.includes(word)))
}

/** What the list shows now. */
interface Shown {
  all: readonly Operation[]
  rows: readonly Row[]
  marked: Operation | null
  /** The row that the keys have reached; -1: none. */
  active: number
}

const parts = () => ({ list: frame('div', 'list'), search: frame('input', 'search'), count: frame('p', 'count') })

type Parts = ReturnType<typeof parts>

function render({ list, search }: Parts, room: HTMLElement, { rows, marked, active }: Shown): void {
  const first = Math.max(0, Math.floor(list.scrollTop / ROW) - MARGIN)
  const last = Math.min(rows.length, Math.ceil((list.scrollTop + list.clientHeight) / ROW) + MARGIN)
  const views = rows.slice(first, last).map((row, index) => {
    const at = first + index
    const view = isOperation(row)
      ? optionView(row.operation, at, row.operation === marked, at === active)
      : tagView(row)
    view.style.top = `${at * ROW}px`
    return view
  })
  room.style.height = `${rows.length * ROW}px`
  room.replaceChildren(...views)
  if (active >= 0) search.setAttribute('aria-activedescendant', `operation-${active}`)
  else search.removeAttribute('aria-activedescendant')
}

function reveal({ list }: Parts, at: number): void {
  const top = at * ROW
  if (top < list.scrollTop + ROW) list.scrollTop = Math.max(0, top - ROW)
  else if (top + ROW > list.scrollTop + list.clientHeight) list.scrollTop = top + ROW - list.clientHeight
}

/** The next row with an operation in this direction, or the same one. */
function nextOf({ rows, active }: Shown, step: number): number {
  let at = active + step
  while (rows[at] !== undefined && !isOperation(rows[at])) at += step
  return isOperation(rows[at]) ? at : active
}

/** A list of any length: only the rows on the screen are in the page. The keys work in the search field. */
export function operationList(choose: (operation: Operation) => void): OperationList {
  const frames = parts()
  const { list, search, count } = frames
  const room = element('div', { class: 'room', role: 'presentation' })
  list.replaceChildren(room)
  const shown: Shown = { all: [], rows: [], marked: null, active: -1 }
  const renew = () => render(frames, room, shown)
  const chooseAt = (at: number) => {
    const row = shown.rows[at]
    if (isOperation(row)) choose(row.operation)
  }
  const moveTo = (at: number) => {
    shown.active = at
    if (at >= 0) reveal(frames, at)
    renew()
  }
  const filter = () => {
    const found = matching(shown.all, search.value)
    shown.rows = rowsOf(found)
    count.textContent = `${found.length.toLocaleString('en')} of ${shown.all.length.toLocaleString('en')} operations`
    list.scrollTop = 0
    moveTo(-1)
  }
  list.addEventListener('scroll', () => requestAnimationFrame(renew), { passive: true })
  addEventListener('resize', renew)
  search.addEventListener('input', filter)
  search.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown') moveTo(nextOf(shown, 1))
    else if (event.key === 'ArrowUp') moveTo(nextOf(shown, -1))
    else if (event.key === 'Enter') chooseAt(shown.active)
    else return
    event.preventDefault()
  })
  room.addEventListener('click', ({ target }) => {
    const option = (target as Element).closest('[role=option]')
    chooseAt(Number(option?.getAttribute('data-row') ?? -1))
  })
  return {
    show: (operations) => {
      shown.all = operations
      filter()
    },
    mark: (operation) => {
      shown.marked = operation
      moveTo(shown.rows.findIndex((row) => isOperation(row) && row.operation === operation))
    },
  }
}

const tagView = ({ tag, count }: Exclude<Row, { readonly operation: Operation }>): HTMLElement =>
  element('div', { class: 'row tag', role: 'presentation' }, `${tag} (${count.toLocaleString('en')})`)

const optionView = ({ method, path, id }: Operation, at: number, isMarked: boolean, isActive: boolean): HTMLElement =>
  element(
    'div',
    {
      class: `row${isActive ? ' active' : ''}`,
      role: 'option',
      id: `operation-${at}`,
      'data-row': String(at),
      'aria-selected': String(isMarked),
      title: `${path} (${id})`,
    },
    methodView(method),
    element('code', {}, path),
  )
