import { describe, expect, it } from 'vitest'
import { fitText } from './fit.ts'

const ten = () => 10

describe('text in a cell', () => {
  it('stays whole when it fits', () => {
    expect(fitText('shipping', 80, ten)).toBe('shipping')
  })
  it('is cut so that the dots fit as well', () => {
    expect(fitText('shipping address', 80, ten)).toBe('shippin…')
  })
  it('ends at the first line', () => {
    expect(fitText('one\ntwo and more than fits', 200, ten)).toBe('one…')
  })
  it('is never cut inside a character', () => {
    expect(fitText('😀😀😀😀😀', 30, ten)).toBe('😀😀…')
  })
})
