const codes = [
  'en-US',
  'en-GB',
  'de-DE',
  'fr-FR',
  'es-ES',
  'it-IT',
  'nl-NL',
  'pl-PL',
  'pt-BR',
  'tr-TR',
  'uk-UA',
  'ar-SA',
  'zh-CN',
  'ja-JP',
]

const names = new Intl.DisplayNames('en', { type: 'language' })

/** Languages that labels of collections and fields can be written in. */
export const languages = codes.map((value) => ({ value, text: names.of(value) ?? value }))
