import { expect, test } from 'vitest'
import { groupsFor, type Entry, type Offer } from './entries.ts'
import { candidate } from './match.ts'

const entry = (label: string): Entry => ({ id: label, label, icon: 'circle', run: () => undefined })
const named = (...labels: readonly string[]) => labels.map((label) => candidate(entry(label), [label]))

const offer: Offer = {
  recent: [entry('Orders 3')],
  collections: named('Orders', 'Order items', 'Categories', 'Customers'),
  commands: [
    { title: 'This page', candidates: named('Sort the rows') },
    { title: 'Actions', candidates: named('New item in Orders', 'Reload the data') },
    { title: 'Go to', candidates: named('Policies', 'Users') },
  ],
}

const shown = (typed: string) =>
  groupsFor(typed, offer).map(({ title, entries }) => `${title}: ${entries.map(({ label }) => label).join(', ')}`)

test('at first, what was open last comes before everything else', () => {
  expect(shown('')[0]).toBe('Recent: Orders 3')
  expect(shown('')).toContain('Collections: Orders, Order items, Categories, Customers')
})

test('the group with the best match comes first, and chance matches are left out', () => {
  expect(shown('or')).toEqual(['Collections: Orders, Order items', 'Actions: New item in Orders'])
})

test('a match inside a word counts where there is no better one', () => {
  expect(shown('tegor')).toEqual(['Collections: Categories'])
})

test('> offers commands only', () => {
  expect(shown('>')).toEqual([
    'This page: Sort the rows',
    'Actions: New item in Orders, Reload the data',
    'Go to: Policies, Users',
  ])
  expect(shown('> us')).toEqual(['Go to: Users'])
})
