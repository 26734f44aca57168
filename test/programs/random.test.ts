import { testPart } from './gate.ts'

testPart('random')
