// Times as the contract shows them, from the text `2024-01-31 12:00:00.123456` of a database in UTC.

/** No digits for a whole second, three for milliseconds, six for microseconds. */
function fractionOf(digits: string): string {
  const six = digits.slice(0, 6).padEnd(6, '0')
  if (six === '000000') return ''
  return six.endsWith('000') ? `.${six.slice(0, 3)}` : `.${six}`
}

function split(text: string): [seconds: string, fraction: string] {
  const [seconds = '', digits = ''] = text.split('.')
  return [seconds.replace(' ', 'T'), fractionOf(digits)]
}

/** With zone: always with milliseconds. */
export function wireTimestamp(text: string): string {
  const [seconds, fraction] = split(text.replace(/\+00$/u, ''))
  return `${seconds}${fraction === '' ? '.000' : fraction}Z`
}

/** Without zone: a fraction only if it is not zero. */
export const wireDateTime = (text: string): string => split(text).join('')

export function wireTime(text: string): string {
  const [seconds = '', digits = ''] = text.split('.')
  return `${seconds}${fractionOf(digits)}`
}
