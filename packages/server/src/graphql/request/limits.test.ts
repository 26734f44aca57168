import { parse } from 'graphql'
import { describe, expect, test } from 'vitest'
import { checkDocument, checkText, LimitExceeded, type DocumentLimits } from './limits.ts'

const generous: DocumentLimits = {
  size: 10_000,
  tokens: 1000,
  depth: 10,
  rootFields: 10,
  aliases: 10,
  selections: 100,
  sameKey: 10,
  directives: 10,
  variables: 10,
}

const check = (text: string, limits: Partial<DocumentLimits>) => () =>
  checkDocument(parse(text), { ...generous, ...limits })

describe('limits of a document', () => {
  test.each<[string, string, Partial<DocumentLimits>, string]>([
    ['levels', '{ a { b { c } } }', { depth: 2 }, 'more than 2 levels'],
    ['root fields', '{ a b c }', { rootFields: 2 }, 'more than 2 root fields'],
    ['aliases', '{ x: a y: a z: a }', { aliases: 2 }, 'more than 2 aliases'],
    ['fields under one key', '{ a { x } a { y } a { z } }', { sameKey: 2 }, 'more than 2 fields under one key'],
    ['directives', '{ a @skip(if: true) @include(if: true) }', { directives: 1 }, 'more than 1 directives'],
    ['variables', 'query ($a: Int, $b: Int) { a }', { variables: 1 }, 'more than 1 variables'],
  ])('refuses too many %s', (_, text, limits, message) => {
    expect(check(text, limits)).toThrow(LimitExceeded)
    expect(check(text, limits)).toThrow(message)
    expect(check(text, {})).not.toThrow()
  })

  test('counts fields wherever a fragment is used', () => {
    const text = '{ a { ...F } b { ...F } c { ...F } } fragment F on T { x y z }'
    expect(check(text, { selections: 15 })).not.toThrow()
    expect(check(text, { selections: 14 })).toThrow('more than 14 fields, fragments opened')
  })

  test('merges fields with the same key before it counts levels and root fields', () => {
    expect(check('{ a { b { c } } a { b { d } } }', { depth: 3, rootFields: 1 })).not.toThrow()
  })

  test('ends for a fragment that contains itself', () => {
    expect(check('{ a { ...F } } fragment F on T { x ...F }', {})).not.toThrow()
    expect(check('{ a { ...F } } fragment F on T { x { ...F } }', {})).toThrow('more than 10 levels')
  })

  test('refuses long texts and deep brackets before they are parsed', () => {
    expect(() => checkText('x'.repeat(11), { ...generous, size: 10 })).toThrow('more than 10 characters')
    expect(() => checkText('['.repeat(251), generous)).toThrow('brackets inside each other')
    expect(() => checkText(`"${'['.repeat(500)}" # ${'{'.repeat(500)}`, generous)).not.toThrow()
  })
})
