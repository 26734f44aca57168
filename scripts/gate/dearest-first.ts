import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import type { Cost } from './report.ts'

const top = join(import.meta.dirname, '../..')

/** Starts the dearest files first, so that none of them runs alone at the end. */
export class DearestFirst extends BaseSequencer {
  readonly #files = (JSON.parse(readFileSync(join(top, 'test/cost.json'), 'utf8')) as Cost).files

  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const cost = ({ project, moduleId }: TestSpecification) =>
      this.#files[`${project.name} ${relative(top, moduleId)}`] ?? 0
    const usual = await super.sort(files)
    return usual.toSorted((a, b) => cost(b) - cost(a))
  }
}
