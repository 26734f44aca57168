import { expect, test } from 'vitest'
import { createPlaces, holderOf } from './places.ts'

test('a process has so many places of a kind, and they become free again', () => {
  const places = createPlaces(10)
  const first = places.take(1, 'rest')
  expect(first).not.toBe(null)
  expect(places.take(1, 'rest')).toBe(null)
  expect(places.take(1, 'graphql')).not.toBe(null)
  first?.leave()
  first?.leave()
  expect(places.take(1, 'rest')).not.toBe(null)
  expect(places.count()).toBe(2)
})

test('a holder has so many places; who signs in as somebody else takes one of theirs', () => {
  const places = createPlaces(2)
  const take = (holder: string) => {
    const place = places.take(null, 'rest')
    return { place, isHeld: place?.hold(holder) }
  }
  const ana = holderOf('ana', '::1')
  const anybody = holderOf(null, '::1')
  expect([take(ana).isHeld, take(ana).isHeld, take(ana).isHeld]).toEqual([true, true, false])
  const stranger = take(anybody)
  expect(stranger.place?.hold(ana)).toBe(false)
  expect(stranger.place?.hold(anybody)).toBe(true)
  expect(stranger.place?.hold(holderOf('ben', '::1'))).toBe(true)
  expect([take(anybody).isHeld, take(anybody).isHeld]).toEqual([true, true])
})
