import { expect, test } from 'vitest'
import { placeOfShare } from './statistics-place.ts'

/** 1,000 rows: a fifth below 10, half are 10, a tenth between 10 and 20, the others null. */
const statistics = {
  rows: 1000,
  knots: [
    { text: '1', below: 0, equal: 0 },
    { text: '10', below: 0.2, equal: 0.5 },
    { text: '20', below: 0.8, equal: 0 },
  ],
}

test.each([
  [0, false, { text: '1', offset: 0 }],
  [0.1, false, { text: '1', offset: 100 }],
  [0.2, false, { text: '10', offset: 0 }],
  [0.6, false, { text: '10', offset: 400 }],
  [0.8, false, { text: '20', offset: 0 }],
  [0.2, true, { text: '20', offset: 0 }],
  [0.25, true, { text: '20', offset: 50 }],
  [0.31, true, { text: '10', offset: 10 }],
  [0.5, true, { text: '10', offset: 200 }],
  [1, true, { text: '1', offset: 0 }],
  [0.1, true, null],
])('the share %f, descending: %s', (share, isDescending, place) => {
  expect(placeOfShare(statistics, share, isDescending)).toEqual(place)
})
