/** One sample of the text that Prometheus reads. */
export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

export interface Scrape {
  readonly samples: readonly Sample[]
  /** The sum of the samples with this name and these labels. */
  readonly sum: (name: string, labels?: Readonly<Record<string, string>>) => number
}

const SAMPLE = /^([a-z0-9_]+)(?:\{(.*)\})? (\S+)$/u

export function parseScrape(text: string): Scrape {
  const samples = text.split('\n').flatMap((line): Sample[] => {
    const [, name = '', labels = '', value = ''] = SAMPLE.exec(line) ?? []
    if (name === '') return []
    const pairs = [...labels.matchAll(/([a-z_]+)="([^"]*)"/gu)].map(([, key = '', text = '']) => [key, text])
    return [{ name, labels: Object.fromEntries(pairs) as Record<string, string>, value: Number(value) }]
  })
  const sum: Scrape['sum'] = (name, labels = {}) =>
    samples
      .filter((each) => each.name === name && Object.entries(labels).every(([key, text]) => each.labels[key] === text))
      .reduce((total, { value }) => total + value, 0)
  return { samples, sum }
}

export async function scrape(port: number): Promise<Scrape> {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`)
  if (response.status !== 200) throw new Error(`the metrics answer ${response.status}`)
  return parseScrape(await response.text())
}
