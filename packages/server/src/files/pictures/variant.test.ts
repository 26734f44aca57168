import { describe, expect, test } from 'vitest'
import { planResize, sizeAfter, type Fit } from './geometry.ts'
import { readPresets, wishOf, type AssetSettings } from './presets.ts'
import { Refusal } from './refusal.ts'
import { methodNames, readTransforms } from './transforms.ts'
import { checkSizes, variantHash, variantOf, type Source } from './variant.ts'

const limits = { mostPixels: 6000, mostOperations: 5 }
const settings: AssetSettings = {
  storage_asset_transform: 'all',
  storage_asset_transform_public: 'presets',
  storage_asset_presets: null,
}
const png: Source = {
  type: 'image/png',
  checksum: 'a'.repeat(64),
  width: 90,
  height: 30,
  focalPoint: null,
}
const parse = (query: string, own = settings, hasCredentials = true) =>
  wishOf(new URLSearchParams(query), hasCredentials, own, limits)
const variant = (query: string, source: Partial<Source> = {}, accept = '*/*') =>
  variantOf(parse(query)!, { ...png, ...source }, accept)
const kindOf = (work: () => unknown) => {
  try {
    return work()
  } catch (error) {
    return error instanceof Refusal ? error.kind : error
  }
}

describe('parameters', () => {
  test('of the route, and those with _ in front, ask for the original', () =>
    expect(parse('download=&access_token=x&user=u&expires=1&signature=s&_=1')).toBeNull())

  test.each([
    'width=wide',
    'width=0',
    'width=-5',
    'height=10.5',
    'width=1e3',
    'quality=500',
    'quality=0',
    'fit=squeeze',
    'format=exe',
    'format=gif',
    'withoutEnlargement=maybe',
    'focal_point_x=-1',
    'width=1&width=2',
    'key=a&key=b',
    'key=unheard-of',
    'constructor=1',
    '__proto__x=1&widht=1',
  ])('%s is refused', (query) => expect(kindOf(() => parse(query))).toBe('invalid'))

  test('an unknown one names the nearest', () => {
    expect(() => parse('widht=30')).toThrow('"widht"; did you mean "width"?')
    expect(() => parse('donwload=1')).toThrow('did you mean "download"?')
  })

  test('in any spelling are one variant', () => {
    const hashes = [
      'width=33&height=20',
      'height=20&width=33',
      'fit=cover&height=20&width=33',
      'width=033&height=20&_=1',
      'width=33&height=20&format=png&quality=5',
      'width=33&height=20&withoutEnlargement=false',
      'width=33&height=20&focal_point_x=5',
      'width=33&height=20&transforms=[]',
    ].map((query) => variantHash(variant(query), png.checksum))
    expect(new Set(hashes).size).toBe(1)
    expect(variantHash(variant('width=33&height=20'), 'b'.repeat(64))).not.toBe(hashes[0])
    expect(variantHash(variant('width=33&height=21'), png.checksum)).not.toBe(hashes[0])
  })

  test('of operations in any spelling are one variant', () => {
    const hash = (transforms: string) => variantHash(variant(`transforms=${encodeURIComponent(transforms)}`), 'c')
    expect(hash('[["grayscale"]]')).toBe(hash('[["greyscale"]]'))
    expect(hash('[["resize", 10, 20]]')).toBe(hash('[["resize", {"height": 20, "width": 10}]]'))
    expect(hash('[["tint", "red"]]')).toBe(hash('[["tint", "#F00"]]'))
    expect(hash('[["tint", "rgb(255, 0, 0)"]]')).toBe(hash('[["tint", {"r": 255}]]'))
    expect(hash('[["blur", 5]]')).not.toBe(hash('[["blur", 6]]'))
  })
})

describe('the point of focus', () => {
  const own = { focalPoint: { x: 80, y: 10 } }
  test('is that of the request, of the file, or none', () => {
    expect(variant('width=9&height=9').resize?.focus).toBeNull()
    expect(variant('width=9&height=9', own).resize?.focus).toEqual({ x: 80, y: 10 })
    expect(variant('width=9&height=9&focal_point_x=1&focal_point_y=2', own).resize?.focus).toEqual({ x: 1, y: 2 })
  })
  test('makes no difference where nothing is cut', () => {
    for (const query of ['width=9', 'width=9&height=9&fit=contain', 'format=webp'])
      expect(variantHash(variant(query, own), 'c')).toBe(variantHash(variant(query), 'c'))
  })
})

describe('format=auto', () => {
  test.each([
    ['image/avif,image/webp,*/*', 'avif'],
    ['image/webp,*/*', 'webp'],
    ['*/*', 'png'],
    ['', 'png'],
    ['image/*', 'png'],
    ['image/avif;q=0,image/webp,*/*', 'webp'],
    ['image/avif;q=0.5,image/webp;q=0.9', 'webp'],
    ['image/png,image/avif;q=0.5', 'png'],
    ['IMAGE/WEBP ; q=0.1', 'webp'],
    ['image/webp;q=nonsense', 'png'],
  ])('with Accept %j is %s', (accept, format) => expect(variant('format=auto', {}, accept).format).toBe(format))

  test('keeps an animation', () => {
    const gif = { type: 'image/gif' }
    expect(variant('format=auto', gif, 'image/avif,image/webp').format).toBe('webp')
    expect(variant('format=auto', gif, 'image/avif').format).toBe('gif')
  })
})

describe('sizes', () => {
  const size = { width: 90, height: 30 }
  test.each<[Fit, number | undefined, number | undefined, boolean, number[]]>([
    ['cover', 30, undefined, false, [30, 10]],
    ['cover', undefined, 15, false, [45, 15]],
    ['cover', 30, 30, false, [30, 30]],
    ['contain', 30, 30, false, [30, 30]],
    ['inside', 30, 30, false, [30, 10]],
    ['outside', 30, 20, false, [60, 20]],
    ['fill', 7, 8, false, [7, 8]],
    ['cover', 180, undefined, false, [180, 60]],
    ['cover', 180, undefined, true, [90, 30]],
    ['cover', 180, 10, true, [90, 10]],
    ['contain', 180, 180, true, [180, 180]],
    ['fill', 180, 8, true, [90, 8]],
    ['inside', 1, 1, false, [1, 1]],
  ])('%s to %s × %s (without enlargement: %s) is %j', (fit, width, height, withoutEnlargement, expected) => {
    const wanted = { ...(width && { width }), ...(height && { height }) }
    const { final } = planResize(size, { ...wanted, fit, withoutEnlargement, focus: null })
    expect([final.width, final.height]).toEqual(expected)
  })

  test('cover keeps the point in the picture', () => {
    const at = (x: number, y: number) =>
      planResize(size, { width: 30, height: 30, fit: 'cover', withoutEnlargement: false, focus: { x, y } }).cutAfter
    expect([at(0, 0), at(45, 15), at(89, 29), at(9999, 9999)]).toEqual(
      [0, 30, 60, 60].map((left) => ({ left, top: 0 })),
    )
  })

  test.each([
    ['width=7000', 'too-large'],
    ['height=7000', 'too-large'],
    ['width=6000&height=6000', undefined],
    ['width=1&height=6000&fit=cover', undefined],
    ['width=1&height=6000&fit=outside', 'too-large'],
    ['transforms=[["resize",{"width":9000,"height":9000}]]', 'too-large'],
    ['transforms=[["resize",5000],["extend",600]]', 'too-large'],
    ['transforms=[["extend",{"top":9000}]]', 'too-large'],
    ['width=5000&height=5000&transforms=[["rotate",45]]', 'too-large'],
    ['width=5000&height=5000&transforms=[["rotate",90]]', undefined],
    ['transforms=[["extract",{"left":80,"top":0,"width":11,"height":5}]]', 'invalid'],
    ['transforms=[["extract",{"left":80,"top":0,"width":10,"height":5}]]', undefined],
    ['transforms=[["resize",9000],["resize",9]]', 'too-large'],
  ])('%s: %s', (query, kind) => expect(kindOf(() => checkSizes(variant(query), size, 6000))).toBe(kind))

  test('of the original are limited, too', () =>
    expect(kindOf(() => checkSizes(variant('width=5'), { width: 6001, height: 5 }, 6000))).toBe('too-large'))

  test('after turning', () => {
    const after = (angle: number) => sizeAfter({ method: 'rotate', arguments: { angle } }, size, 6000)
    expect([after(0), after(90), after(-90), after(540), after(45)]).toEqual([
      size,
      { width: 30, height: 90 },
      { width: 30, height: 90 },
      size,
      { width: 85, height: 85 },
    ])
  })
})

describe('operations', () => {
  test.each([
    [[['nope']]],
    [[['toFile', 'x.png']]],
    [[['composite', [{ input: '/etc/passwd' }]]]],
    [[['joinChannel', 'x']]],
    [[['constructor']]],
    [[['__proto__']]],
    ['nonsense'],
    [{ blur: 5 }],
    [['blur']],
    [[['blur', 'much']]],
    [[['blur', 5, 6]]],
    [[['blur', { sigma: 5, extra: 1 }]]],
    [[['rotate', {}]]],
    [[['rotate', 1e9]]],
    [[['extract', { left: -1, top: 0, width: 5, height: 5 }]]],
    [[['extract', { left: 0, top: 0 }]]],
    [[['resize', {}]]],
    [[['tint', 'no colour']]],
    [[['linear', [1, 2, 3, 4, 5]]]],
    [
      [
        [
          'recomb',
          [
            [1, 2],
            [3, 4],
          ],
        ],
      ],
    ],
    [[['flip', true]]],
    [[['normalise', { lower: 50, upper: 40 }]]],
    [Array.from({ length: 6 }, () => ['blur', 1])],
  ])('%j is refused', (transforms) => expect(kindOf(() => readTransforms(transforms, 5))).toBe('invalid'))

  test('are those of the contract', () => {
    const contract =
      'resize extract trim extend rotate flip flop sharpen median blur flatten negate normalise clahe gamma modulate tint greyscale grayscale threshold linear recomb toColourspace'
    expect(methodNames).toEqual(expect.arrayContaining(contract.split(' ')))
  })
})

describe('presets', () => {
  const thumb = { key: 'thumb', fit: 'cover', width: 20, height: 20, quality: 80, format: 'jpg', transforms: [] }
  const own = { ...settings, storage_asset_presets: [thumb] }

  test('are known by their key, and parameters change them', () => {
    expect(parse('key=thumb', own)).toMatchObject({ width: 20, height: 20, format: 'jpg' })
    expect(parse('key=thumb&width=30', own)).toMatchObject({ width: 30, height: 20 })
    expect(parse('key=system-large-cover', own)).toMatchObject({
      width: 800,
      height: 800,
      fit: 'cover',
      format: 'auto',
    })
  })

  test('that are wrong do not harm the others', () => {
    const mixed = { ...settings, storage_asset_presets: [null, { ...thumb, key: 'wrong', fit: 'squeeze' }, thumb] }
    expect(parse('key=thumb', mixed)).toMatchObject({ width: 20 })
    expect(kindOf(() => parse('key=wrong', mixed))).toBe('invalid')
    expect(kindOf(() => parse('key=thumb', { ...settings, storage_asset_presets: 'text' }))).toBe('invalid')
  })

  test('alone are allowed where the settings say so', () => {
    const only = { ...own, storage_asset_transform: 'presets' }
    expect(parse('key=thumb', only)).toMatchObject({ width: 20 })
    expect(parse('key=system-small-cover', only)).toMatchObject({ width: 64 })
    expect(parse('', only)).toBeNull()
    for (const query of ['width=10', 'format=webp', 'key=thumb&width=500'])
      expect(kindOf(() => parse(query, only))).toBe('invalid')
    const none = { ...own, storage_asset_transform: 'none' }
    expect(parse('key=system-small-cover', none)).toMatchObject({ width: 64 })
    for (const query of ['width=10', 'key=thumb']) expect(kindOf(() => parse(query, none))).toBe('invalid')
  })

  test.each([
    ['all', 'all', 'all'],
    ['all', 'presets', 'presets'],
    ['all', 'none', 'none'],
    ['presets', 'all', 'presets'],
    ['presets', 'none', 'none'],
    ['none', 'all', 'none'],
    ['none', 'presets', 'none'],
    ['all', null, 'presets'],
  ])('with %s for all and %s for the public are %s for callers without credentials', (all, forPublic, allowed) => {
    const both = { ...own, storage_asset_transform: all, storage_asset_transform_public: forPublic }
    const isOpen = (query: string) => kindOf(() => parse(query, both, false)) !== 'invalid'
    expect(['width=10', 'key=thumb', 'key=system-small-cover', ''].map(isOpen)).toEqual([
      allowed === 'all',
      allowed !== 'none',
      true,
      true,
    ])
    expect(kindOf(() => parse('width=10', both)) === 'invalid').toBe(all !== 'all')
  })

  test('name a way out to callers without credentials if there is one', () => {
    expect(() => parse('width=10', settings, false)).toThrow('use a signed link')
    const only = { ...settings, storage_asset_transform: 'presets' }
    expect(() => parse('width=10', only, false)).toThrow('ask an administrator')
  })

  test.each([
    [[{ ...thumb, key: undefined }]],
    [[{ ...thumb, key: 'a b' }]],
    [[{ ...thumb, key: 'system-small-cover' }]],
    [[{ ...thumb, fit: 'squeeze' }]],
    [[{ ...thumb, widht: 5 }]],
    [[{ ...thumb, transforms: [['toFile', 'x']] }]],
    [[thumb, thumb]],
    ['thumb'],
    [{ thumb }],
    [[null]],
  ])('%j cannot be saved', (value) => expect(kindOf(() => readPresets(value, limits))).toBe('invalid'))

  test('that ask for too much cannot be saved', () =>
    expect(kindOf(() => readPresets([{ ...thumb, width: 7000 }], limits))).toBe('too-large'))

  test('have null for what they do not say', () => {
    expect([...readPresets([{ ...thumb, width: null }], limits).values()][0]).not.toHaveProperty('width')
    expect(readPresets(null, limits).size).toBe(0)
  })
})
