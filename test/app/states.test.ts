import { describe } from 'vitest'
import { formStates } from './states/form-states.ts'
import { listStates } from './states/list-states.ts'
import { createOddTables } from './states/odd-tables.ts'
import { shapeStates } from './states/shape-states.ts'
import { useWorld } from './world.ts'

const world = useWorld({ rows: 300, prepare: createOddTables })

describe('a list', () => {
  listStates(world)
})
describe('a form', () => {
  formStates(world)
})
describe('a table', () => {
  shapeStates(world)
})
