/** Languages that people can choose for labels; the service takes any other tag too. */
const tags = [
  'en-US',
  'en-GB',
  'de-DE',
  'fr-FR',
  'es-ES',
  'it-IT',
  'nl-NL',
  'pt-BR',
  'pl-PL',
  'cs-CZ',
  'sv-SE',
  'tr-TR',
  'ar-SA',
  'ja-JP',
  'zh-CN',
]

const names = new Intl.DisplayNames(['en'], { type: 'language' })

/** The choices of a language, with one that is stored but not in the list. */
export const languageChoices = (stored: string | null, empty: string | null) => [
  ...(empty === null ? [] : [{ value: '', text: empty }]),
  ...[...new Set([...tags, ...(stored === null || stored === '' ? [] : [stored])])].map((value) => ({
    value,
    text: `${nameOf(value)} (${value})`,
  })),
]

function nameOf(tag: string): string {
  try {
    return names.of(tag) ?? tag
  } catch {
    return tag
  }
}
