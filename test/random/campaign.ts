/** Runs stages in parallel until no stage is left, the time is up or enough failures are found. */
export interface CampaignOptions<F> {
  readonly seconds: number
  readonly workers: number
  /** The number of failures that ends the campaign. */
  readonly enough: number
  /** Returns the stage numbers one by one; null when there are no more. */
  readonly next: () => number | null
  readonly run: (number: number, isOver: () => boolean) => Promise<F | null>
  readonly progress: () => string
  readonly say: (line: string) => void
}

export interface CampaignResult<F> {
  readonly stages: number
  readonly seconds: number
  readonly failures: readonly F[]
}

export async function runCampaign<F>(options: CampaignOptions<F>): Promise<CampaignResult<F>> {
  const started = performance.now()
  const failures: F[] = []
  const isOver = (): boolean =>
    failures.length >= options.enough || performance.now() - started > options.seconds * 1000
  let stages = 0
  let said = started
  const work = async (): Promise<void> => {
    for (let number = options.next(); number !== null && !isOver(); number = options.next()) {
      const failure = await options.run(number, isOver)
      stages += 1
      if (failure !== null) failures.push(failure)
      if (performance.now() - said < 10_000) continue
      said = performance.now()
      options.say(`${options.progress()}, ${stages} databases, ${failures.length} failures`)
    }
  }
  await Promise.all(Array.from({ length: options.workers }, work))
  return { stages, seconds: (performance.now() - started) / 1000, failures }
}

/** Counts up from zero until the work is done, or returns only the stage to be repeated. */
export function stageNumbers(only: number | null, isDone: () => boolean): () => number | null {
  let next = only ?? 0
  return () => (isDone() || (only !== null && next > only) ? null : next++)
}
