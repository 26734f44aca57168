/** Stage after stage, some at a time, until the work, the time or the patience is at an end. */
export interface CampaignOptions<F> {
  readonly seconds: number
  readonly workers: number
  /** Failures that end the campaign. */
  readonly enough: number
  /** Numbers of the stages, one by one; null when there are no more. */
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

/** Numbers from zero, as long as there is something left to do; or the one that is to be repeated. */
export function stageNumbers(only: number | null, isDone: () => boolean): () => number | null {
  let next = only ?? 0
  return () => (isDone() || (only !== null && next > only) ? null : next++)
}
