import { describe, expect, test } from 'vitest'
import { decide } from './asset-conditions.ts'

const modified = new Date('2026-01-31T12:00:00.700Z')
const content = { tag: '"abc"', modified, size: 10, hasRanges: true }
const at = (seconds: number) => new Date(modified.getTime() + seconds * 1000).toUTCString()

describe('what the client already has is not sent again', () => {
  test.each([
    [{ 'if-none-match': '"abc"' }, 304],
    [{ 'if-none-match': 'W/"abc"' }, 304],
    [{ 'if-none-match': '"x", "abc"' }, 304],
    [{ 'if-none-match': '*' }, 304],
    [{ 'if-none-match': '"x"' }, 200],
    [{ 'if-none-match': '"a,b"' }, 200],
    [{ 'if-none-match': 'abc' }, 200],
    [{ 'if-modified-since': at(0) }, 304],
    [{ 'if-modified-since': at(60) }, 304],
    [{ 'if-modified-since': at(-1) }, 200],
    [{ 'if-modified-since': 'yesterday' }, 200],
    [{ 'if-none-match': '"x"', 'if-modified-since': at(60) }, 200],
    [{ 'if-none-match': '"abc"', 'if-modified-since': at(-60) }, 304],
    [{ 'if-none-match': '"abc"', range: 'bytes=0-1' }, 304],
  ])('%j: %i', (headers, status) => expect(decide(headers, content)).toMatchObject({ status }))
})

describe('a part is sent if it is one of this content', () => {
  test.each([
    [{}, 206],
    [{ 'if-range': '"abc"' }, 206],
    [{ 'if-range': 'W/"abc"' }, 200],
    [{ 'if-range': '"x"' }, 200],
    [{ 'if-range': at(0) }, 206],
    [{ 'if-range': at(1) }, 200],
    [{ 'if-range': 'nonsense' }, 200],
  ])('%j: %i', (headers, status) =>
    expect(decide({ range: 'bytes=0-1', ...headers }, content)).toMatchObject({ status }),
  )

  test('one outside of it cannot be sent, unless it was meant for another content', () => {
    expect(decide({ range: 'bytes=10-' }, content)).toEqual({ status: 416 })
    expect(decide({ range: 'bytes=10-', 'if-range': '"x"' }, content)).toEqual({ status: 200 })
  })

  test('a picture that is made on request has no parts', () =>
    expect(decide({ range: 'bytes=0-1' }, { ...content, hasRanges: false })).toEqual({ status: 200 }))
})
