/** The hue of the app when the project has chosen none. */
export const DEFAULT_HUE = 196

/** What the settings hold before anybody chooses a colour. */
const UNSET = '#6644ff'

type Triple = readonly [number, number, number]

/** OKLCH to linear sRGB. Values may lie outside 0 to 1 where the screen has no such colour. */
export function linearOf(lightness: number, chroma: number, hue: number): Triple {
  const angle = (hue * Math.PI) / 180
  const [a, b] = [chroma * Math.cos(angle), chroma * Math.sin(angle)]
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
}

const clamped = (value: number): number => Math.min(1, Math.max(0, value))

/** The colour that stands for a hue in the settings. */
export function colourOf(hue: number): string {
  const parts = linearOf(0.5, 0.085, hue).map((value) => {
    const linear = clamped(value)
    const encoded = linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055
    return Math.round(encoded * 255)
      .toString(16)
      .padStart(2, '0')
  })
  return `#${parts.join('')}`
}

/** The hue of a stored colour. Greys, unreadable texts and the stored default have none of their own. */
export function hueOfColour(colour: string): number {
  const found = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/iu.exec(colour)
  if (found === null || colour.toLowerCase() === UNSET) return DEFAULT_HUE
  const [r = 0, g = 0, b = 0] = found.slice(1).map((part) => {
    const value = Number.parseInt(part, 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  const x = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const y = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  if (Math.hypot(x, y) < 0.01) return DEFAULT_HUE
  return Math.round(((Math.atan2(y, x) * 180) / Math.PI + 360) % 360)
}

const luminance = ([r, g, b]: Triple): number => 0.2126 * clamped(r) + 0.7152 * clamped(g) + 0.0722 * clamped(b)

/** The contrast of two colours after WCAG 2. */
export function contrast(a: Triple, b: Triple): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].toSorted((x, y) => y - x)
  return (light + 0.05) / (dark + 0.05)
}

/** Shows the app in a hue at once. */
export const applyHue = (hue: number): void => document.documentElement.style.setProperty('--accent-h', String(hue))
