// The two ways in which a journey is made: with a mouse, and with the keyboard alone.
import type { Locator, Page } from 'playwright-core'

/** How a person uses controls. Journeys use pages only through it. */
export interface Hand {
  readonly kind: 'mouse' | 'keyboard'
  /** Presses a button, follows a link, chooses an option, switches a checkbox. */
  readonly press: (control: Locator) => Promise<void>
  /** Puts the focus on a control or a cell. */
  readonly reach: (control: Locator) => Promise<void>
  /** Replaces the content of a text field. */
  readonly write: (field: Locator, text: string) => Promise<void>
  /** Chooses an option of a native select by its text. */
  readonly select: (field: Locator, option: string) => Promise<void>
  readonly key: (keys: string) => Promise<void>
  readonly type: (text: string) => Promise<void>
}

const MOST_STEPS = 250

/** A switch is drawn by its label; the input itself lies below it. */
async function click(control: Locator): Promise<void> {
  await control.waitFor({ state: 'attached' })
  const label = control.and(control.page().locator('label input')).locator('xpath=ancestor::label[1]')
  await ((await label.count()) === 1 ? label : control).click()
}

export const mouseOf = (page: Page): Hand => ({
  kind: 'mouse',
  press: click,
  reach: (control) => control.click(),
  async write(field, text) {
    await field.click()
    await page.keyboard.press('Control+A')
    if (text === '') await page.keyboard.press('Delete')
    else await page.keyboard.insertText(text)
  },
  select: async (field, option) => void (await field.selectOption({ label: option })),
  key: (keys) => page.keyboard.press(keys),
  type: (text) => page.keyboard.type(text),
})

/** Where the focus is, seen from an element. */
type Place = 'here' | 'before' | 'after' | 'nowhere'

interface Found {
  readonly place: Place
  /** Arrow keys move between it and the neighbour that has the focus. */
  readonly isRoving: boolean
  readonly isTab: boolean
  readonly isCell: boolean
  /** What has the focus now. */
  readonly text: string
}

/** Runs in the page. A list that keeps the focus in its input marks the active option by its id. */
const look = (control: Locator): Promise<Found> =>
  control.evaluate((element) => {
    const { activeElement, body } = element.ownerDocument
    const option = activeElement?.getAttribute('aria-activedescendant') ?? ''
    const focus = (option === '' ? null : element.ownerDocument.getElementById(option)) ?? activeElement
    const isNowhere = focus === null || focus === body
    const isHere = !isNowhere && (activeElement === element || focus === element || element.contains(focus))
    // 2: the focus precedes the element
    const isBefore = !isNowhere && (element.compareDocumentPosition(focus) & 2) !== 0
    const place: Place = isNowhere ? 'nowhere' : isHere ? 'here' : isBefore ? 'before' : 'after'
    return {
      place,
      isRoving:
        element.matches('[role=option], [role^=menuitem]') ||
        (element.matches('[role=tab]') && focus?.closest('[role=tablist]') === element.closest('[role=tablist]')),
      isTab: element.matches('[role=tab]'),
      isCell: element.matches('[role=gridcell], [role=columnheader]'),
      text: (focus?.getAttribute('aria-label') ?? focus?.textContent ?? '').slice(0, 60),
    }
  })

interface CellPlaces {
  readonly row: number
  readonly column: number
  readonly activeRow: number
  readonly activeColumn: number
}

/** The place of a cell in its grid, and of the active one; null while the focus is elsewhere. */
const cellPlaces = (cell: Locator): Promise<CellPlaces | null> =>
  cell.evaluate((element) => {
    const grid = element.closest('[role=grid]')
    const focus = element.ownerDocument.activeElement
    const id = focus?.getAttribute('aria-activedescendant') ?? ''
    const active = id === '' ? null : element.ownerDocument.getElementById(id)
    if (grid === null || focus === null || active === null || !grid.contains(focus)) return null
    const numberOf = (each: typeof element | null, name: string) => Number(each?.getAttribute(name))
    return {
      row: numberOf(element.closest('[role=row]'), 'aria-rowindex'),
      column: numberOf(element, 'aria-colindex'),
      activeRow: numberOf(active.closest('[role=row]'), 'aria-rowindex'),
      activeColumn: numberOf(active, 'aria-colindex'),
    }
  })

export function keyboardOf(page: Page): Hand {
  const press = (keys: string) => page.keyboard.press(keys)

  async function reachCell(cell: Locator): Promise<void> {
    const grid = page.getByRole('grid').filter({ has: cell })
    if ((await cellPlaces(cell)) === null) await reach(grid)
    for (let step = 0; step < MOST_STEPS; step += 1) {
      const places = await cellPlaces(cell)
      if (places === null) throw new Error('the grid has no active cell')
      const { row, column, activeRow, activeColumn } = places
      if (row === activeRow && column === activeColumn) return
      if (row !== activeRow) await press(row > activeRow ? 'ArrowDown' : 'ArrowUp')
      else await press(column > activeColumn ? 'ArrowRight' : 'ArrowLeft')
    }
    throw new Error('the cell was not reached by arrow keys')
  }

  async function reach(control: Locator): Promise<void> {
    await control.waitFor()
    const seen: string[] = []
    for (let step = 0; step < MOST_STEPS; step += 1) {
      const { place, isRoving, isTab, isCell, text } = await look(control)
      if (place === 'here') return
      if (isCell) return reachCell(control)
      seen.push(text)
      const isForward = place !== 'after'
      if (!isRoving) await press(isForward ? 'Tab' : 'Shift+Tab')
      else if (isTab) await press(isForward ? 'ArrowRight' : 'ArrowLeft')
      else await press(isForward ? 'ArrowDown' : 'ArrowUp')
    }
    throw new Error(`${String(control)} was not reached; the focus was on: ${seen.slice(-12).join(' | ')}`)
  }

  return {
    kind: 'keyboard',
    async press(control) {
      await reach(control)
      const isToggle = await control.evaluate((element) =>
        element.matches('input[type=checkbox], input[type=radio], [role=checkbox], [role=switch]'),
      )
      await press(isToggle ? 'Space' : 'Enter')
    },
    reach,
    async write(field, text) {
      await reach(field)
      await press('Control+A')
      if (text === '') await press('Delete')
      else await page.keyboard.insertText(text)
    },
    async select(field, option) {
      await reach(field)
      // A closed select takes the option whose first letters are typed.
      await page.keyboard.type(option)
      const chosen = await field.evaluate((element) => {
        const [first] = (element as unknown as { selectedOptions: readonly { label: string }[] }).selectedOptions
        return first?.label ?? ''
      })
      if (chosen !== option) throw new Error(`typing “${option}” chose “${chosen}”`)
    },
    key: press,
    type: (text) => page.keyboard.type(text),
  }
}

export const handOf = { mouse: mouseOf, keyboard: keyboardOf } as const satisfies Record<
  Hand['kind'],
  (page: Page) => Hand
>

export const handKinds = Object.keys(handOf) as readonly Hand['kind'][]
