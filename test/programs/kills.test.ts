import { testPart } from './gate.ts'

testPart('kills')
